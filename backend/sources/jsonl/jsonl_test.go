package jsonl

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"palimpsest/backend/sources"
)

func file(t testing.TB, text string) *File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// TestEnds: from both ends come the lines of the file, whatever their lengths.
func TestEnds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lengths := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(1, 50), rapid.IntRange(chunk-3, chunk+3)), 1, 6).Draw(rt, "lengths")
		var lines []string
		for i, n := range lengths {
			lines = append(lines, strings.Repeat(string(rune('a'+i)), n))
		}
		text := strings.Join(lines, "\n")
		if rapid.Bool().Draw(rt, "ended") {
			text += "\n"
		}
		f := file(t, text)
		if int64(len(text)) > Edge {
			return
		}
		var forward, backward []string
		for line := range f.Forward() {
			forward = append(forward, string(line))
		}
		for line := range f.Backward() {
			backward = append(backward, string(line))
		}
		slices.Reverse(backward)
		if !slices.Equal(forward, lines) || !slices.Equal(backward, lines) {
			rt.Fatalf("%d lines, forward %d, backward %d", len(lines), len(forward), len(backward))
		}
	})
}

// TestEndsOfLongFiles: no more than the edges is read, but the first line is whole.
func TestEndsOfLongFiles(t *testing.T) {
	first := strings.Repeat("x", 2*Edge)
	f := file(t, "\xEF\xBB\xBF"+first+"\r\n"+strings.Repeat("y\n", Edge))
	var got [][]byte
	for line := range f.Forward() {
		got = append(got, bytes.Clone(line))
	}
	if string(got[0]) != first || len(got) > chunk {
		t.Errorf("%d lines, the first of %d bytes", len(got), len(got[0]))
	}
	count := 0
	for range f.Backward() {
		count++
	}
	if count < Edge/2-chunk || count > Edge/2+chunk {
		t.Errorf("%d lines from the end", count)
	}
}

func TestOpenOnlyRegularFiles(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir); err == nil {
		t.Error("a directory was opened")
	}
	if err := os.Symlink(filepath.Join(dir, "x"), filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(filepath.Join(dir, "link")); err == nil {
		t.Error("a link was followed")
	}
}

func TestEach(t *testing.T) {
	text := "{\"a\":1}\n\n\x00\x00\nno\n[1]\n{\"a\":2}\n{\"a\":"
	var visited, broken []string
	err := Each(context.Background(), strings.NewReader(text), func(l sources.Line) { broken = append(broken, string(l.Text)) },
		func(_ sources.Line, rec gjson.Result) error { visited = append(visited, rec.Raw); return nil })
	if got := fmt.Sprint(visited, broken); err != nil || got != `[{"a":1} {"a":2}] [no [1]]` {
		t.Error(got, err)
	}
}

// TestDeepNesting: what is nested without end is a bad line, and no end of the program.
func TestDeepNesting(t *testing.T) {
	const deep = 2 << 20
	broken := 0
	line := `{"a":` + strings.Repeat("[", deep) + strings.Repeat("]", deep) + "}\n"
	err := Each(context.Background(), strings.NewReader(line), func(sources.Line) { broken++ }, func(sources.Line, gjson.Result) error {
		t.Error("it was taken for a record")
		return nil
	})
	if err != nil || broken != 1 {
		t.Error(broken, err)
	}
}

func TestTyped(t *testing.T) {
	for text, want := range map[string]bool{
		"list files": true, "a < b": true, "<3 this": true, "  ": false, "# AGENTS.md instructions for /w": false,
		"# Context from my IDE:\n\n## Open tabs:": false, "# Fix the build\nplease": true, "#123 is broken": true, "# AGENTS.md is wrong": true,
		"<environment_context>\n": false, "</image>": false, "<!-- x -->": false, "<x-y z>": false, "<script-output>": false, "<h1_b>": false, "<file path=\"a\">": false, "<EXTREMELY_IMPORTANT>": false, "<>": true, "</>": true,
		"<div class=\"a\">Why?</div>": true, "<DIV>": true, "<!DOCTYPE html><html>": true, "<!doctype>": false, "<section>x": true, "<h1>A</h1>": true, "<T> is what?": true, "<b>bold</b>": true, "<division>": false, "<tr": true, "Caveat: The messages below were": false,
		"[Request interrupted by user]": false, "This session is being continued from a previous conversation that": false,
	} {
		if Typed(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
}

func TestTime(t *testing.T) {
	for raw, want := range map[string]string{
		`"2026-01-02T10:00:00.5Z"`: "2026-01-02T10:00:00.5Z", `1795224727`: "2026-11-21T01:32:07Z",
		`1795224727657`: "2026-11-21T01:32:07.657Z", `"x"`: "", `1795224727657000`: "2026-11-21T01:32:07.657Z", `1795224727657000000`: "2026-11-21T01:32:07.657Z", `"1795224727657"`: "2026-11-21T01:32:07.657Z",
		`"2026-01-02T12:00:00+02:00"`: "2026-01-02T10:00:00Z", `"2026-01-02T12:00:00+0200"`: "2026-01-02T10:00:00Z", `"2026-01-02T10:00:00"`: "2026-01-02T10:00:00Z",
		`"2026-01-02 10:00:00.5"`: "2026-01-02T10:00:00.5Z", `"2026-01-02 10:00:00Z"`: "2026-01-02T10:00:00Z", `"2026"`: "", `"NaN"`: "", `"Inf"`: "", `1e19`: "", `0`: "", `-1`: "", `1e300`: "", `null`: "", `{}`: "",
	} {
		got := ""
		if at := Time(gjson.Parse(raw)); !at.IsZero() {
			got = at.UTC().Format("2006-01-02T15:04:05.999Z")
		}
		if got != want {
			t.Errorf("%s: %s, not %s", raw, got, want)
		}
	}
}

func TestRest(t *testing.T) {
	rest := Rest(gjson.Parse(`{"a":1,"b":[2],"c":null,"d":"`+strings.Repeat("x", restMost)+`"}`), "a")
	if len(rest) != 2 || string(rest["b"]) != "[2]" || string(rest[leftOut]) != `{"d":65538}` {
		t.Errorf("%s", rest)
	}
	rest = Rest(gjson.Parse(`{"leftOut":"mine","leftOut_":null,"d":"` + strings.Repeat("x", restMost) + `"}`))
	if len(rest) != 2 || string(rest[leftOut]) != `"mine"` || string(rest["leftOut__"]) != `{"d":65538}` {
		t.Errorf("what an agent calls so is its own: %s", rest)
	}
	if rest := Rest(gjson.Parse(`{"a":1,"c":null}`), "a"); rest != nil {
		t.Errorf("%s", rest)
	}
}

// TestAFileOfJustTheEdge has no newline at its end, and no byte behind what is read.
func TestAFileOfJustTheEdge(t *testing.T) {
	for size, want := range map[int]int{Edge - 1: 2, Edge: 2, Edge + 1: 1} {
		n := 0
		for range file(t, "a\n"+strings.Repeat("b", size-2)).Forward() {
			n++
		}
		if n != want {
			t.Errorf("%d bytes: %d lines, not %d", size, n, want)
		}
	}
}
