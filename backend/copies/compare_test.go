package copies

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"palimpsest/backend/sources"
)

// listed is what is said in a file that is a list of texts; nil of one that nobody can read.
func listed(t *testing.T, name string) Saying {
	if filepath.Ext(name) != ".json" {
		return nil
	}
	return func(_ context.Context, lay func(string) error) (said []string, ok bool, err error) {
		home := t.TempDir()
		must(t, lay(home))
		text, err := os.ReadFile(filepath.Join(home, name))
		must(t, err)
		return said, json.Unmarshal(text, &said) == nil, nil
	}
}

// TestPacked: what was compressed in place is no other state, nor is what was unpacked, unless it lost something.
func TestPacked(t *testing.T) {
	pack, err := zstd.NewWriter(nil)
	must(t, err)
	packed := func(text string) string { return string(pack.EncodeAll([]byte(text), nil)) }
	const one, two = "head\none\n", "head\none\ntwo\n"
	type state struct{ name, text string }
	for name, c := range map[string]struct {
		states []state
		aside  int
	}{
		"packed":            {[]state{{"a.jsonl", two}, {"a.jsonl.zst", packed(two)}}, 0},
		"unpacked":          {[]state{{"a.jsonl.zst", packed(two)}, {"a.jsonl", two}}, 0},
		"grown":             {[]state{{"a.jsonl.zst", packed(one)}, {"a.jsonl", two}, {"a.jsonl.zst", packed(two)}}, 0},
		"packed again":      {[]state{{"a.jsonl.zst", packed(one)}, {"a.jsonl.zst", packed(one) + packed("two\n")}}, 0},
		"shorter":           {[]state{{"a.jsonl", two}, {"a.jsonl.zst", packed(one)}}, 1},
		"shorter, unpacked": {[]state{{"a.jsonl.zst", packed(two)}, {"a.jsonl", one}}, 1},
		"damaged":           {[]state{{"a.jsonl", two}, {"a.jsonl.zst", packed(two)[:12]}}, 1},
	} {
		home, s := t.TempDir(), Open(t.TempDir())
		for _, now := range c.states {
			path := filepath.Join(home, now.name)
			write(t, path, now.text)
			_, err := s.Keep(t.Context(), New(&sources.Found{Agent: "codex", ID: "a"}, time.Now()), []Original{{Path: path, Below: now.name}})
			must(t, err)
		}
		if all, err := s.All("codex"); err != nil || len(all) != 1+c.aside {
			t.Errorf("%s: %d copies, %v", name, len(all), err)
		}
	}
}

// TestNothingIsLost: a state that has what the next one lacks stays beside it, and goes when that has it again.
func TestNothingIsLost(t *testing.T) {
	for name, test := range map[string]struct {
		states []string
		aside  int
	}{
		"a.jsonl": {[]string{"head\none\ntwo\n", "head\ntwo\nthree\nfour, and longer\n"}, 1},
		"b.jsonl": {[]string{"head\none\ntwo\n", "head\none\n"}, 1},
		"c.jsonl": {[]string{"head\none\ntw", "another head\none\ntwo\nthree\n"}, 0},
		"d.jsonl": {[]string{"head\none\n", "head\ntwo\n", "head\none\n", "head\none\ntwo\n"}, 0},
		"h.jsonl": {[]string{"head\none\n", "head\ntwo\n", "head\none\n"}, 1},
		"e.jsonl": {[]string{"head\none\n", "head\ntwo\n", "head\nthree\n"}, 2},
		"k.jsonl": {[]string{"head\none\ntwo\n", "one\ntwo\n"}, 1}, // which lost its header alone
		"l.jsonl": {[]string{"head\none\ntwo\n", "one\ntwo\nthree\n"}, 1},
		"m.jsonl": {[]string{"head\none\n", "one\n", "head\none\ntwo\n"}, 0},
		"n.jsonl": {[]string{"head\n", ""}, 1},
		"o.jsonl": {[]string{`{"role":"user","content":"one"}` + "\ntwo\n", `{"role":"user","content":"another"}` + "\ntwo\n"}, 1},
		"p.jsonl": {[]string{`{"title":"one"}` + "\ntwo\n", `{"title":"another"}` + "\ntwo\n"}, 0},
		"f.json":  {[]string{`["a","b"]`, `["a"]`}, 1},
		"g.json":  {[]string{`["a","b"]`, `["a","b","c"]`}, 0},
		"i.json":  {[]string{`["a","b"]`, `["c"]`, `["c","d","e"]`}, 1},
		"j.json":  {[]string{`["a","b"]`, `["a"]`, `["a","b"]`}, 0},
		"q.json":  {[]string{`["a","b"]`, `["b","c, which is longer"]`}, 1},
		"r.json":  {[]string{`["a","b"]`, `["b","a and what was still missing"]`}, 0},
		"s.json":  {[]string{`["a","a"]`, `["a","b","c"]`}, 1},
		"w.json":  {[]string{`["a","a"]`, `["a and more"]`}, 1}, // which is more of one of them
		"x.json":  {[]string{`["a","ab"]`, `["a, too","abc"]`}, 0},
		"t.json":  {[]string{`["a","b"]`, `damaged, and longer than before`}, 1},
		"u.json":  {[]string{`damaged`, `["a","b"]`}, 1},
		"v.other": {[]string{"one", "one and two"}, 1}, // nobody can tell
	} {
		home, s := t.TempDir(), Open(t.TempDir())
		path := filepath.Join(home, name)
		for _, state := range test.states {
			write(t, path, state)
			_, err := s.Keep(t.Context(), New(&sources.Found{Agent: "pi", ID: "a", Title: "T"}, time.Now()), []Original{{Path: path, Below: name, Said: listed(t, name)}})
			must(t, err)
		}
		all, err := s.All("pi")
		must(t, err)
		if len(all) != 1+test.aside || len(objects(t, s)) != 1+test.aside {
			t.Errorf("%s: %d copies of %d objects", name, len(all), len(objects(t, s)))
		}
		held := map[string]bool{}
		for _, c := range all {
			out := t.TempDir()
			must(t, s.Unpack(t.Context(), "pi", c.ID, out))
			text, err := os.ReadFile(filepath.Join(out, name))
			must(t, err)
			held[string(text)] = true
			if (c.Of == "a") == (c.ID == "a") || c.Found(c.List).EarlierOf != c.Of {
				t.Errorf("%+v", c)
			}
		}
		if !held[test.states[len(test.states)-1]] || test.aside > 0 && !held[test.states[0]] {
			t.Errorf("%s: %v", name, held)
		}
	}
}

// TestOtherFilesOfASession: a file of lines beside the main one, as those of a thread's segments, may hold less just as that can.
func TestOtherFilesOfASession(t *testing.T) {
	for name, test := range map[string]struct {
		states []string
		aside  int
	}{
		"same": {[]string{"head\none\n", "head\none\n"}, 0}, "grown": {[]string{"head\none\n", "head\none\ntwo\n"}, 0},
		"less": {[]string{"head\none\ntwo\n", "head\none\n"}, 1}, "back": {[]string{"head\none\ntwo\n", "head\none\n", "head\none\ntwo\n"}, 0},
	} {
		home, s := t.TempDir(), Open(t.TempDir())
		write(t, filepath.Join(home, "a.jsonl"), "head\n")
		for _, state := range test.states {
			write(t, filepath.Join(home, "b.jsonl"), state)
			originals := []Original{{Path: filepath.Join(home, "a.jsonl"), Below: "a.jsonl"}, {Path: filepath.Join(home, "b.jsonl"), Below: "b.jsonl"}}
			_, err := s.Keep(t.Context(), New(&sources.Found{Agent: "codex", ID: "a"}, time.Now()), originals)
			must(t, err)
		}
		if all, err := s.All("codex"); err != nil || len(all) != 1+test.aside {
			t.Errorf("%s: %d copies, %v", name, len(all), err)
		}
	}
}

// TestWhatStoodBesideStays: where the output of tools goes before the session does, the copy that has it is set aside. What only moved is
// no loss, nor is what was damaged.
func TestWhatStoodBesideStays(t *testing.T) {
	home, s := t.TempDir(), Open(t.TempDir())
	keep := func(aside int, names ...string) {
		t.Helper()
		var originals []Original
		for _, name := range names {
			path := filepath.Join(home, name)
			write(t, path, filepath.Base(name)+" holds this\n")
			originals = append(originals, Original{Path: path, Below: name})
		}
		_, err := s.Keep(t.Context(), New(&sources.Found{Agent: "pi", ID: "a"}, time.Now()), originals)
		must(t, err)
		if all, err := s.All("pi"); err != nil || len(all) != 1+aside {
			t.Errorf("%q: %d copies, %v", names, len(all), err)
		}
	}
	keep(0, "x.jsonl", "out/a.txt", "out/b.txt")
	keep(0, "x.jsonl", "out/a.txt", "old/b.txt.gz")
	keep(1, "x.jsonl", "old/b.txt.gz")
	keep(2, "x.jsonl")
	keep(0, "x.jsonl", "out/a.txt", "old/b.txt.gz", "out/c.txt")
	c, err := s.Copy("pi", "a")
	must(t, err)
	write(t, s.object(c.Files[3].SHA256), "damaged")
	keep(0, "x.jsonl", "out/a.txt", "old/b.txt.gz")
	keep(1, "x.jsonl")
	keep(1, "x.jsonl", "out/a.txt", "out/c.1.txt", "out/c.2.txt") // whose names up to the first dot are one
	keep(2, "x.jsonl", "out/a.txt", "out/c.1.txt")
	keep(1, "x.jsonl", "out/a.txt", "out/c.1.txt", "out/c.2.txt.gz")
	all, err := s.All("pi")
	must(t, err)
	for _, c := range all {
		if c.Of == "a" {
			out := t.TempDir()
			must(t, s.Unpack(t.Context(), "pi", c.ID, out))
			if text, err := os.ReadFile(filepath.Join(out, "out", "a.txt")); string(text) != "a.txt holds this\n" {
				t.Errorf("%q, %v", text, err)
			}
		}
	}
}
