package jsonl

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// TestClosed: cut at any byte, a text is there as far as it goes, and so is all that is whole before it.
func TestClosed(t *testing.T) {
	const text, said = `{"a":[1,{"b":"x"}],"role":"user","content":[{"type":"text","text":"h\u00e9 \"l\\l\" ö { [ 😀 end"}],"c":true}`, `hé "l\l" ö { [ 😀 end`
	from := strings.Index(text, `"h\u`) + 1
	for end := range len(text) + 1 {
		before := strings.Clone(text[:end])
		closed := Closed([]byte(before))
		got := gjson.GetBytes(closed, "content.0.text").Str
		if !strings.HasPrefix(said, got) || !utf8.ValidString(got) || end >= from+len(text)-from && got != said || before != text[:end] {
			t.Errorf("%d: %q", end, got)
		}
		if end > from && (gjson.GetBytes(closed, "role").Str != "user" || gjson.GetBytes(closed, "a.1.b").Str != "x" || !json.Valid(closed) && end < strings.Index(text, `,"c"`)) {
			t.Errorf("%d: %s", end, closed)
		}
		if rest := len(said) - len(got); end > from+10 && end < strings.Index(text, `"}],"c"`) && rest > len(text)-end {
			t.Errorf("%d: %q lacks %d", end, got, rest)
		}
	}
	if got := Closed([]byte(`]}"a`)); string(got) != `]}"a"` {
		t.Errorf("%s", got)
	}
}

// TestCut: the line that the edge is in is there as far as it goes, however long the first is.
func TestCut(t *testing.T) {
	long := strings.Repeat("x", firstMost+1)
	for name, c := range map[string]struct{ text, cut string }{
		"none": {"{}\n{}\n", ""}, "empty": {"", ""}, "the second": {`{"a":1}` + "\n" + `{"b":"` + long[:2*Edge] + `"}` + "\n", "b"}, "the first": {"\xEF\xBB\xBF" + `{"b":"` + long + `"}` + "\n", "b"},
	} {
		path := filepath.Join(t.TempDir(), "a.jsonl")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := gjson.GetBytes(file.Cut(), "b").Str; (got != "") != (c.cut != "") || len(got) > Edge {
			t.Errorf("%s: %d bytes", name, len(got))
		}
		if strange := file.Strange(); strange != "" && name != "empty" {
			t.Errorf("%s: %s", name, strange)
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}
}

func FuzzClosed(f *testing.F) {
	f.Add([]byte(`{"a":["b\u0`))
	f.Fuzz(func(t *testing.T, text []byte) {
		closed := Closed(text)
		if json.Valid(text) && string(closed) != string(text) || len(closed) > 2*len(text) {
			t.Errorf("%q: %q", text, closed)
		}
	})
}
