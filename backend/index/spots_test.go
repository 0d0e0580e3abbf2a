package index

import (
	"fmt"
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
		start, end, ok := n.in(t.Context(), &passage{text: []byte(text)}, nil)
		if got := []int{start, end}; !ok || !slices.Equal(got, want) {
			t.Fatalf("%q in %q: %v, not %v", expr, text, got, want)
		}
	})
}

// TestWhatMatchesHasWhatIsNeeded: no block is left out that holds a match.
func TestWhatMatchesHasWhatIsNeeded(t *testing.T) {
	class := rapid.SampledFrom([]string{"[ac]", "[Cc]", "[nſk]", "[a-h]", "[a-z]", "[é漢x]", "n", "an", "漢", "", `\d`, "[ab]{2}", "(?:ab|c)?", "(?i:ß[Kk])", ".", "x*"})
	expression := rapid.Custom(func(t *rapid.T) string {
		one := strings.Join(rapid.SliceOfN(class, 1, 5).Draw(t, "one"), "")
		other := strings.Join(rapid.SliceOfN(class, 1, 5).Draw(t, "other"), "")
		return fmt.Sprintf(rapid.SampledFrom([]string{"%s%s", "%s|%s", "(%s|x)%s", "(?:%s){2}%s", "(%s)?%s", "%[2]s(?:%[1]s){2,}%[2]s"}).Draw(t, "form"), one, other)
	})
	rapid.Check(t, func(t *rapid.T) {
		text := expression.Draw(t, "expression")
		match := rapid.StringMatching(text).Draw(t, "match")
		need, err := NeedOf(text)
		if err != nil {
			t.Fatal(err)
		}
		if !need.need.met(&passage{text: []byte(match)}) {
			t.Fatalf("%q matches %q, and should need %s", text, match, need.need)
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

// TestNeeds: what an expression needs, by which most of all blocks are left out: each of its texts where these are few, in small letters.
func TestNeeds(t *testing.T) {
	for text, want := range map[string]string{
		`foo`: "foo", `(?i)FOO\b`: "foo", `colou?r`: "(color|colour)", `[qx][yz]lo[ab]`: "(qyloa|qylob|qzloa|qzlob|xyloa|xylob|xzloa|xzlob)",
		`E[A-Z]{3}-\d+`: "(e&-)", `err(or|ors): \w+ed`: "((error: |errors: )&ed)", `npm (run|test)`: "(npm run|npm test)", `(?i)[a-c]1`: "", `ab{2}c`: "abbc", `a[bc]+def`: "(a&def)",
		`x*`: "", `x*y`: "y", `(foo|b*)z`: "z", `(foo|bar.)baz`: "((foo|bar)&baz)", `^$`: "", `[a-d][a-i]foo`: "foo", `[ab]foo`: "(afoo|bfoo)", `(one|two).(three|four)`: "((one|two)&(four|three))",
		`(ab){10}`: "abababababababab", `(ab){2,}c`: "(abab&c)", `straße|STRASSE`: "(strasse|straße)", `[[:alpha:]]`: "", `[a-z]:`: ":", `(a|b)?foo`: "(afoo|bfoo|foo)",
	} {
		got, err := NeedOf(text)
		if err != nil {
			t.Fatal(err)
		}
		if said := got.need.String(); said != want {
			t.Errorf("%s: %s, not %s", text, said, want)
		}
	}
}

func (n *need) String() string {
	if n == nil {
		return ""
	}
	said := func(of []*need, sign string) string {
		each := make([]string, len(of))
		for i, n := range of {
			each[i] = n.String()
		}
		return "(" + strings.Join(each, sign) + ")"
	}
	switch {
	case n.literal != nil:
		return string(n.literal)
	case len(n.any) > 0:
		return said(n.any, "|")
	}
	return said(n.all, "&")
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
				if start, _, _ := n.in(b.Context(), &passage{text: text}, nil); start >= 0 {
					b.Fatal(start)
				}
			}
		})
	}
}
