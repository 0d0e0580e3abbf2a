package backend

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"palimpsest/backend/session"
)

// TestADamagedIndexAnswersAllTheSame: who asks one that turns out to be damaged gets the answer, after it was filled again; a program
// that stays says what it does not have yet.
func TestADamagedIndexAnswersAllTheSame(t *testing.T) {
	t.Parallel()
	const sessions = 20
	home, cache := t.TempDir(), t.TempDir()
	var rebuilt atomic.Int32
	reopen := func(cache string) *Backend {
		b, err := Open(Options{Home: home, Cache: cache, Warn: func(error) { rebuilt.Add(1) }})
		newsMust(t, err)
		t.Cleanup(b.Close)
		return b
	}
	b := reopen(cache)
	for i := range sessions {
		words := strings.Builder{}
		for w := range 3000 {
			fmt.Fprintf(&words, "%x ", (i+1)*1_000_003*(w+1))
		}
		hold(t, b, session.New{Name: "filler"}, said(1, "user", "needle "+words.String()))
	}
	scanned(t, b)
	b.Close()

	const name = "index.db"
	left := os.DirFS(indexDir(cache, home))
	whole, err := fs.ReadFile(left, name)
	newsMust(t, err)
	bad := map[string][]byte{"where it is read": slices.Clone(whole), "where it is opened": slices.Clone(whole)}
	for i := 64 << 10; i < len(whole); i += 512 {
		bad["where it is read"][i] ^= 0xff
	}
	bad["where it is opened"][0] ^= 0xff
	for what, ask := range map[string]func(b *Backend) (told, missing int){
		"search": func(b *Backend) (int, int) {
			found := look(t, b, "needle")
			missing := 0
			for _, skipped := range found.Skipped {
				missing += skipped.Count
			}
			return len(found.Hits), missing
		},
		"statistics": func(b *Backend) (int, int) {
			stats, err := b.Statistics(t.Context(), StatisticsOptions{})
			newsMust(t, err)
			return stats.Totals.Messages, stats.Coverage.Sessions - stats.Coverage.Indexed
		},
	} {
		for where, data := range bad {
			for _, resident := range []bool{false, true} {
				cache := t.TempDir() // what the one before has left, as a log of writes, is none of this one
				newsMust(t, os.CopyFS(indexDir(cache, home), left))
				newsMust(t, os.WriteFile(filepath.Join(indexDir(cache, home), name), data, 0o600))
				rebuilt.Store(0)
				b := reopen(cache)
				b.resident = resident
				told, missing := ask(b)
				// What is put back meanwhile may be counted as missing before it is found, never left out of both.
				if told+missing < sessions || told > sessions || missing > sessions || !resident && missing > 0 {
					t.Errorf("%s, damaged %s, resident %v: %d told, %d missing", what, where, resident, told, missing)
				}
				if what == "search" && rebuilt.Load() == 0 {
					t.Errorf("%s, damaged %s, resident %v: nothing was said of the damage", what, where, resident)
				}
				b.Close()
			}
		}
	}
}
