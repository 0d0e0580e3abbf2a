package automaton

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func of(t interface{ Fatal(args ...any) }, text string) (*regexp.Regexp, *Automaton) {
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	a := New(parsed)
	if a == nil {
		t.Fatal("no automaton of", text)
	}
	return regexp.MustCompile(text), a
}

var drawnText = rapid.Custom(func(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
		"a", "b", "A", "B", "k", "\u212a", "0", "9", "_", " ", "\n", "\r", "-", "é", "É", "日", "本", "\xff", "\xe4\xb8", "\x00", "\ufffd", "\U0001f600", "ſ", "s",
	}), 0, 12).Draw(t, "pieces"), "")
})

// drawnExpression is one of every operator, in every order that depth allows.
func drawnExpression(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		below := func() string { return drawnExpression(depth-1).Draw(t, "part") }
		kind := rapid.IntRange(0, 8).Draw(t, "kind")
		if depth == 0 {
			kind = 0
		}
		switch kind {
		case 1, 2, 3:
			return below() + below()
		case 4:
			return "(?:" + below() + "|" + below() + ")"
		case 5, 6:
			return "(" + below() + ")" + rapid.SampledFrom([]string{"*", "+", "?", "*?", "{2}", "{0,3}", "{2,}"}).Draw(t, "times")
		case 7:
			return rapid.SampledFrom([]string{"(?i:", "(?s:", "(?m:", "(?-i:"}).Draw(t, "flag") + below() + ")"
		}
		return rapid.SampledFrom([]string{
			"a", "b", "K", "s", "0", "é", "日", ".", `\d`, `\w`, `\W`, `\s`, `\S`, "[^a]", "[a-zé]", "[^\\n日]", `\pL`, `\p{Han}`, `\x{fffd}`, `\n`, "^", "$", `\A`, `\z`, `\b`, `\B`, "",
		}).Draw(t, "one")
	})
}

// TestMayMatch: of any expression and text, it is what package regexp says, also when a machine was used before and has forgotten its states.
func TestMayMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		expr, a := of(t, drawnExpression(3).Draw(t, "expression"))
		for _, text := range rapid.SliceOfN(drawnText, 1, 6).Draw(t, "texts") {
			if got, want := a.MayMatch(t.Context(), []byte(text)), expr.MatchString(text); got != want {
				t.Fatalf("%q in %q: %v", expr, text, got)
			}
		}
	})
}

// TestForgets: what takes more states than are kept is told all the same.
func TestForgets(t *testing.T) {
	expr, a := of(t, `(a|b)*a(a|b){16}c`) // of 131,072 states
	m := newMachine(a)
	text := make([]byte, 200_000)
	seed := uint32(1)
	for i := range text {
		seed = seed*1_664_525 + 1_013_904_223
		text[i] = "ab"[seed>>31]
	}
	m.read = 1 << 40 // as if it had been worth it
	if m.mayMatch(t.Context(), text) {
		t.Error("found what is not there")
	}
	if m.made < cellsMost/m.width {
		t.Errorf("only %d steps were made", m.made)
	}
	if len(m.rows) > cellsMost {
		t.Errorf("%d steps are kept", len(m.rows))
	}
	if text = append(text, 'c'); !m.mayMatch(t.Context(), text) || !expr.Match(text) {
		t.Error("did not find what is there")
	}
}

// TestGivesUp: of a text for which most steps have to be made it is not told.
func TestGivesUp(t *testing.T) {
	_, a := of(t, `(a|b)*a(a|b){16}c`)
	text := make([]byte, 200_000)
	seed := uint32(1)
	for i := range text {
		seed = seed*1_664_525 + 1_013_904_223
		text[i] = "ab"[seed>>31]
	}
	if m := newMachine(a); !m.mayMatch(t.Context(), text) || m.made > 2*madeMost {
		t.Errorf("%d steps were made", m.made)
	}
}

// TestTooLarge: expressions that would take long to make ready have none.
func TestTooLarge(t *testing.T) {
	for _, text := range []string{`(?:a?b?c?d?e?){900}`, strings.Repeat(`\pL\PN`, 1_000)} {
		parsed, err := syntax.Parse(text, syntax.Perl)
		if err != nil {
			t.Fatal(err)
		}
		if New(parsed) != nil {
			t.Errorf("one of %.20s", text)
		}
	}
}

// FuzzMayMatch: no match is left out.
func FuzzMayMatch(f *testing.F) {
	for _, seed := range [][2]string{{`(?i)k\b`, "\u212a x"}, {`^\s*$`, "a\n\nb"}, {`[^\x00-\x7f]{2}`, "\xff\xe6\x97"}, {`(?m)^a$`, "b\na"}, {`\B`, ""}} {
		f.Add(seed[0], []byte(seed[1]))
	}
	f.Fuzz(func(t *testing.T, expr string, text []byte) {
		parsed, err := syntax.Parse(expr, syntax.Perl)
		if err != nil {
			return
		}
		a, e := New(parsed), regexp.MustCompile(expr)
		if a != nil && e.Match(text) && !a.MayMatch(t.Context(), text) {
			t.Errorf("%q is not found in %q", expr, text)
		}
	})
}

func BenchmarkMayMatch(b *testing.B) {
	text := []byte(strings.Repeat("said at length, as of line 1234567 in README.md; ", 2_000))
	for _, one := range []string{`[a-z]+\d{9}[a-z]+`, `(?i)\b[a-z]+@[a-z]+\b`} {
		expr, a := of(b, one)
		b.Run("automaton "+one, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				a.MayMatch(b.Context(), text)
			}
		})
		b.Run("regexp "+one, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				expr.Match(text)
			}
		})
	}
}
