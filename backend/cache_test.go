package backend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/pi"
)

// TestWithoutACache: where the cache can't be written to, sessions of other agents are read and searched all the same, it is said why
// that takes longer, and nothing is left behind.
func TestWithoutACache(t *testing.T) {
	home, temp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	writePi(t, home, piSession())
	cache := filepath.Join(t.TempDir(), "cache")
	newsMust(t, os.WriteFile(cache, []byte("a file"), 0o600))
	var warned []string
	open, err := Open(Options{
		Home: t.TempDir(), UserHome: home, Cache: cache, Sources: []sources.Source{pi.Source{}}, Warn: func(err error) { warned = append(warned, err.Error()) },
	})
	newsMust(t, err)
	defer open.Close()
	if len(warned) != 1 || !strings.Contains(warned[0], cache) {
		t.Errorf("%q", warned)
	}
	if all, err := open.List(t.Context(), ListOptions{}); err != nil || len(all) != 1 {
		t.Errorf("%d, %v", len(all), err)
	}
	if got, err := open.Context("pi:s1", ContextOptions{}); err != nil || len(got.Messages) == 0 {
		t.Error(err)
	}
	newsMust(t, open.Scan(t.Context(), false, nil))
	if got, err := open.Search(t.Context(), SearchOptions{Text: "first"}); err != nil || len(got.Hits) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	open.Close()
	if left, err := os.ReadDir(temp); err != nil || len(left) != 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	if text, err := os.ReadFile(cache); err != nil || string(text) != "a file" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestWithAFullCache: so it is where the disk of the cache is full, and that of temporary files is not; where both are, the cache stays.
func TestWithAFullCache(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	cache := filepath.Join(t.TempDir(), "cache") // which is not there yet
	defer func(before func(string) (uint64, bool)) { roomIn = before }(roomIn)
	for name, c := range map[string]struct {
		inCache, inTemp uint64
		known, stays    bool
	}{
		"full":              {0, roomLeast, true, false},
		"nearly":            {roomLeast - 1, roomLeast, true, false},
		"room enough":       {roomLeast, 0, true, true},
		"both are full":     {0, 0, true, true},
		"nobody counts any": {0, 0, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			roomIn = func(dir string) (uint64, bool) {
				if dir == temp {
					return c.inTemp, c.known
				}
				if dir != filepath.Dir(cache) {
					t.Errorf("asked of %s", dir)
				}
				return c.inCache, c.known
			}
			var warned []string
			b := &Backend{warn: func(err error) { warned = append(warned, err.Error()) }}
			defer b.dropCache()
			if got := b.cacheIn(cache, nil); (got == cache) != c.stays || c.stays != (len(warned) == 0) {
				t.Errorf("%s, %q", got, warned)
			}
			if !c.stays && !strings.Contains(warned[0], "the disk of the cache ("+cache+") is full") {
				t.Errorf("%q", warned)
			}
		})
	}
}
