package expression

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func made(t interface{ Fatal(...any) }, text string, matchCase bool) *Expression {
	e, err := New(text, matchCase)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// found are the texts of all places.
func found(t *testing.T, e *Expression, text string) []string {
	t.Helper()
	places, whole, err := e.Places(t.Context(), text, 1000)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, at := range places {
		out = append(out, whole[at.Start:at.End])
	}
	return out
}

func TestPlaces(t *testing.T) {
	for _, test := range []struct {
		expr, text string
		matchCase  bool
		want       []string
	}{
		{`a+b`, "aab ab b AB", false, []string{"aab", "ab", "AB"}},
		{`a+b`, "aab AB", true, []string{"aab"}},
		{`\bcat\b`, "cat concatenate cat-cat", false, []string{"cat", "cat", "cat"}},
		{`\Bcat`, "cat catcat", false, []string{"cat"}},
		{`^x`, "xx\nx", false, []string{"x"}},
		{`(?m)^x`, "xx\nx", false, []string{"x", "x"}},
		{`x$`, "x\nx", false, []string{"x"}},
		{`\Ax|y`, "xxyxy", false, []string{"x", "y", "y"}},
		{`x*`, "axxbx", false, []string{"xx", "x"}},
		{``, "abc", false, []string{}},
		{`\b|(?m:^)`, "a b\nc", false, []string{}},
		{`a.c`, "a\nc abc", false, []string{"abc"}},
		{`(?s)a.c`, "a\nc", false, []string{"a\nc"}},
		{`a|ab`, "ab", false, []string{"a"}},
		{`(?P<place>x)(y)`, "xy xy", false, []string{"xy", "xy"}},
		{`港.灯`, "港の灯台 港灯", false, []string{"港の灯"}},
		{`caf\x{e9}`, "cafe\u0301 Caf\u00e9", false, []string{"café", "Café"}},
		{"cafe\u0301?", "caf café", false, []string{"caf", "café"}},
		{`mask`, "ma\u017f\u212a", false, []string{"ma\u017fK"}},
		{`\Qf(x)`, "f(x) F(x", false, []string{"f(x)"}}, // what is quoted may go on to the end
		{`a|\Q.`, "b.a", true, []string{".", "a"}},
		{`x\Q`, "xx", false, []string{"x", "x"}},
		{`\`, "", false, nil},
	} {
		e, err := New(test.expr, test.matchCase)
		if test.want == nil {
			if !errors.Is(err, ErrSyntax) || strings.Contains(err.Error(), "(?i)") {
				t.Errorf("%q: %v", test.expr, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, found(t, e, test.text)); diff != "" {
			t.Errorf("%q in %q: %s", test.expr, test.text, diff)
		}
	}
}

func TestSyntaxIsToldInWhatWasWritten(t *testing.T) {
	_, err := New("f(x", false)
	if err == nil || err.Error() != "no regular expression: missing closing ): `f(x`" {
		t.Error(err)
	}
}

func TestMost(t *testing.T) {
	e := made(t, "x", false)
	if places, _, err := e.Places(t.Context(), strings.Repeat("x", 100), 7); err != nil || len(places) != 7 {
		t.Errorf("%d places, %v", len(places), err)
	}
}

// endsAfter is a context that has ended once it was asked so often.
type endsAfter struct {
	context.Context
	asked *int
}

func (e endsAfter) Err() error {
	if *e.asked--; *e.asked < 0 {
		return context.Canceled
	}
	return nil
}

// TestCalledOff: nobody waits for a long text to be looked through, or for one that takes its square.
func TestCalledOff(t *testing.T) {
	for _, expr := range []string{"nowhere", "(x+y)?", "x*y|x"} {
		asked := 10
		text := strings.Repeat("x", 1<<20)
		_, _, err := made(t, expr, true).Places(endsAfter{t.Context(), &asked}, text, 1000)
		if !errors.Is(err, context.Canceled) || asked < -3 {
			t.Errorf("%s: %v, asked %d times behind the end", expr, err, -asked)
		}
	}
}

var (
	letters = rapid.StringOf(rapid.SampledFrom([]rune("aAbBsSkK \n\t.*_`-ſ\u212aäÄ\u0301e\u0332漢🎉\"\\/<&")))
	pieces  = rapid.SampledFrom([]string{"a", "b+", "[ab]", "s?", "k", "ä", "é", "漢", "🎉", ".", `\b`, "^", "$", "(?m:^)", "x*", "|", "(a|b)", `\s`, `\.`, "_", "-", `"`})
)

// TestAgainstTheLibrary: places are those that Go's own expressions find, and a line of JSON that holds one may hold it.
// They are not found by it, since it can't be called off.
func TestAgainstTheLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		expr := strings.Join(rapid.SliceOfN(pieces, 1, 5).Draw(t, "pieces"), "")
		matchCase := rapid.Bool().Draw(t, "case")
		text := letters.Draw(t, "text")
		e := made(t, expr, matchCase)
		flags := "(?i)"
		if matchCase {
			flags = ""
		}
		var want []Place
		for _, at := range regexp.MustCompile(flags+composed(expr)).FindAllStringIndex(composed(text), -1) {
			if at[0] < at[1] {
				want = append(want, Place{at[0], at[1]})
			}
		}
		got, whole, err := e.Places(t.Context(), text, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if !cmp.Equal(got, want) {
			t.Fatalf("%q in %q: %v, not %v", expr, whole, got, want)
		}
		if len(want) == 0 {
			return
		}
		for _, written := range []string{text, whole} {
			line, err := json.Marshal(map[string]string{"text": written})
			if err != nil {
				t.Fatal(err)
			}
			if !e.MayBeIn(line) {
				t.Fatalf("%q is said not to be in %s", expr, line)
			}
		}
	})
}

func TestUnits(t *testing.T) {
	for text, want := range map[string][]int{
		"x":                     {0, 1},
		"🎉x漢x":                  {2, 3, 4, 5},
		"cafe\u0301 x":          {6, 7},
		"\u1112\u1161\u11ab x🎉": {4, 5},
		"a\u0323\u0307x":        {3, 4},
		"none":                  {},
	} {
		got, err := made(t, "x", false).Units(t.Context(), text, 9)
		if err != nil || !cmp.Equal(got, want) {
			t.Errorf("%q: %v, not %v, %v", text, got, want, err)
		}
	}
	if got, err := made(t, "é", false).Units(t.Context(), "e\u0332\u0301🎉é", 9); err != nil || !cmp.Equal(got, []int{0, 3, 5, 6}) {
		t.Errorf("%v, %v", got, err)
	}
}

// TestUnitsAreThose of what JavaScript would cut out: composed, it is what was found.
func TestUnitsAreOfTheGivenText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := letters.Draw(t, "text")
		e := made(t, rapid.SampledFrom([]string{"a+", "[^ ]+", `\S`, "漢|🎉", "é", "k"}).Draw(t, "expr"), false)
		places, whole, err := e.Places(t.Context(), text, 1000)
		if err != nil {
			t.Fatal(err)
		}
		units, err := e.Units(t.Context(), text, 1000)
		if err != nil || len(units) != 2*len(places) {
			t.Fatalf("%v for %v, %v", units, places, err)
		}
		given := utf16.Encode([]rune(text))
		for i, at := range places {
			cut := composed(string(utf16.Decode(given[units[2*i]:units[2*i+1]])))
			if match := whole[at.Start:at.End]; !strings.Contains(cut, match) || text == whole && cut != match {
				t.Fatalf("%q in %q is at %v: %q", match, text, units[2*i:2*i+2], cut)
			}
		}
	})
}

func TestMayBeIn(t *testing.T) {
	for _, test := range []struct {
		expr string
		line string
		want bool
	}{
		{`ERR_[a-z]+`, `{"text":"err_loud"}`, true},
		{`ERR_[a-z]+`, `{"text":"nothing"}`, false},
		{`needle|pin`, `{"text":"a pin"}`, true},
		{`needle|pin`, `{"text":"nothing"}`, false},
		{`mas.ed`, `{"text":"ma` + "\u017f" + `ked"}`, true}, // the long s is a case of the other
		{`mas.ed`, `{"text":"ma\u017fked"}`, true},
		{`mas.ed`, `{"text":"mabed"}`, false},
		{`notes`, `{"text":"**Note**s"}`, true}, // as it is shown
		{`\d+`, `{"text":"nothing"}`, true},
	} {
		if got := made(t, test.expr, false).MayBeIn([]byte(test.line)); got != test.want {
			t.Errorf("%s in %s: %v", test.expr, test.line, got)
		}
	}
	if made(t, "mas.ed", true).MayBeIn([]byte(`{"text":"ma` + "\u017f" + `ked"}`)) {
		t.Error("no case is another where case is minded")
	}
}
