package backend

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"palimpsest/backend/literal"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// Finds is what a look through a part of a log found. Next is the index to go on from, nil at the end.
type Finds struct {
	Query   string `json:"query"`
	Matches []Find `json:"matches"`
	Next    *int   `json:"next"`
	Total   int    `json:"total"`
}

// Find is a line that holds what was looked for, and how often.
type Find struct {
	Index   int     `json:"index"`
	Seq     int64   `json:"seq"`
	Count   int     `json:"count"`
	Excerpt Excerpt `json:"excerpt"`
}

// Excerpt is the first find of a line with a little of what stands around it, on one line.
type Excerpt struct {
	Before string `json:"before"`
	Match  string `json:"match"`
	After  string `json:"after"`
}

// FindOptions of [Backend.Find].
type FindOptions struct {
	Query     string
	MatchCase bool
	// From is the index of the first line to look at.
	From  int
	Limit int
}

const (
	findDefault = 200
	findMost    = 1000
	// queryMost bounds a query, in bytes.
	queryMost = 1000
	// findTime is how long one look takes: short enough to show how it goes on.
	findTime = 200 * time.Millisecond
	// countMost bounds how often a line is said to hold what was looked for.
	countMost = 9999
	// excerptAround is what is shown before and behind a find, in characters.
	excerptAround = 60
)

// Find looks through a log, from a line on, for text as it is shown to a person. It stops after a moment, and says where to go
// on.
func (b *Backend) Find(ctx context.Context, id string, opts FindOptions) (Finds, error) {
	v, err := b.glance(id) //nolint:contextcheck,nolintlint // what it finds out in the background outlives this request
	if err != nil {
		return Finds{}, err
	}
	defer v.close()
	if opts.Query == "" || len(opts.Query) > queryMost {
		return Finds{}, fmt.Errorf("%w: what to find must be 1 to %d bytes long", session.ErrInput, queryMost)
	}
	if opts.Limit <= 0 {
		opts.Limit = findDefault
	}
	opts.Limit = min(opts.Limit, findMost)
	found, err := v.find(ctx, opts, time.Now().Add(findTime))
	if err != nil {
		return Finds{}, fmt.Errorf("session %s: %w", id, err)
	}
	return found, nil
}

func (v *view) find(ctx context.Context, opts FindOptions, until time.Time) (Finds, error) {
	lines := &v.index.Lines
	out := Finds{Query: opts.Query, Matches: []Find{}, Total: lines.Len()}
	from := min(max(opts.From, 0), lines.Len())
	if from == lines.Len() {
		return out, nil
	}
	needle, forms := needlesFor(opts)
	reader := newLineReader(v.log, lines.At(from).Offset, v.index.Size)
	for i := from; i < lines.Len(); i++ {
		if len(out.Matches) == opts.Limit || i > from && time.Now().After(until) {
			out.Next = &i
			return out, nil
		}
		if err := ctx.Err(); err != nil {
			return Finds{}, err
		}
		text, err := reader.read(lines.At(i))
		if err != nil {
			return Finds{}, fmt.Errorf("reading line %d: %w", lines.At(i).Number, err)
		}
		if lines.At(i).Kind == session.LineDamaged || !needle.MayBeIn(text) {
			continue
		}
		rec, err := record.Decode(trimmed(text, lines.At(i).Offset))
		if err != nil {
			continue // damaged behind its header: there is nothing to read in it
		}
		if found, ok := findIn(needle, forms, rec.Text()); ok {
			found.Index, found.Seq = i, rec.Seq
			out.Matches = append(out.Matches, found)
		}
	}
	return out, nil
}

// needlesFor are what to look for in a record, and in what is shown of it: the first form that is there counts. What means something in
// markdown may be shown as a sign, which was escaped, or be of two lines that the query has on one. A query of signs alone has one form.
func needlesFor(opts FindOptions) (needle *literal.Needle, forms []*literal.Needle) {
	needle = literal.New(opts.Query, opts.MatchCase)
	var texts []string
	for _, text := range []string{literal.Shown(opts.Query), opts.Query, literal.Unmarked(opts.Query)} {
		if strings.TrimSpace(text) != "" && !slices.Contains(texts, text) {
			texts = append(texts, text)
			forms = append(forms, literal.New(text, opts.MatchCase))
		}
	}
	return needle, forms
}

// lineReader reads lines one behind the other, with one buffer for all of them.
type lineReader struct {
	r    *bufio.Reader
	at   int64
	text []byte
}

func newLineReader(log io.ReaderAt, from, end int64) *lineReader {
	const buffer = 1 << 20
	return &lineReader{r: bufio.NewReaderSize(io.NewSectionReader(log, from, end-from), buffer), at: from}
}

// read returns a line that stands behind the one read before; its bytes are the reader's, valid until the next read.
func (l *lineReader) read(line session.Line) ([]byte, error) {
	if _, err := l.r.Discard(int(line.Offset - l.at)); err != nil {
		return nil, fmt.Errorf("at byte %d: %w", line.Offset, err)
	}
	l.text = slices.Grow(l.text[:0], int(line.Length))[:line.Length]
	if _, err := io.ReadFull(l.r, l.text); err != nil {
		return nil, fmt.Errorf("at byte %d: %w", line.Offset, err)
	}
	l.at = line.Offset + line.Length
	return l.text, nil
}

// findIn looks for text as it stands in the record and, where it does not, in what is shown of it.
func findIn(needle *literal.Needle, forms []*literal.Needle, parts []string) (Find, bool) {
	if found := countIn(needle, parts); found.Count > 0 {
		return found, true
	}
	for i, text := range parts {
		parts[i] = literal.Shown(text)
	}
	for _, form := range forms {
		if found := countIn(form, parts); found.Count > 0 {
			return found, true
		}
	}
	return Find{}, false
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

func excerptOf(text string, start, end int) Excerpt {
	from, to := start, end
	for n := 0; n < excerptAround && from > 0; n++ {
		_, size := utf8.DecodeLastRuneInString(text[:from])
		from -= size
	}
	for n := 0; n < excerptAround && to < len(text); n++ {
		_, size := utf8.DecodeRuneInString(text[to:])
		to += size
	}
	return Excerpt{Before: oneLine(text[from:start]), Match: oneLine(text[start:end]), After: oneLine(text[end:to])}
}

// oneLine turns runs of white space into single blanks; those at the ends stay, since words may go on there.
func oneLine(s string) string {
	words := strings.Join(strings.Fields(s), " ")
	if words == "" && s != "" {
		return " "
	}
	if strings.TrimLeftFunc(s, unicode.IsSpace) != s {
		words = " " + words
	}
	if strings.TrimRightFunc(s, unicode.IsSpace) != s {
		words += " "
	}
	return words
}
