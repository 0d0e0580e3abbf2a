package index

import (
	"regexp"
	"strings"
	"time"

	"pgregory.net/rapid"
)

var pieces = []string{
	"a", "b", "B", "ab", "Ab", "foo", "Foo", "bar", " ", "\n", "-", "a-b", "f(x)", `C:\x`, `"`, "é", "e\u0301", "É", "ſ", "s", "S", "K", "k", "K",
	"ß", "ẞ", "漢", "字", "漢字", "日本語", "かな", "한국", "한", "İ", "ı", "Σ", "σ", "ς", "\u0301", "😀", "\xff", "aaa", "xyzzy", "0123456789abcdef",
}

var word = rapid.Custom(func(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 3).Draw(t, "word"), "")
})

var textOf = rapid.Custom(func(t *rapid.T) Text {
	most := rapid.SampledFrom([]int{3, 3, 12, 80}).Draw(t, "most")
	text := Text{
		Text:  strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, most).Draw(t, "text"), ""),
		Scope: rapid.SampledFrom(Scopes).Draw(t, "scope"),
		Part:  rapid.SampledFrom([]int{0, 0, 1, 2, 1<<31 - 1}).Draw(t, "part"),
	}
	if at := rapid.Int64Range(0, 6).Draw(t, "time"); at > 0 && text.Scope != Name {
		text.Time = time.Unix(at, 0).UTC()
	}
	if text.Scope == Call || text.Scope == Output {
		text.Tool = rapid.SampledFrom([]string{"bash", "read"}).Draw(t, "tool")
	}
	return text
})

var expressions = []string{
	"a.*b", "(foo|bar)", "fo+", "[ab]-b", "x(y|z)z", "^a", "b$", `\bfoo\b`, "漢.", "(漢|日)", "a{2,}", "(?:ab)+", "", "s", "k", `f\(x\)`, "a|", "(foo)?bar", "^", "é+",
	`foo[\s\x{85}\p{Z}]+bar`, `a[\s\x{85}\p{Z}]+`, `[\s\x{85}\p{Z}]+字`,
}

// expressionOf is of a grammar of expressions: literals with what has to hold around them, alternatives, and repetitions that are greedy,
// lazy or of nothing.
var expressionOf = expressionsWithin(2)

func expressionsWithin(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		part := rapid.Custom(func(t *rapid.T) string {
			literal := regexp.QuoteMeta(word.Draw(t, "literal"))
			switch rapid.IntRange(0, 9).Draw(t, "part") {
			case 0, 1, 2:
				return "(?m:" + rapid.SampledFrom([]string{`\b`, `\B`, "^", "$", "(?-m:^)", "(?-m:$)", `\A`, `\z`, ""}).Draw(t, "border") + ")"
			case 3:
				return "(?:" + literal + ")" + rapid.SampledFrom([]string{"*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}?", "{0}"}).Draw(t, "times")
			case 4:
				return rapid.SampledFrom([]string{".", "(?s:.)", "[ab]", "[^a]", `(?:\w)`, `\s*`, ".*", ".*?", "[nſk]", "[Cc]a?n", "[ac][an]{2}"}).Draw(t, "class")
			case 5:
				return rapid.SampledFrom([]string{"(?i:", "(?-i:"}).Draw(t, "case") + literal + ")"
			case 6:
				if depth > 0 {
					return "(" + expressionsWithin(depth-1).Draw(t, "one") + "|" + expressionsWithin(depth-1).Draw(t, "other") + ")"
				}
			}
			return literal
		})
		return strings.Join(rapid.SliceOfN(part, 0, 3).Draw(t, "parts"), "")
	})
}

var patternOf = rapid.Custom(func(t *rapid.T) Pattern {
	p := Pattern{Case: rapid.Bool().Draw(t, "case")}
	if p.Regexp = rapid.IntRange(0, 3).Draw(t, "kind") == 0; p.Regexp {
		p.Text = rapid.OneOf(rapid.SampledFrom(expressions), expressionOf).Draw(t, "expression")
	} else {
		p.Text = word.Draw(t, "literal")
	}
	return p
})

var queryOf = rapid.Custom(func(t *rapid.T) Query {
	q := Query{All: rapid.SliceOfN(patternOf, 0, 2).Draw(t, "all")}
	if rapid.IntRange(0, 3).Draw(t, "with none") == 0 {
		q.None = rapid.SliceOfN(patternOf, 1, 2).Draw(t, "none")
	}
	if rapid.IntRange(0, 3).Draw(t, "with scopes") == 0 {
		q.Scopes = rapid.SliceOfN(rapid.SampledFrom(Scopes), 0, 3).Draw(t, "scopes")
	}
	if rapid.IntRange(0, 5).Draw(t, "with tool") == 0 {
		q.Tools = rapid.SampledFrom([][]string{{"bash"}, {"bash", "read"}, {"none"}}).Draw(t, "tools")
	}
	if rapid.IntRange(0, 5).Draw(t, "with keep") == 0 {
		q.Keep = func(id string) bool { return id != "s1" }
	}
	if rapid.IntRange(0, 5).Draw(t, "with lines") == 0 {
		q.KeepText = func(_ string, line, part int, _ time.Time) bool { return (line+part)%2 == 0 }
	}
	if rapid.IntRange(0, 5).Draw(t, "with times") == 0 {
		q.KeepText = func(_ string, _, _ int, at time.Time) bool { return !at.IsZero() && at.Unix()%3 != 0 }
	}
	return q
})
