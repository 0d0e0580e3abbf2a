package backend

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"sort"
	"unicode/utf8"

	"palimpsest/backend/session"
	"palimpsest/backend/states"
)

// Shown is one line of a log, as [Backend.Show] visits it.
type Shown struct {
	session.Line
	// JSON is the record as it is in the file, but for bytes that are not UTF-8; nil for a damaged line. It is valid until
	// the visit returns.
	JSON []byte
	// State says what became of the line. Unless [ShowOptions.Exact] is asked for, that is as far as the index tells: a message in range
	// is kept or fresh, whether or not it was pruned or dropped. A damaged line has none.
	State State
	// Damage is that of this line, or what is wrong right before it.
	Damage []session.Damage
}

// ShowOptions of [Backend.Show].
type ShowOptions struct {
	// From and To are the seqs of the first and the last record to visit, each the last in the file that has it; 0 for
	// the start and the end of the log.
	From, To int64
	// Exact tells what was pruned or dropped, too. What the context is made of is read once more for that.
	Exact bool
}

// Show visits the lines of a log in the order of the file. It holds the log's index and one line at a time, never
// the messages, so that its memory is bounded by the longest line and 32 bytes for each.
func (b *Backend) Show(ctx context.Context, id string, opts ShowOptions, visit func(*Shown) error) error {
	meta, log, err := b.openLog(id)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // opened for reading
	length, err := lengthOf(id, &meta, log)
	if err != nil {
		return err
	}
	if length > leanFrom {
		defer leanly()() // a line may be as long as the log, and what was made of it is soon garbage
	}
	source := cancellable{ctx, log}
	var x session.Index
	if err := x.Extend(source, length); err != nil {
		return fmt.Errorf("session %s: %w", id, err)
	}
	x.Damage = allLost(theirs(id, meta), x.Damage)
	first, end, err := rangeOf(&x, opts)
	if err != nil {
		return fmt.Errorf("session %s: %w", id, err)
	}
	outlook := states.OutlookOf(&x)
	state := outlook.Of
	if opts.Exact {
		exact, err := states.Resolve(source, &x, meta.Model)
		if err != nil {
			return fmt.Errorf("session %s: %w", id, err)
		}
		state = func(i int) State { return exactly(exact, &x, i) }
	}
	return showing{index: &x, state: state}.lines(source, first, end, visit)
}

// exactly is what a table tells of a line that can be read.
func exactly(table *states.Table, x *session.Index, i int) State {
	if x.Lines.At(i).Kind == session.LineDamaged {
		return ""
	}
	state, _ := table.Of(x, i)
	return state
}

// rangeOf is the range of indexes from the first seq up to and with the last.
func rangeOf(x *session.Index, opts ShowOptions) (first, end int, err error) {
	end = x.Lines.Len()
	if opts.From != 0 {
		if first, err = x.Find(opts.From); err != nil {
			return 0, 0, err
		}
	}
	if opts.To != 0 {
		last, err := x.Find(opts.To)
		if err != nil {
			return 0, 0, err
		}
		end = last + 1
	}
	if first >= end && opts.From != 0 && opts.To != 0 {
		return 0, 0, fmt.Errorf("%w: record %d stands after record %d", session.ErrInput, opts.From, opts.To)
	}
	return first, end, nil
}

type showing struct {
	index *session.Index
	state func(i int) State
}

const showBuffer = 256 << 10

func (s showing) lines(r io.ReaderAt, first, end int, visit func(*Shown) error) error {
	if first >= end {
		return nil
	}
	at := s.index.Lines.At(first).Offset
	in := bufio.NewReaderSize(io.NewSectionReader(r, at, s.index.Size-at), showBuffer)
	var text []byte
	for i := first; i < end; i++ {
		line := s.index.Lines.At(i)
		if _, err := in.Discard(int(line.Offset - at)); err != nil {
			return fmt.Errorf("reading up to line %d: %w", line.Number, err)
		}
		if int64(cap(text)) < line.Length {
			text = make([]byte, line.Length)
		}
		text = text[:line.Length]
		if _, err := io.ReadFull(in, text); err != nil {
			return fmt.Errorf("reading line %d: %w", line.Number, err)
		}
		at = line.Offset + line.Length
		shown := Shown{Line: line, State: s.state(i), Damage: damageAt(s.index.Damage, i)}
		if line.Kind != session.LineDamaged {
			shown.JSON = bytes.Trim(trimmed(text, line.Offset), " \t\r")
			if !utf8.Valid(shown.JSON) {
				shown.JSON = bytes.ToValidUTF8(shown.JSON, []byte("\uFFFD"))
			}
		}
		if err := visit(&shown); err != nil {
			return err
		}
	}
	return nil
}

func damageAt(all []session.Damage, i int) []session.Damage {
	from := sort.Search(len(all), func(k int) bool { return all[k].Index >= i })
	to := sort.Search(len(all), func(k int) bool { return all[k].Index > i })
	return all[from:to]
}

// cancellable stops reading once its context is done.
type cancellable struct {
	ctx context.Context
	r   io.ReaderAt
}

func (c cancellable) ReadAt(p []byte, off int64) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.ReadAt(p, off) //nolint:wrapcheck // io.EOF has to stay what it is
}
