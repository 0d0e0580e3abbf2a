package index

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestExpressionsFindWhatTheyMean: the first match is where the machine of expressions alone has it, whatever is done to be faster.
func TestExpressionsFindWhatTheyMean(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Pattern{Text: expressionOf.Draw(t, "expression"), Regexp: true, Case: rapid.Bool().Draw(t, "case")}
		text := composed(strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 40).Draw(t, "text"), ""))
		expr := composed(p.Text)
		if !p.Case {
			expr = "(?i)" + expr
		}
		want := []int{-1, -1}
		if at := regexp.MustCompile(expr).FindStringIndex(text); at != nil {
			want = at
		}
		n, err := newNeedle(p)
		if err != nil {
			t.Fatal(err)
		}
		start, end := n.in(&passage{text: []byte(text)})
		if got := []int{start, end}; !slices.Equal(got, want) {
			t.Fatalf("%q in %q: %v, not %v", expr, text, got, want)
		}
	})
}

// TestBordersAreLookedAtWhereTheLiteralIs: of expressions that are a literal and what has to hold around it, only the literal is looked for.
func TestBordersAreLookedAtWhereTheLiteralIs(t *testing.T) {
	for text, wanted := range map[string]bool{
		`\Bcan`: true, `\bfoo`: true, `(?m)^foo`: true, `straße`: true, `(?i)straße\b`: true, `a\b-`: true, `can|may`: false, `can+`: false, `^$`: false, `[cC]an`: true,
	} {
		n, err := newNeedle(Pattern{Text: text, Regexp: true})
		if err != nil {
			t.Fatal(err)
		}
		if (n.spots != nil) != wanted {
			t.Errorf("%s: %t", text, n.spots != nil)
		}
	}
}

// BenchmarkBorders looks for what is nowhere in 3 MB, though its literal is everywhere.
func BenchmarkBorders(b *testing.B) {
	text := []byte(strings.Repeat("we can do what we can, in a strange place to be; ", 3<<20/50))
	for _, expr := range []string{`\Bcan`, `(?m)^can`, `\bplac\b`, `straße`} {
		b.Run(expr, func(b *testing.B) {
			n, err := newNeedle(Pattern{Text: expr, Regexp: true})
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if start, _ := n.in(&passage{text: text}); start >= 0 {
					b.Fatal(start)
				}
			}
		})
	}
}
