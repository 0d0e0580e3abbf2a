// Package query reads what a person types into the search box: words, "phrases", /expressions/, -what is left out, and filters
// such as in:dropped. It is pure: it knows no index and no clock.
//
// # What is what
//
// Pieces stand between white space. Each piece is one of these, and what is none of the others is a word, with every sign in it:
//
//	word          anything: a-b, f(x), C:\x, std::vector, a lone quote, 漢字
//	"a phrase"    from a quote at the start of a word to one at the end of a word; two quotes in it stand for one. White space in it
//	              fits any, also the end of a line: " art" is art at the start of a word, though not at that of the text
//	/a+b/         a regular expression (RE2), in which a slash is written \/
//	name:value    a filter, if the name is one of [Names] in lower case; the value may be "in quotes"
//	-piece        leaves out what a word, phrase, expression or filter finds; ->, --flag, -= and - alone are words
//
// All terms have to occur in the same part of the same record. Filters of the same name are alternatives, as are the
// values of one with commas between them, but for is:, after:, before:, on: and compactions:, which all have to hold; those of different names all have to hold, and so does everything that is
// left out.
//
// Nothing that can be typed is an error. A filter whose value means nothing, an expression that is none, and words to leave out of
// nothing are looked for as text, and [Query.Problems] says so.
package query

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Most bounds the text of a query, in bytes, and termsMost how many terms of it are looked for.
const (
	Most      = 4096
	termsMost = 64
)

// Query is what the text of the search box means.
type Query struct {
	Text     string   `json:"text"`
	Terms    []Term   `json:"terms"`
	Filters  []Filter `json:"filters"`
	Problems []string `json:"problems"`
}

// Term is what has to occur in a text or, with Not, must not.
type Term struct {
	Text  string `json:"text"`
	Not   bool   `json:"not"`
	Regex bool   `json:"regex"`
}

// Spaced is a phrase as an expression in which white space fits any; not ok for a term without, and for an expression.
func (t Term) Spaced() (expr string, ok bool) {
	if t.Regex || !strings.ContainsFunc(t.Text, unicode.IsSpace) {
		return "", false
	}
	const blank = `[\s\v\x{85}\p{Z}]+`
	var out strings.Builder
	space := false
	for _, r := range t.Text {
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if space {
			out.WriteString(blank)
			space = false
		}
		out.WriteString(regexp.QuoteMeta(string(r)))
	}
	if space {
		out.WriteString(blank)
	}
	return out.String(), true
}

// Parse reads a text. With regex all of it that is not a filter is one regular expression, with the white space at its ends but for that
// which sets it off from a filter.
func Parse(text string, regex bool) Query {
	q := Query{Text: text, Terms: []Term{}, Filters: []Filter{}, Problems: []string{}}
	rest := strings.ToValidUTF8(text, string(utf8.RuneError))
	var pattern strings.Builder // with regex: what is left without the filters
	set := false                // off from a filter
	for {
		trimmed := strings.TrimLeftFunc(rest, unicode.IsSpace)
		space := rest[:len(rest)-len(trimmed)]
		if set && (pattern.Len() == 0 || trimmed == "") {
			space = ""
		}
		rest = trimmed
		if rest == "" {
			if pattern.Len() > 0 {
				pattern.WriteString(space)
			}
			break
		}
		p, length := next(rest, regex)
		set = false
		switch {
		case p.filter != nil:
			set = q.filter(*p.filter, space, rest[:length], regex, &pattern)
		case regex:
			pattern.WriteString(space + rest[:length])
		default:
			q.term(*p.term)
		}
		rest = rest[length:]
	}
	if pattern.Len() > 0 {
		q.term(Term{Text: pattern.String(), Regex: true})
	}
	q.settle()
	return q
}

// filter takes in a filter or, where its value means nothing, the text that it was written as; it tells which.
func (q *Query) filter(f Filter, space, written string, regex bool, pattern *strings.Builder) bool {
	problem := f.check()
	switch {
	case problem == "":
		if !slices.Contains(q.Filters, f) {
			q.Filters = append(q.Filters, f)
		}
		return true
	case regex:
		pattern.WriteString(space + written)
	default:
		q.term(Term{Text: written})
	}
	q.Problems = append(q.Problems, fmt.Sprintf("“%s” is looked for as text: %s", brief(written), problem))
	return false
}

// term takes in a term, and an expression that is none as text.
func (q *Query) term(t Term) {
	if t.Regex {
		t.Text = plainSlashes(t.Text)
		if problem := checkRegex(t.Text); problem != "" {
			q.Problems = append(q.Problems, fmt.Sprintf("“%s” is looked for as text: %s", brief(t.Text), problem))
			t = Term{Text: strings.TrimSpace(t.Text), Not: t.Not} // no phrase begins with a blank
		}
	}
	if !slices.Contains(q.Terms, t) {
		q.Terms = append(q.Terms, t)
	}
}

// checkRegex says why a text is of no use as an expression; empty if it is.
func checkRegex(text string) string {
	expr, err := regexp.Compile(text)
	switch {
	case err != nil:
		return "it is no regular expression, " + strings.TrimPrefix(err.Error(), "error parsing regexp: ")
	case expr.MatchString(""):
		return "as a regular expression it fits every text"
	}
	return ""
}

// settle sees to it that there is something to leave things out of, and not too much of anything.
func (q *Query) settle() {
	if len(q.Terms) > termsMost {
		q.Problems = append(q.Problems, fmt.Sprintf("Only the first %d words are looked for.", termsMost))
		q.Terms = q.Terms[:termsMost]
	}
	if len(q.Terms) > 0 && !slices.ContainsFunc(q.Terms, func(t Term) bool { return !t.Not }) {
		for i := range q.Terms {
			q.Terms[i] = Term{Text: q.Terms[i].String()}
		}
		subject := fmt.Sprintf("“%s” is looked for as it stands", brief(q.Terms[0].Text))
		switch others := len(q.Terms) - 1; others {
		case 0:
			q.Problems = append(q.Problems, subject+": there is no other word that it could be left out with")
		case 1:
			q.Problems = append(q.Problems, fmt.Sprintf("%s, and so is “%s”: there is no other word that they could be left out with", subject, brief(q.Terms[1].Text)))
		default:
			q.Problems = append(q.Problems, fmt.Sprintf("%s, and so are %d others: there is no other word that they could be left out with", subject, others))
		}
	}
}

// brief is a piece of what was typed, as a problem repeats it.
func brief(s string) string {
	const most = 60
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}

// String is a text that means the same: Parse finds the same terms and filters in it, in their order.
func (q *Query) String() string {
	pieces := make([]string, 0, len(q.Terms)+len(q.Filters))
	for _, t := range q.Terms {
		pieces = append(pieces, t.String())
	}
	for _, f := range q.Filters {
		pieces = append(pieces, f.String())
	}
	return strings.Join(pieces, " ")
}

// String is the term as it is typed.
func (t Term) String() string {
	sign := ""
	if t.Not {
		sign = "-"
	}
	if t.Regex {
		return sign + "/" + escapeSlashes(t.Text) + "/"
	}
	// What begins like a phrase or an expression could find its end in what comes after it.
	open := t.Text != "" && strings.Contains(`"/-`, t.Text[:1])
	if written := sign + t.Text; !open && isPiece(written, t) {
		return written
	}
	return sign + quoted(t.Text)
}

// isPiece tells whether a text, as it stands, is read as this term and nothing else.
func isPiece(written string, t Term) bool {
	if written == "" || strings.ContainsFunc(written, unicode.IsSpace) {
		return false
	}
	p, length := next(written, false)
	return length == len(written) && p.term != nil && *p.term == t
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
