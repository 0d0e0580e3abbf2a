package jsonl

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/sources"
)

// TestIDsStay: of the files in which one session went on apart each keeps its id, whichever is written to next, and the one that has it
// for a name has it plainly.
func TestIDsStay(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"here/1_s copy.jsonl": "one\ntwo\n", "here/1_s.jsonl": "one\n", "there/1_s.jsonl": "one\nthree\n", "there/2_s.jsonl": "four\n"}
	want := map[string]string{"s": "here/1_s.jsonl", "s@1_s copy": "here/1_s copy.jsonl", "s@there": "there/1_s.jsonl", "s@there~": "there/2_s.jsonl"}
	for i, name := range slices.Sorted(maps.Keys(files)) {
		files["here/1_s.jsonl"] += "five\n"
		files[name] += "six\n"
		var all []sources.Found
		for _, path := range slices.Sorted(maps.Keys(files)) {
			f := sources.Found{ID: "s", Files: []string{filepath.Join(dir, filepath.FromSlash(path))}, Bytes: int64(len(files[path]))}
			if path == name {
				f.UpdatedAt = time.Unix(1, 0)
			}
			if err := os.MkdirAll(filepath.Dir(f.Files[0]), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(f.Files[0], []byte(files[path]), 0o600); err != nil {
				t.Fatal(err)
			}
			all = append(all, f)
		}
		got := map[string]string{}
		for _, f := range Apart(all) {
			id := f.ID
			if sum := "~" + Sum(f.Files[0]); len(id) > len(sum) && id[len(id)-len(sum):] == sum {
				id = id[:len(id)-len(sum)+1]
			}
			path, err := filepath.Rel(dir, f.Files[0])
			if err != nil {
				t.Fatal(err)
			}
			got[id] = filepath.ToSlash(path)
			if (id == "s") != (f.Row == "") || id != "s" && f.Row != "s" {
				t.Errorf("%s has the row %q", f.ID, f.Row)
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("%d: %v", i, got)
		}
	}
}

// TestBegins: a file is an earlier state of another one where all of its end stands there, not only the last words of it.
func TestBegins(t *testing.T) {
	dir := t.TempDir()
	end := strings.Repeat("the same\n", 1000)
	file := func(name, text string) *sources.Found {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return &sources.Found{Files: []string{path}, Bytes: int64(len(text))}
	}
	first, longer, other, none := file("first", "one\n"+end), file("longer", "one\n"+end+"more\n"), file("other", "two\n"+end), file("none", "")
	shrunk := file("shrunk", "one\n"+end)
	shrunk.Bytes += 10
	for name, c := range map[string]struct {
		longer, shorter *sources.Found
		want            bool
	}{
		"goes on": {longer, first, true}, "the same": {first, first, true}, "shorter": {first, longer, false}, "alike at its end": {other, first, false},
		"empty": {first, none, true}, "shrunk": {longer, shrunk, false},
	} {
		if got := Begins(c.longer, c.shorter); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
