package literal

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestShown(t *testing.T) {
	for written, shown := range map[string]string{
		"A __bold__ word, _another_.":                    "A bold word, another.",
		"_a __b__ c_, ___d___ and __of two__.":           "a b c, d and of two.",
		"(_in_) \"__quotes__\" _e_ _f_":                  "(in) \"quotes\" e f",
		"a_b_c _private of_ snake_case_":                 "a_b_c private of snake_case_",
		"call `__init__` and _x":                         "call __init__ and _x",
		"____four____ _ alone _":                         "____four____ _ alone _",
		"**A** _lamp_s \\_kept\\_":                       "A _lamp_s _kept_",
		"use `**kwargs` and ``a`b`` here":                "use **kwargs and a`b here",
		"`a\\` \\`b\\` ``c` d":                           "a\\ `b` ``c` d",
		"`- a` &amp; `&amp;`, *b* 2*3":                   "- a & &amp;, b 2*3",
		"_":                                              "_",
		"__":                                             "__",
		"| a | *b* |\n|---|:-:|\n| c |\n d | e\n\nf | g": "a b c d e f | g",
		"a | b\n- | -\nc\n|":                             "a b c |",
		"a | b\nc | d\n---\n| -":                         "a | b c | d --- | -",
		"a \\| `|` | b\n-|-":                             "a | | b",
	} {
		if got := Shown(written); got != shown {
			t.Errorf("%q is shown as %q, not as %q", written, got, shown)
		}
	}
}

// TestRenderedKeepsLines, whatever ends them, and has one for each cell.
func TestRenderedKeepsLines(t *testing.T) {
	for written, shown := range map[string]string{
		"one\r\n**two**\n":                       "one\ntwo\n",
		"# t\r\n| a | b |\r\n|-|-|\r\n| c | d |": "t\na\nb\nc\nd",
		"| a \\| b | c |\n|-|-|\n":               "a | b\nc\n",
	} {
		if got := Rendered(written); got != shown {
			t.Errorf("%q is shown as %q, not as %q", written, got, shown)
		}
	}
}

// TestFencesAreTakenAsTheyAre, of either sign, set in or without an end: what would be a table, a list or emphasis elsewhere is code.
func TestFencesAreTakenAsTheyAre(t *testing.T) {
	const code = "| *a* | b |\n|---|---|\n- [x](y)\n"
	for written, shown := range map[string]string{
		"~~~\n" + code + "~~~\n*c*":                     "\n" + code + "\nc",
		"  ~~~~ md\n" + code + "~~~\n" + code + "~~~~~": " md\n" + code + "~~~\n" + code,
		"so:\n```\n" + code:                             "so:\n\n" + code,
		"```\n" + code + "````\n~~~":                    "\n" + code + "\n",
		"``` *a* ``` b\n*c*":                            " *a*  b\nc",
		"~~~":                                           "",
		"a ~~~ *b*":                                     "a ~~~ b",
	} {
		if got := Rendered(written); strings.TrimLeft(got, " ") != strings.TrimLeft(shown, " ") {
			t.Errorf("%q is shown as %q, not as %q", written, got, shown)
		}
	}
}

// FuzzShown: no text breaks it, and one without signs is shown as it is.
func FuzzShown(f *testing.F) {
	for _, seed := range []string{"`a` __b__ \\` ``c", "[a](b) ~~c~~ &lt; _d `e_ f`", "``` `` ` _ __ ___", "no  signs", "~~~\n|a|\n|-|\n~~~\n```\n*"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, written string) {
		written = strings.ToValidUTF8(written, "")
		shown := Shown(written)
		if !utf8.ValidString(shown) {
			t.Errorf("%q is shown as %q", written, shown)
		}
		plain := norm.NFC.String(strings.Join(strings.Fields(written), " "))
		if !strings.ContainsAny(written, "_*`~\\[<&|\x1b\u009b") && !marker.MatchString(written) && shown != takenBack(plain) {
			t.Errorf("%q is shown as %q", written, shown)
		}
	})
}
