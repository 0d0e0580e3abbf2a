package jsonl

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
)

// TestEndsAreOfTheirFile: room that one file left is used for the next, and what was kept of lines is what stood in them.
func TestEndsAreOfTheirFile(t *testing.T) {
	dir := t.TempDir()
	names := []int{0, 1, 100, chunk, Edge - 1, Edge, Edge + 1, 2 * Edge, 3 * Edge}
	text := func(i, size int) string {
		var out strings.Builder
		for n := 0; out.Len() < size; n++ {
			fmt.Fprintf(&out, `{"file":"f%d","n":"%d"}`+"\n", i, n)
		}
		return out.String()
	}
	for i, size := range names {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), []byte(text(i, size)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	look := func(i int) {
		f, err := Open(filepath.Join(dir, fmt.Sprint(i)))
		if err != nil {
			t.Error(err)
			return
		}
		var kept []string
		row := f.Fields()
		count := 0
		for line := range f.Forward() {
			kept = append(kept, Text(row.Read(View(line)).Get("file")))
			count++
		}
		for line := range f.Backward() {
			kept = append(kept, OneLine(row.Read(View(line)).Get("file").Str))
			count++
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		for _, name := range kept {
			if name != fmt.Sprintf("f%d", i) {
				t.Errorf("a line of %d is of %q", i, name)
			}
		}
		if lines := strings.Count(text(i, names[i]), "\n"); f.Size <= Edge && count != 2*lines {
			t.Errorf("%d: %d lines, not %d twice", i, count, lines)
		}
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for n := range 5 * len(names) {
				look(n % len(names))
			}
		})
	}
	wg.Wait()
}

// TestEndsOfAFileThatChanges: what was appended since it was opened is in the one part, and not in the other.
func TestEndsOfAFileThatChanges(t *testing.T) {
	f := file(t, "a\nb\n")
	if err := os.WriteFile(f.Path, []byte("a\nb\nc\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var forward, backward []string
	for line := range f.Forward() {
		forward = append(forward, string(line))
	}
	for line := range f.Backward() {
		backward = append(backward, string(line))
	}
	if got := fmt.Sprint(forward, backward); got != "[a b c] [b a]" {
		t.Error(got)
	}
}

// TestFirst: the first member of a name, whatever stands behind it.
func TestFirst(t *testing.T) {
	for line, want := range map[string]string{
		`{"a":"x","type":"t","b":`: "t", ` { "type" : "t" } `: "t", `{"ty\u0070e":"t","type":"u"}`: "t", `{"a":{"type":"t"}}`: "", `["type"]`: "",
		`{"a":"\"type\":\"t\""}`: "", `{"type":"t`: "", ``: "", `{}`: "", `{"type":3}`: "",
	} {
		if got := First([]byte(line), "type").Str; got != want {
			t.Errorf("%s: %q", line, got)
		}
	}
	line := []byte(`{"type":"` + strings.Repeat("x", 10) + `"}`)
	first := First(line, "type")
	copy(line, bytes.Repeat([]byte("y"), len(line)))
	if first.Str != strings.Repeat("y", 10) {
		t.Error("it is said to be a view, and is none")
	}
}

func TestOneLine(t *testing.T) {
	long := strings.Repeat("字 ", 300)
	for text, want := range map[string]string{
		" a\n\tb  c ": "a b c", "": "", "\n": "", "one": "one", long: strings.TrimSpace(long[:4*100]) + " …", strings.Repeat("x", 200): strings.Repeat("x", 200),
		strings.Repeat("x", 201): strings.Repeat("x", 200) + "…", strings.Repeat("x", 199) + " y z": strings.Repeat("x", 199) + " …",
		"\xff" + strings.Repeat("x", 200): "\uFFFD" + strings.Repeat("x", 199) + "…", strings.Repeat("x", 2000): strings.Repeat("x", 200) + "…",
	} {
		if got := OneLine(text); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

// TestEnding: what can only be read from its start ends as the same in a file.
func TestEnding(t *testing.T) {
	long := strings.Repeat("long\n", Edge)
	for name, text := range map[string]string{
		"empty": "", "short": "\xEF\xBB\xBFa\r\n\r\nb\n", "no line end": "a\nb", "as much as is read": long[:Edge], "one more": long[:Edge+1], "long": long,
		"one long line": strings.Repeat("a", 2*Edge),
	} {
		path := filepath.Join(t.TempDir(), "text")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Builder{}
		for line := range f.Backward() {
			fmt.Fprintf(&want, "%q\n", line)
		}
		got := strings.Builder{}
		for line := range Ending(t.Context(), iotest.HalfReader(strings.NewReader(text))) {
			fmt.Fprintf(&got, "%q\n", line)
		}
		if got.String() != want.String() {
			t.Errorf("%s: %d bytes, not %d", name, got.Len(), want.Len())
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}
