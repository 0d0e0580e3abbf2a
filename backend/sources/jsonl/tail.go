package jsonl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
)

// Tail is a place in a file of lines that is read on from.
type Tail struct {
	Path string
	// At is the place, behind the end of a line, and Lines how many lines stand before it.
	At    int64
	Lines int
}

// Open opens the file again.
func (t *Tail) Open() (*File, error) {
	file, err := Open(t.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, sources.ErrGone
	}
	if err != nil {
		return nil, err
	}
	if file.Size < t.At {
		return nil, errors.Join(sources.ErrAnew, file.Close())
	}
	return file, nil
}

// Each is [Each] of what stands behind the place, up to the size that the file had when it was opened; broken may be nil. It returns
// where to go on, which is not so far where a line has no end yet; not ok if such a line was visited all the same.
func (t *Tail) Each(ctx context.Context, file *File, broken func(sources.Line), visit func(sources.Line, gjson.Result) error) (next Tail, ok bool, err error) {
	return t.each(ctx, file, plainly, broken, visit)
}

// First and Second are those of [Twice], of what [Tail.Each] visits.
func (t *Tail) First(ctx context.Context, file *File, twice *Twice, visit func(sources.Line, gjson.Result) error) error {
	twice.bad = map[int64]bool{}
	_, _, err := t.each(ctx, file, twice.first(), nil, visit)
	return err
}

// Second returns what Each does.
func (t *Tail) Second(
	ctx context.Context, file *File, twice *Twice, broken func(sources.Line), visit func(sources.Line, gjson.Result) error,
) (next Tail, ok bool, err error) {
	return t.each(ctx, file, twice.second(), broken, visit)
}

func (t *Tail) each(
	ctx context.Context, file *File, how reading, broken func(sources.Line), visit func(sources.Line, gjson.Result) error,
) (next Tail, ok bool, err error) {
	next, ok = *t, true
	err = sources.LinesFrom(ctx, file.File, t.At, file.Size, func(line sources.Line) error {
		line.Number += t.Lines
		visited := false
		err := one(line, how, broken, func(line sources.Line, rec gjson.Result) error {
			visited = true
			return visit(line, rec)
		})
		if line.Ended {
			next.At, next.Lines = line.Offset+line.Length, line.Number
		} else {
			ok = !visited && line.Text != nil
		}
		return err
	})
	if err != nil {
		return next, false, fmt.Errorf("reading %s: %w", t.Path, err)
	}
	return next, ok, nil
}
