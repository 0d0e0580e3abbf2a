package backend

import (
	"context"
	"slices"
	"strings"

	"palimpsest/backend/literal"
	"palimpsest/backend/record"
)

// textFinder looks for a text as it was typed in a record, and in what is shown of it: there the first form that is there counts.
type textFinder struct {
	needle *literal.Needle
	forms  []*literal.Needle
}

// newTextFinder has the forms of a text. What means something in markdown may be shown as a sign, which was escaped, or be of two lines
// that the query has on one. A query of signs alone has one form.
func newTextFinder(opts FindOptions) *textFinder {
	f := &textFinder{needle: literal.New(opts.Query, opts.MatchCase)}
	var texts []string
	for _, text := range []string{literal.Shown(opts.Query), opts.Query, literal.Unmarked(opts.Query)} {
		if strings.TrimSpace(text) != "" && !slices.Contains(texts, text) {
			texts = append(texts, text)
			f.forms = append(f.forms, literal.New(text, opts.MatchCase))
		}
	}
	return f
}

func (f *textFinder) mayBeIn(line []byte) bool { return f.needle.MayBeIn(line) }

// in looks for the text as it stands in the record and, where it does not, in what is shown of it.
func (f *textFinder) in(_ context.Context, rec *record.Record) (Find, error) {
	parts := rec.Text()
	if found := countIn(f.needle, parts); found.Count > 0 {
		return found, nil
	}
	for i, text := range parts {
		parts[i] = literal.Shown(text)
	}
	for _, form := range f.forms {
		if found := countIn(form, parts); found.Count > 0 {
			return found, nil
		}
	}
	return Find{}, nil
}

func countIn(needle *literal.Needle, parts []string) (found Find) {
	for _, text := range parts {
		for at := 0; found.Count < countMost; {
			start, end := needle.Index(text, at)
			if start < 0 {
				break
			}
			if found.Count == 0 {
				found.Excerpt = excerptOf(text, start, end)
			}
			found.Count++
			at = end
		}
	}
	return found
}
