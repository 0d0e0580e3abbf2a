package export

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"":                         "",
		" a \t b\r\nc ":            "a b c",
		"\x1b[2J\a":                `\x1b[2J\x07`,
		"a\u202eb\u2066":           `a\u202eb\u2066`,
		"a\u2028b\ufeff":           `a\u2028b\ufeff`,
		"\x9b1m \xff":              `\x9b1m \xff`,
		"\u009b1m":                 `\x9b1m`,
		"\ufffd":                   "\ufffd",
		"👩\u200d🔧 e\u0301 漢字 שלום": "👩\u200d🔧 e\u0301 漢字 שלום",
	} {
		if got := OneLine(in); got != want {
			t.Errorf("%q is %q, not %q", in, got, want)
		}
	}
	if got := ManyLines("a\r\n\tb\rc\n"); got != "a\n\tb\\x0dc\n" {
		t.Errorf("%q", got)
	}
}

func TestNothingDangerousIsLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) })).Draw(t, "text")
		for _, r := range OneLine(text) {
			if dangerous(r) {
				t.Fatalf("%q", r)
			}
		}
		for _, r := range ManyLines(text) {
			if dangerous(r) && r != '\n' && r != '\t' {
				t.Fatalf("%q", r)
			}
		}
	})
}

// TestFences: nothing within a fence ends it, and what a message leaves open is closed.
func TestFences(t *testing.T) {
	text := rapid.StringOf(rapid.SampledFrom([]rune("`~ a\n<!-")))
	rapid.Check(t, func(t *rapid.T) {
		s := text.Draw(t, "text")
		lines := strings.Split(fenced(s, ""), "\n")
		for _, line := range lines[1 : len(lines)-1] {
			if strings.HasPrefix(strings.TrimSpace(line), lines[0]) {
				t.Fatalf("%q ends the fence %q", line, lines[0])
			}
		}
		// What is closed stays as it is.
		closed := contained(s)
		if again := contained(closed); again != closed {
			t.Fatalf("%q becomes %q", closed, again)
		}
	})
	if got := contained("~~~~\n```\n~~~"); got != "~~~~\n```\n~~~\n~~~~" {
		t.Errorf("%q", got)
	}
	if got := contained("<pre>\n  <?x"); got != "&lt;pre>\n  &lt;?x" {
		t.Errorf("%q", got)
	}
	if strings.ContainsFunc(codeSpan("``"), unicode.IsControl) || codeSpan("`a") != "`` `a ``" {
		t.Error(codeSpan("`a"))
	}
}
