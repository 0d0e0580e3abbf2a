package automaton

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// TestStarts: of any expression and text, they are where package regexp finds a match that begins there, also when a machine was used before.
func TestStarts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		expr := drawnExpression(3).Draw(t, "expression")
		_, a := of(t, expr)
		if a == nil { // see [TestNone]
			return
		}
		first, behind := regexp.MustCompile(`\A(?:`+expr+`)`), regexp.MustCompile(`(?s:\A.)(?:`+expr+`)`)
		for _, text := range rapid.SliceOfN(drawnText, 1, 6).Draw(t, "texts") {
			starts, ok := a.Starts(t.Context(), []byte(text))
			if !ok {
				t.Fatalf("%q in %q: not told", expr, text)
			}
			for place, size := 0, 0; ; place += size {
				_, before := utf8.DecodeLastRuneInString(text[:place])
				want := place == 0 && first.MatchString(text) || place > 0 && behind.MatchString(text[place-before:])
				if got := starts.From(place) == place; got != want {
					t.Fatalf("%q in %q at %d: %v", expr, text, place, got)
				}
				if _, size = utf8.DecodeRuneInString(text[place:]); size == 0 {
					break
				}
			}
		}
	})
}

// TestStartsOfARepetition: an expression of many instructions, for each of which package regexp would look at each character, is told at once.
func TestStartsOfARepetition(t *testing.T) {
	text := strings.Repeat("L", 200_000)
	for _, expr := range []string{`L{1000}n`, `(?i)l{1000}N`, `(?i)[a-z]{1000}n`} {
		_, a := of(t, expr)
		starts, ok := a.Starts(t.Context(), []byte(text+"needle"))
		if !ok || starts.From(0) != len(text)-1000 || starts.From(len(text)) >= 0 {
			t.Errorf("%s: %v, from %d", expr, ok, starts.From(0))
		}
		if starts, ok := a.Starts(t.Context(), []byte(text)); !ok || starts.From(0) >= 0 {
			t.Errorf("%s is found where it is not", expr)
		}
	}
}

// TestStartsGiveUp where most steps have to be made, and where they are called off.
func TestStartsGiveUp(t *testing.T) {
	_, a := of(t, `c[ab]{16}a[ab]*`)
	if _, ok := a.Starts(t.Context(), doubtful(200_000)); ok {
		t.Error("it was told")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, ok := a.Starts(ctx, []byte("ab")); ok {
		t.Error("it was told to who had gone")
	}
}
