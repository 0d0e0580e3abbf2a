package jsonl

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/sources"
)

// counted counts lines; one that says so needs all before it.
type counted struct {
	lines int
	part  bool
}

func (c *counted) Line(line sources.Line) bool {
	c.lines++
	return !c.part || !strings.Contains(string(line.Text), "all")
}

func (c *counted) Notes() []string { return []string{fmt.Sprint(c.lines)} }

// TestAlong: what goes along with a look for names goes on from what it noted, or begins anew, and has each line once.
func TestAlong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	env := sources.Env{Memory: sources.OpenMemory(filepath.Join(t.TempDir(), "told"), "")}
	began := 0
	names := Names{Agent: "x", Kinds: 1, Words: []string{"name"}, Of: func([]byte) (int, string, bool) { return 0, "called", true }, Along: func(name string, notes []string) Along {
		c := &counted{}
		if name != "s" {
			t.Errorf("of %s", name)
		}
		if c.part = len(notes) > 0; c.part {
			_, _ = fmt.Sscan(notes[0], &c.lines)
		} else {
			began++
		}
		return c
	}}
	text := strings.Repeat(`{"x":"`+strings.Repeat("x", 1000)+`"}`+"\n", 200) + `{"name":1}` + "\n"
	for _, c := range []struct {
		more         string
		lines, began int
	}{{"", 201, 1}, {"{}\n{}\n", 203, 1}, {`{"not":"ended"}`, 204, 1}, {"\n{}\n{\"half", 206, 1}, {":1}\n", 207, 1}, {`{"all":1}` + "\n", 207, 2}} {
		text += c.more
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		told := sources.Told{Found: sources.Found{ID: "s", Files: []string{path}, Bytes: int64(len(text))}}
		names.With(t.Context(), env, &told)
		if _, err := env.Memory.CatchUp(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		given, notes, known := names.With(t.Context(), env, &told)
		if !known || *given[0] != "called" || !slices.Equal(notes, []string{fmt.Sprint(c.lines)}) || began != c.began {
			t.Errorf("behind %q: %v, %q, begun %d times", c.more, known, notes, began)
		}
	}
}

// TestHolds: what stands anywhere in a file of which both ends are all is found, also where they meet.
func TestHolds(t *testing.T) {
	const word = `"here"`
	path := filepath.Join(t.TempDir(), "s.jsonl")
	for _, size := range []int{len(word), 100, Edge - 1, Edge, Edge + 1, 2*Edge - 65, 2*Edge - 1, 2 * Edge} {
		for _, at := range []int{-1, 0, size / 2, Edge - 3, Edge, size - len(word)} {
			text := []byte(strings.Repeat("x", size))
			if at >= 0 && at+len(word) <= size {
				copy(text[at:], word)
			} else if at >= 0 {
				continue
			}
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			file, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			for range file.Backward() { // which others have read by then
				break
			}
			if got := file.Holds(func(text []byte) bool { return strings.Contains(string(text), word) }); got != (at >= 0) {
				t.Errorf("%d of %d: %t", at, size, got)
			}
			if err := file.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}
