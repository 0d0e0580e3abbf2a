package tools

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func replacing(oldText, newText string) replacement {
	return replacement{OldText: oldText, NewText: &newText}
}

func TestReplaceIn(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		edits []replacement
		want  string
	}{
		"one":                       {"a b c", []replacement{replacing("b", "x")}, "a x c"},
		"several, in any order":     {"a b c", []replacement{replacing("c", "z"), replacing("a", "x")}, "x b z"},
		"of the text as it was":     {"a b", []replacement{replacing("a", "b"), replacing("b", "a")}, "b a"},
		"beside each other":         {"abc", []replacement{replacing("b", "x"), replacing("a", "y"), replacing("c", "")}, "yx"},
		"all":                       {"aaa", []replacement{{OldText: "a", NewText: new(string), ReplaceAll: true}}, ""},
		"a byte order mark":         {"\uFEFFa\n", []replacement{replacing("a\n", "b\n")}, "\uFEFFb\n"},
		"CRLF":                      {"a\r\nb\r\nc\r\n", []replacement{replacing("a\nb\n", "x\ny\nz\n")}, "x\r\ny\r\nz\r\nc\r\n"},
		"CRLF, given so":            {"a\r\nb\r\n", []replacement{replacing("a\r\nb", "x\r\ny")}, "x\r\ny\r\n"},
		"CRLF, of one line":         {"a\r\nb\r\n", []replacement{replacing("a", "x\ny")}, "x\r\ny\r\nb\r\n"},
		"CRLF, from a line end on":  {"a\r\nb\r\n", []replacement{replacing("\nb", "\nc")}, "a\r\nc\r\n"},
		"of both kinds, mostly LF":  {"a\nb\nc\r\n", []replacement{replacing("c\n", "x\n")}, "a\nb\nx\n"},
		"of both kinds, lines stay": {"a\nb\r\nc\r\n", []replacement{replacing("b\nc", "x\ny")}, "a\nx\r\ny\r\n"},
	} {
		if got, err := replaceIn(c.text, c.edits); err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
	const text = "one\ntwo\nif x {\n\ty\n}\ntwo\n"
	for name, c := range map[string]struct {
		edits []replacement
		want  string
	}{
		"empty":            {[]replacement{replacing("", "x")}, "edit 1: oldText is empty"},
		"no new text":      {[]replacement{{OldText: "one"}}, "newText is missing"},
		"twice":            {[]replacement{replacing("one", "x"), replacing("two", "x")}, "edit 2: oldText is there 2 times, at lines 2, 6"},
		"absent":           {[]replacement{replacing("nowhere", "x")}, "oldText is not there, nor is its first line"},
		"white space":      {[]replacement{replacing("if x {\n    y\n}", "x")}, "what is at line 3 differs from it in white space only"},
		"only first line":  {[]replacement{replacing("two\nother", "x")}, "its first line is, at line 2, 6"},
		"only white space": {[]replacement{replacing("\t\t\t\n", "x")}, "oldText is not there"},
		"overlapping":      {[]replacement{replacing("one\ntwo", "x"), replacing("two\nif", "y")}, "edits 1 and 2 overlap at line 2"},
		"the same":         {[]replacement{replacing("one", "x"), replacing("one", "y")}, "overlap at line 1"},
	} {
		if got, err := replaceIn(text, c.edits); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %q, %v; want %q", name, got, err, c.want)
		}
	}
}

func TestReplaceIsBounded(t *testing.T) {
	large := strings.Repeat("x", 1<<20)
	for want, e := range map[string]replacement{
		"more than 100000 times":  {OldText: "x", NewText: new(string), ReplaceAll: true},
		"would become larger":     {OldText: strings.Repeat("x", 1000), NewText: &large, ReplaceAll: true},
		"oldText is not there":    {OldText: strings.Repeat("y", 5<<20), NewText: &large},
		"oldText is there 1048 t": {OldText: strings.Repeat("x", 1000), NewText: &large},
	} {
		if got, err := replaceIn(large, []replacement{e}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d bytes, %v; want %q", len(got), err, want)
		}
	}
}

// What is replaced by something unique can be replaced back.
func TestReplaceAndBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`(\x{FEFF})?([ab]{0,3}\r?\n){0,6}`).Draw(t, "text")
		oldText := rapid.StringMatching(`[ab\n]{1,4}`).Draw(t, "old")
		const unique = "<unique>"
		once, err := replaceIn(text, []replacement{replacing(oldText, unique)})
		if err != nil {
			return
		}
		back, err := replaceIn(once, []replacement{replacing(unique, oldText)})
		if err != nil {
			t.Fatal(err)
		}
		if plain := func(s string) string { return strings.ReplaceAll(s, "\r\n", "\n") }; plain(back) != plain(text) {
			t.Fatalf("%q, %q, %q", text, once, back)
		}
	})
}

func FuzzReplaceIn(f *testing.F) {
	f.Add("a\r\nb", "a\nb", "x", "b", "y")
	f.Add("\uFEFFaa", "a", "", "aa", "b")
	f.Fuzz(func(t *testing.T, text, old1, new1, old2, new2 string) {
		got, err := replaceIn(text, []replacement{replacing(old1, new1), replacing(old2, new2)})
		if err == nil && strings.HasPrefix(text, "\uFEFF") && !strings.HasPrefix(got, "\uFEFF") {
			t.Errorf("%q has lost its mark: %q", text, got)
		}
	})
}
