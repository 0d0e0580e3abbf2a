package naming

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func wantNames(t *testing.T, name func(string) string, wanted map[string]string) {
	t.Helper()
	for text, want := range wanted {
		if got := name(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestFromAnswer(t *testing.T) {
	wantNames(t, FromAnswer, map[string]string{
		"Flaky canary deploy":                         "Flaky canary deploy",
		"\"Flaky canary deploy.\"\n":                  "Flaky canary deploy",
		"**Flaky** canary":                            "Flaky canary",
		"# Title: Flaky canary":                       "Flaky canary",
		"Name: “Flaky canary”":                        "Flaky canary",
		"<think>\nIt is about\ndeploys.</think>\nTea": "Tea",
		"<think>\nIt never ends":                      "",
		"\n\n  two   words \nand more":                "two words",
		"```\nCode\n```":                              "Code",
		"'Don't panic'":                               "Don't panic",
		"a\u202eb\u200b\x1b[31m\x00c":                 "abc",
		"":                                            "",
		"***\n---":                                    "",
		"カナリアのデプロイ。":                                  "カナリアのデプロイ",
		strings.Repeat("word ", 40):                   strings.TrimSpace(strings.Repeat("word ", 15)) + "…",
		strings.Repeat("漢", 100):                      strings.Repeat("漢", 79) + "…",
	})
}

func TestFromWords(t *testing.T) {
	wantNames(t, FromWords, map[string]string{
		"Hello":                              "Hello",
		"\n\n## Why is *this* so?\nBecause.": "Why is *this* so?",
		"one two three four five six seven eight":      "one two three four five six seven eight",
		"one two three four five six seven eight nine": "one two three four five six seven eight …",
		"- \n- first":                        "first",
		"   ":                                "",
		"!?":                                 "",
		"https://" + strings.Repeat("x", 99): "https://" + strings.Repeat("x", 51) + "…",
	})
}

func TestQuestionIsBounded(t *testing.T) {
	if q := Question(strings.Repeat("a", 1<<20), strings.Repeat("é", 1<<20)); utf8.RuneCountInString(q) > 4200 || !strings.HasSuffix(q, "Its name:") {
		t.Errorf("%d characters", utf8.RuneCountInString(q))
	}
}

// FuzzNames: whatever a model or a user writes, a name is one short line that shows what it is.
func FuzzNames(f *testing.F) {
	for _, text := range []string{"a", "\"a\"", "<think>a", "\xff\xfe", "a\nb", "\u2028a\u0085b"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, name := range []string{FromAnswer(text), FromWords(text)} {
			if utf8.RuneCountInString(name) > nameMost || !utf8.ValidString(name) || strings.TrimSpace(name) != name ||
				strings.ContainsFunc(name, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' }) {
				t.Errorf("%q: %q", text, name)
			}
		}
	})
}

// TestWhatIsNotTheName: words before it, and colours.
func TestWhatIsNotTheName(t *testing.T) {
	wantNames(t, FromAnswer, map[string]string{
		"Here is a name for it:\n\n\"Flaky deploys\"":    "Flaky deploys",
		"\n\nSure! A short one:\n**Flaky deploys**.":     "Flaky deploys",
		"\x1b[1;31mFlaky\x1b[0m deploys\x1b]0;title\x07": "Flaky deploys",
		"Flaky deploys:": "Flaky deploys:",
	})
	if got := FromWords("\x1b[32mgreen\x1b[0m tests"); got != "green tests" {
		t.Error(got)
	}
}

// TestMarksWithinAName: quotes and markup that a model leaves go, and what belongs to a word stays.
func TestMarksWithinAName(t *testing.T) {
	wantNames(t, FromAnswer, map[string]string{
		"Fix for \"foo\"":                  "Fix for foo",
		"\"Fix\" for \"foo\"":              "Fix for foo",
		"The \"quoted word":                "The quoted word",
		"Über „Häfen“ und «Schiffe»":       "Über Häfen und Schiffe",
		"Why 'foo' isn't the users' bar":   "Why foo isn't the users' bar",
		"A *very* flaky _canary_ deploy":   "A very flaky canary deploy",
		"snake_case and 2 * 3":             "snake_case and 2 * 3",
		"A ~~bad~~ `good` __name__":        "A bad good name",
		"[Flaky canary](https://x.y/z) ok": "Flaky canary ok",
		"{\"title\": \"Flaky canary\"}":    "Flaky canary",
		"\\\"Flaky canary\\\"\\n":          "Flaky canary",
		"Flaky\r\ncanary":                  "Flaky",
		"\"\"\"":                           "",
		"*\n_\nTea":                        "Tea",
	})
}
