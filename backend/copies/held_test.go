package copies

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/sources"
)

// held is what files say whose lines are ours behind a number, or damaged: in whichever of them it stands, but for the output of tools.
func held(t *testing.T) Saying {
	return func(_ context.Context, lay func(string) error) (held []string, ok bool, err error) {
		home := t.TempDir()
		must(t, lay(home))
		ok = true
		err = filepath.WalkDir(home, func(path string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) == ".out" {
				return err
			}
			text, err := os.ReadFile(path)
			for line := range strings.Lines(string(text)) {
				_, says, is := strings.Cut(line, " ")
				if ok = ok && is; is {
					held = append(held, says)
				}
			}
			return err
		})
		return held, ok, err
	}
}

// TestWrittenAnew: a session whose files its agent wrote anew, in another form, is no other state of it as long as all is said that was; what can't be
// read is taken to be lost, and so is the output of tools.
func TestWrittenAnew(t *testing.T) {
	type files map[string]string
	for name, c := range map[string]struct {
		states []files
		aside  int
	}{
		"lines":                    {[]files{{"a.jsonl": "1 one\n1 two\n"}, {"a.jsonl": "2 one\n2 two\n2 three\n"}}, 0},
		"lines, of which one went": {[]files{{"a.jsonl": "1 one\n1 two\n"}, {"a.jsonl": "2 one\n2 three\n"}}, 1},
		"said once less":           {[]files{{"a.jsonl": "1 one\n1 one\n"}, {"a.jsonl": "2 one\n"}}, 1},
		"damaged before":           {[]files{{"a.jsonl": "1 one\ndamaged\n"}, {"a.jsonl": "2 one\n"}}, 1},
		"damaged now":              {[]files{{"a.jsonl": "1 one\n1 two\n"}, {"a.jsonl": "2 one\n2 two\ndamaged\n"}}, 1},
		"nothing is known":         {[]files{{"a.jsonl": ""}, {"a.jsonl": "2 one\n"}}, 0},
		"and back":                 {[]files{{"a.jsonl": "1 one\n1 two\n"}, {"a.jsonl": "2 one\n"}, {"a.jsonl": "3 one\n3 two\n"}}, 0},
		"into a database":          {[]files{{"a.json": "1 one\n", "m/b.json": "1 two\n"}, {"a.db": "2 one\n2 two\n"}}, 0},
		"a part of it":             {[]files{{"a.json": "1 one\n", "m/b.json": "1 two\n"}, {"a.db": "2 one\n"}}, 1},
		"without the output":       {[]files{{"a.json": "1 one\n", "m/b.json": "1 two\n", "x.out": "output"}, {"a.db": "2 one\n2 two\n"}}, 1},
		"a file that went":         {[]files{{"a.json": "1 one\n", "m/b.json": "1 one\n"}, {"a.json": "1 one\n"}}, 1},
	} {
		s := Open(t.TempDir())
		for _, state := range c.states {
			home, originals := t.TempDir(), []Original{}
			for _, file := range []string{"a.jsonl", "a.json", "a.db", "m/b.json", "x.out"} {
				if text, is := state[file]; is {
					path := filepath.Join(home, filepath.FromSlash(file))
					write(t, path, text)
					originals = append(originals, Original{Path: path, Below: file, Held: held(t), Said: held(t)})
				}
			}
			_, err := s.Keep(t.Context(), New(&sources.Found{Agent: "pi", ID: "a"}, time.Now()), originals)
			must(t, err)
		}
		if all, err := s.All("pi"); err != nil || len(all) != 1+c.aside {
			t.Errorf("%s: %d copies, %v", name, len(all), err)
		}
	}
}
