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

	"palimpsest/backend/query"
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
	// Regex says that Query is a regular expression, as in a search of everything.
	Regex bool
	// From is the index of the first line to look at.
	From  int
	Limit int
}

const (
	findDefault = 200
	findMost    = 1000
	// queryMost bounds a query, in bytes.
	queryMost = query.Most
	// findTime is how long one look takes: short enough to show how it goes on.
	findTime = 200 * time.Millisecond
	// countMost bounds how often a line is said to hold what was looked for.
	countMost = 9999
	// excerptAround is what is shown before and behind a find, and excerptMost of the find, in characters.
	excerptAround = 60
	excerptMost   = 300
	// findBytes bounds the excerpts of one look: in JSON a byte may take six.
	findBytes = 128 << 10
)

// finder looks for one thing in records.
type finder interface {
	// mayBeIn tells whether a line could hold it: false is certain.
	mayBeIn(line []byte) bool
	// in is how often a record holds it, and where first.
	in(ctx context.Context, rec *record.Record) (Find, error)
}

func finderFor(opts FindOptions) (finder, error) {
	if opts.Regex {
		return newExpressionFinder(opts)
	}
	return newTextFinder(opts), nil
}

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
	finder, err := finderFor(opts)
	if err != nil {
		return Finds{}, err
	}
	size := 0
	reader := newLineReader(v.log, lines.At(from).Offset, v.index.Size)
	for i := from; i < lines.Len(); i++ {
		if len(out.Matches) == opts.Limit || size > findBytes || i > from && time.Now().After(until) {
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
		if lines.At(i).Kind == session.LineDamaged || !finder.mayBeIn(text) {
			continue
		}
		rec, err := record.Decode(trimmed(text, lines.At(i).Offset))
		if err != nil {
			continue // damaged behind its header: there is nothing to read in it
		}
		found, inTime, err := findIn(ctx, finder, &rec, i == from, until)
		if err != nil {
			return Finds{}, err
		}
		if !inTime {
			out.Next = &i
			return out, nil
		}
		if found.Count > 0 {
			found.Index, found.Seq = i, rec.Seq
			out.Matches = append(out.Matches, found)
			size += len(found.Excerpt.Before) + len(found.Excerpt.Match) + len(found.Excerpt.After)
		}
	}
	return out, nil
}

// findIn is how often a record holds what a finder looks for. But for the first one of a look, it is found out in the time of that or by the next.
func findIn(ctx context.Context, f finder, rec *record.Record, first bool, until time.Time) (found Find, inTime bool, err error) {
	limited := ctx
	if !first {
		var cancel context.CancelFunc
		limited, cancel = context.WithDeadline(ctx, until)
		defer cancel()
	}
	found, err = f.in(limited, rec)
	if limited.Err() != nil && ctx.Err() == nil {
		return Find{}, false, nil
	}
	return found, true, err
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

func excerptOf(text string, start, end int) Excerpt {
	end = start + len(beginning(text[start:end], excerptMost))
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

// beginning is a text or, of a longer one, so many characters.
func beginning(text string, most int) string {
	n := 0
	for at := range text {
		if n == most {
			return text[:at]
		}
		n++
	}
	return text
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
