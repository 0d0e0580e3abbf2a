package automaton

import (
	"context"
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
	return regexp.MustCompile(text), New(parsed)
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
		text := drawnExpression(3).Draw(t, "expression")
		expr, a := of(t, text)
		if a == nil { // see [TestNone]
			return
		}
		for _, text := range rapid.SliceOfN(drawnText, 1, 6).Draw(t, "texts") {
			if got, want := a.MayMatch(t.Context(), []byte(text)), expr.MatchString(text); got != want {
				t.Fatalf("%q in %q: %v", expr, text, got)
			}
		}
	})
}

// many is an expression of 131,072 states, of which [doubtful] needs most.
const many = `[ab]*a[ab]{16}c`

func doubtful(length int) []byte {
	text := make([]byte, length)
	seed := uint32(1)
	for i := range text {
		seed = seed*1_664_525 + 1_013_904_223
		text[i] = "ab"[seed>>31]
	}
	return text
}

// TestForgets: what takes more states than are held is told all the same.
func TestForgets(t *testing.T) {
	expr, a := of(t, many)
	m := newMachine(a)
	for _, end := range []string{"", "c"} {
		text := append(doubtful(oftenRead), end...)
		m.begin()
		m.add(uint32(m.prog.Start))
		at := m.state(-1)
		for i := 0; i < len(text) && at != matched; {
			m.credit = creditMost // as if it had been worth it
			if at, i = m.through(text, i, len(text), at); m.held > heldMost+heldMost/8 {
				t.Fatalf("%d bytes are held", m.held)
			}
		}
		if (at == matched) != expr.Match(text) {
			t.Errorf("with %q at its end it is told otherwise", end)
		}
	}
}

// TestGivesUp: of a text for which most steps have to be made it is not told, nor is that tried at length with the next one, however much
// was told before.
func TestGivesUp(t *testing.T) {
	_, a := of(t, many)
	m := newMachine(a)
	for range 3 {
		if m.mayMatch(t.Context(), []byte(strings.Repeat("x", 1<<20))) {
			t.Error("found what is not there")
		}
	}
	text := doubtful(200_000)
	for n := range 5 {
		if m.credit > creditMost {
			t.Errorf("%d before text %d", m.credit, n)
		}
		if !m.mayMatch(t.Context(), text[n*30_000:]) || m.credit > 0 || m.credit < -(n+1)*worth {
			t.Errorf("%d behind text %d", m.credit, n)
		}
	}
}

// TestCalledOff: who looks is not kept by steps that take long, either.
func TestCalledOff(t *testing.T) {
	_, a := of(t, `[ab]*a[ab]{1000}[ab]{1000}c`)
	ctx, cancel := context.WithCancel(t.Context())
	m := newMachine(a)
	cancel()
	if !m.mayMatch(ctx, doubtful(1<<20)) || m.credit != creditMost {
		t.Errorf("it was begun: %d", m.credit)
	}
	if _, end := m.through(doubtful(1<<20), 0, 1<<20, m.state(-1)); m.credit != creditMost-oftenMade*worth {
		t.Errorf("%d bytes at once: %d", end, m.credit)
	}
}

// TestHoldsLittle, also where a state is at thousands of instructions.
func TestHoldsLittle(t *testing.T) {
	_, a := of(t, `[ab]*a[ab]{1000}[ab]{1000}[ab]{1000}[ab]{900}c`)
	m := newMachine(a)
	m.credit = 1 << 20
	m.mayMatch(t.Context(), doubtful(6_000))
	bytes := 4 * cap(m.rows)
	for _, s := range m.states {
		bytes += 8 * len(s.at)
	}
	if bytes > 2*heldMost {
		t.Errorf("%d bytes", bytes)
	}
}

// TestNone: there is none of expressions that would take long to make ready, or that begin where a text does.
func TestNone(t *testing.T) {
	for _, text := range []string{`(?:a?b?c?d?e?){900}`, strings.Repeat(`\pL\PN`, 1_000), `\A\s*[{\[]`} {
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
