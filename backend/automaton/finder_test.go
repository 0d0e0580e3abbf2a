package automaton

import (
	"context"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func finderOf(t interface{ Fatal(args ...any) }, text string) *Finder {
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewFinder(parsed)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestFinder: the matches are those of package regexp, in each of the ways in which they are found.
func TestFinder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := finderOf(t, drawnExpression(3).Draw(t, "expression"))
		text := []byte(drawnText.Draw(t, "text"))
		want := slices.DeleteFunc(f.whole.FindAllIndex(text, -1), func(at []int) bool { return at[0] == at[1] })
		for _, way := range []struct{ little, quick bool }{{true, true}, {true, false}, {false, true}, {false, false}} {
			f := *f
			if !way.quick {
				f.quick = nil
			}
			finding := f.In(t.Context(), text, NewPatience(time.Hour))
			finding.little = way.little
			var got [][]int
			for from := 0; from <= len(text); {
				start, end, ok := finding.From(from)
				if !ok {
					t.Fatalf("%q in %q from %d, %+v: not found out", f.whole, text, from, way)
				}
				if start < 0 {
					break
				}
				if from = end; start < end {
					got = append(got, []int{start, end})
				} else {
					_, size := utf8.DecodeRune(text[end:])
					from += max(size, 1)
				}
			}
			if !slices.EqualFunc(got, want, slices.Equal) {
				t.Fatalf("%q in %q, %+v: %v, not %v", f.whole, text, way, got, want)
			}
		}
	})
}

// TestAskedForTheEndAlone: in a long text package regexp is asked for no more than where the match ends, however large the expression is.
func TestAskedForTheEndAlone(t *testing.T) {
	text := strings.Repeat("L", 200_000) + "needle"
	for _, expr := range []string{`L{1000}n`, `(?i)l{1000}N`} {
		finding := finderOf(t, expr).In(t.Context(), []byte(text), nil)
		start, end, ok := finding.From(0)
		if start != 199_000 || end != 200_001 || !ok || finding.starts == nil {
			t.Errorf("%s: %d to %d, %v, told by the automaton: %v", expr, start, end, ok, finding.starts != nil)
		}
		if start, _, ok = finding.From(end); start >= 0 || !ok {
			t.Errorf("%s: %d, %v behind it", expr, start, ok)
		}
	}
}

// TestOutOfPatience: what package regexp would have to find is not told without patience, and what the automaton can tell is.
func TestOutOfPatience(t *testing.T) {
	f := finderOf(t, many)
	none := NewPatience(0)
	if _, _, ok := f.In(t.Context(), append(doubtful(200_000), 'c'), none).From(0); ok {
		t.Error("it was found")
	}
	if start, _, ok := f.In(t.Context(), []byte(strings.Repeat("x", 200_000)), none).From(0); start >= 0 || !ok {
		t.Errorf("%d, %v of what is not there", start, ok)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, ok := f.In(ctx, doubtful(200_000), nil).From(0); ok {
		t.Error("it was found for who had gone")
	}
}

// TestReadsOn: a text is read to where time is up, and it is asked the oftener how late it is the larger the expression is.
func TestReadsOn(t *testing.T) {
	for often := 1; often < 100; often *= 3 {
		r := &runes{ctx: t.Context(), until: time.Unix(0, 0), text: make([]byte, 100), often: often}
		n := 0
		for _, _, err := r.ReadRune(); err == nil; _, _, err = r.ReadRune() {
			n++
		}
		if n != often-1 || !r.over {
			t.Errorf("asked each %d, it read %d", often, n)
		}
	}
}
