// Package corpus writes the sessions of a machine that agents have worked on for years: many of them, of mixed formats and sizes, with
// words as unequal as those of a language, Chinese among them, and needles that a search is to find. The same options make the same
// files, to the byte. It is for benchmarks and tests.
package corpus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"palimpsest/backend/session"
)

// Options say how much there is.
type Options struct {
	// Sessions is how many, and Bytes how much all of them together have, about, without what follows.
	Sessions int
	Bytes    int64
	// Large is how many sessions of LargeBytes there are besides, and Huge the size of one more; none if it is 0.
	Large      int
	LargeBytes int64
	Huge       int64
	Seed       uint64
}

// Small is the corpus of 2,000 sessions and 300 MB, Medium that of 10,000 and 1 GB; both have two sessions of 40 MB.
var (
	Small  = Options{Sessions: 2000, Bytes: 220 << 20, Large: 2, LargeBytes: 40 << 20, Seed: 3}
	Medium = Options{Sessions: 10000, Bytes: 944 << 20, Large: 2, LargeBytes: 40 << 20, Seed: 2}
)

// Needles are texts that stand in some sessions each, and nowhere else.
var Needles = map[string]string{"rare": "quokkaphilharmonic", "symbol": "f(x)->a-b::C:\\x", "cjk": "龘靐齉爩", "substring": "zyxwvutsr"}

// Made is what was written: Home is where agents keep their sessions, Own the directory of sessions of ours.
type Made struct {
	Home, Own string
	Sessions  int
	Bytes     int64
	// LargeFiles are those of the large sessions, and HugeFile that of the huge one.
	LargeFiles []string
	LargeIDs   []string
	HugeFile   string
	HugeID     string
}

const doneName = "corpus.json"

// Make writes a corpus below a directory, or finds the one that is there.
func Make(dir string, opts Options) (Made, error) {
	dir = filepath.Join(dir, fmt.Sprintf("%d-%d-%d-%d-%d", opts.Sessions, opts.Bytes>>20, opts.Large, opts.Huge>>20, opts.Seed))
	var made Made
	if text, err := os.ReadFile(filepath.Join(dir, doneName)); err == nil && json.Unmarshal(text, &made) == nil {
		return made, nil
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return made, fmt.Errorf("looking for a corpus: %w", err)
	}
	if err := os.RemoveAll(dir); err != nil {
		return made, fmt.Errorf("clearing a corpus that was not finished: %w", err)
	}
	w := newWriter(dir, opts.Seed)
	sizes := w.sizes(opts)
	for i, size := range sizes {
		w.session(i, size)
	}
	for i := range opts.Large {
		file, id := w.session(len(sizes)+i*2, opts.LargeBytes) // of Claude Code, then of Codex
		w.made.LargeFiles, w.made.LargeIDs = append(w.made.LargeFiles, file), append(w.made.LargeIDs, id)
	}
	if opts.Huge > 0 {
		w.made.HugeFile, w.made.HugeID = w.session(kinds*len(sizes)+1, opts.Huge)
	}
	w.own()
	if w.err != nil {
		return made, fmt.Errorf("writing a corpus: %w", w.err)
	}
	text, err := json.Marshal(w.made)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, doneName), text, 0o600)
	}
	return w.made, err
}

// writer writes one.
type writer struct {
	made  Made
	err   error
	rand  *rand.Rand
	words []string
	zipf  *rand.Zipf
	at    time.Time
}

func newWriter(dir string, seed uint64) *writer {
	random := rand.New(rand.NewPCG(seed, seed)) //nolint:gosec // it has to be the same each time
	w := &writer{
		made: Made{Home: filepath.Join(dir, "user"), Own: filepath.Join(dir, "agent")}, rand: random,
		at: time.Date(2024, 1, 1, 8, 0, 0, 0, time.UTC),
	}
	const words, exponent = 30000, 1.15
	for range words {
		w.words = append(w.words, w.word())
	}
	w.zipf = rand.NewZipf(random, exponent, 2, words-1)
	return w
}

// sizes are those of the sessions: most are small, some are large.
func (w *writer) sizes(opts Options) []int64 {
	weights, sum := make([]float64, opts.Sessions), 0.0
	for i := range weights {
		weights[i] = math.Exp(w.rand.NormFloat64() * 1.2)
		sum += weights[i]
	}
	sizes := make([]int64, len(weights))
	for i, weight := range weights {
		sizes[i] = max(int64(weight/sum*float64(opts.Bytes)), 1500)
	}
	return sizes
}

func (w *writer) write(path string, text []byte) {
	if w.err != nil {
		return
	}
	if w.err = os.MkdirAll(filepath.Dir(path), 0o700); w.err == nil {
		w.err = os.WriteFile(path, text, 0o600)
	}
	w.made.Bytes += int64(len(text))
}

// own gives the sessions of ours the metadata that the program gives them.
func (w *writer) own() {
	store := session.Open(w.made.Own, session.Options{})
	ids, err := store.IDs()
	if w.err == nil {
		w.err = err
	}
	for _, id := range ids {
		if err := store.Repair(context.Background(), id); err != nil && w.err == nil {
			w.err = err
		}
	}
}
