package backend

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"palimpsest/backend/index"
	"palimpsest/backend/sources/sourcetest"
)

// harms are what can happen to the file of a database.
var harms = map[string]func(random *rand.Rand, path string) error{
	"bent": func(random *rand.Rand, path string) error {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for range 1 + random.IntN(40) {
			data[random.IntN(len(data))] ^= byte(1 + random.IntN(255))
		}
		return os.WriteFile(path, data, 0o600)
	},
	"bent in its texts": func(random *rand.Rand, path string) error {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for at := range data {
			if strings.HasPrefix(string(data[at:min(len(data), at+8)]), "lantern ") {
				data[at] ^= byte(1 + random.IntN(255))
			}
		}
		return os.WriteFile(path, data, 0o600)
	},
	"cut off": func(random *rand.Rand, path string) error {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		return os.Truncate(path, random.Int64N(info.Size()))
	},
	"emptied": func(_ *rand.Rand, path string) error { return os.Truncate(path, 0) },
	"deleted": func(_ *rand.Rand, path string) error { return os.Remove(path) },
}

// longSaid is what is said in a session of a test, long enough for blocks of their own.
func longSaid(random *rand.Rand, n int) string {
	words := make([]string, 400)
	for i := range words {
		words[i] = fmt.Sprintf("lantern %x", random.Uint64())
	}
	return fmt.Sprintf("third %d %s", n, strings.Join(words, " "))
}

// TestOneAfterTheOther: whatever happens to one of the two indexes and, after a scan, to the other, no session whose files are gone loses a
// text.
func TestOneAfterTheOther(t *testing.T) {
	names := slices.Sorted(maps.Keys(harms))
	for round, first := range names {
		for _, then := range names {
			for _, order := range [][]string{{"index.db", secondName + "/index.db"}, {secondName + "/index.db", "index.db"}} {
				t.Run(fmt.Sprintf("%s %s, then the other %s", order[0], first, then), func(t *testing.T) {
					t.Parallel()
					random := rand.New(rand.NewPCG(uint64(round), uint64(len(then)+len(order[0]))))
					v := newVanishing(t)
					newsMust(t, os.Remove(v.file()))
					want := map[string]string{}
					for i := range 4 {
						id, text := fmt.Sprint("s", i+2), longSaid(random, i)
						sourcetest.Write(t, v.home, strings.Replace(piPlace, "_s1", "_"+id, 1),
							strings.Replace(piHead, `"s1"`, `"`+id+`"`, 1)+fmt.Sprintf(`{"type":"message","id":"m1","parentId":null,"timestamp":"2026-01-02T10:00:01.000Z","message":{"role":"user","content":%q}}`+"\n", text))
						want["pi:"+id] = text
					}
					scan := func(step string) {
						b := v.open()
						defer b.Close()
						newsMust(t, b.Scan(t.Context(), false, nil))
						if step == "" {
							return
						}
						for id, text := range want {
							found, err := b.indexing.index.Search(t.Context(), index.Query{All: []index.Pattern{{Text: text[len(text)-200:]}}}, index.Options{Session: id})
							if err != nil || len(found.Hits) != 1 {
								t.Errorf("%s: of %s there are %d hits, %v", step, id, len(found.Hits), err)
							}
						}
					}
					scan("")
					newsMust(t, os.RemoveAll(filepath.Dir(v.file())))
					newsMust(t, os.MkdirAll(filepath.Dir(v.file()), 0o700))
					scan("before")
					newsMust(t, harms[first](random, filepath.Join(v.dir(), filepath.FromSlash(order[0]))))
					scan("")
					newsMust(t, harms[then](random, filepath.Join(v.dir(), filepath.FromSlash(order[1]))))
					scan("behind both")
					t.Log(strings.Join(v.told, "\n"))
				})
			}
		}
	}
}

// TestCheckIsBounded: a scan that somebody waits for checks no more than a piece, a program that stays all of it, and rests in between.
func TestCheckIsBounded(t *testing.T) {
	v := newVanishing(t)
	for i := range 5 {
		writePiAs(t, v.home, fmt.Sprint("s", i+2))
	}
	b := v.open()
	scanNow(t, b, "pi:s6")
	newsMust(t, os.RemoveAll(filepath.Dir(v.file())))
	newsMust(t, os.MkdirAll(filepath.Dir(v.file()), 0o700))
	newsMust(t, b.Scan(t.Context(), false, nil))
	newsMust(t, b.Scan(t.Context(), false, nil))
	var rests []int64
	newsMust(t, b.indexing.stock.check(t.Context(), func(bytes int64) error {
		rests = append(rests, bytes)
		return nil
	}))
	if len(rests) != 12 || slices.Min(rests) == 0 {
		t.Errorf("read of each, in both: %v", rests)
	}
	read := 0
	err := b.indexing.stock.check(t.Context(), func(int64) error { read++; return errPiece })
	if read != 1 || err == nil {
		t.Errorf("%d were read after enough was: %v", read, err)
	}
}

// TestStayingMends: a program that stays finds damage that nobody would come upon, and says that the index is to be looked at.
func TestStayingMends(t *testing.T) {
	v := newVanishing(t)
	b := v.open()
	scanNow(t, b, "pi:s1")
	newsMust(t, os.Remove(v.file()))
	newsMust(t, b.Scan(t.Context(), false, nil))
	b.Close()
	bend(t, filepath.Join(v.dir(), secondName, "index.db"), "third")
	b = v.open()
	_, err := b.openIndex()
	newsMust(t, err)
	c := b.indexing.stock
	newsMust(t, b.indexing.scanner.Once(t.Context()))
	found := make(chan struct{}, 1)
	go c.keepChecked(t.Context(), 0, func() bool { return false }, func() { found <- struct{}{} })
	select {
	case <-found:
	case <-time.After(time.Minute):
		t.Fatal("the damage was not found")
	}
	newsMust(t, b.indexing.scanner.Once(t.Context()))
	v.outlives(b)
}

// TestCheckWaits: nothing is checked while all is read, or somebody said that nothing is to be.
func TestCheckWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &stock{}
		ctx, cancel := context.WithCancel(t.Context())
		done, asked := make(chan struct{}), 0
		go func() {
			defer close(done)
			c.keepChecked(ctx, checkAfter, func() bool { asked++; return true }, func() { t.Error("something was found") }) // it has no index to look at
		}()
		time.Sleep(time.Hour)
		cancel()
		<-done
		if asked < 2 {
			t.Errorf("asked %d times", asked)
		}
	})
}

// bend changes a byte in every place in which a word stands in a file.
func bend(t *testing.T, path, word string) {
	t.Helper()
	data, err := os.ReadFile(path)
	newsMust(t, err)
	bent := strings.ReplaceAll(string(data), word, "\x00"+word[1:])
	if bent == string(data) {
		t.Fatalf("%q is not in %s", word, path)
	}
	newsMust(t, os.WriteFile(path, []byte(bent), 0o600))
}
