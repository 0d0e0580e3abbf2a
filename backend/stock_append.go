package backend

import (
	"context"
	"errors"
	"io"
	"iter"

	"palimpsest/backend/digest"
	"palimpsest/backend/edge"
	"palimpsest/backend/index"
)

// reading is a log of ours with what is known of it.
type reading struct {
	log  io.ReaderAt
	size int64
	opts digest.Options
}

// store puts what a log holds into the index: what was appended, if that is all that is new.
func (c *stock) store(ctx context.Context, row index.Session, before *digest.Digest, r reading, pass func() error) (*digest.Digest, error) {
	r.opts.Location = c.b.now().Location()
	if before != nil && row.Offset > 0 {
		add := c.add
		if before.Continue != nil && r.size-before.Continue.Size > heldMost {
			add = c.addLong
		}
		opts, known := r.opts, r.opts.Sum
		var sum edge.Sum
		d, err := add(ctx, row, func(emit func(index.Text) error) (*digest.Digest, error) {
			if known != nil { // each time: it may be read twice
				sum, opts.Sum = *known, &sum
			}
			return digest.Continue(before, r.log, r.size, opts, emit)
		})
		if known != nil {
			*known = sum
		}
		if !errors.Is(err, digest.ErrAnew) {
			return d, err
		}
	}
	return c.put(ctx, row, func(emit func(index.Text) error) (*digest.Digest, error) {
		return digest.Read(r.log, r.size, r.opts, emit)
	}, pass)
}

// add appends to what is there what goes on gives; [digest.ErrAnew] if all of it has to be read.
func (c *stock) add(ctx context.Context, row index.Session, goOn func(emit func(index.Text) error) (*digest.Digest, error)) (*digest.Digest, error) {
	var texts []index.Text
	d, err := goOn(func(t index.Text) error { texts = append(texts, t); return nil })
	if err != nil {
		return nil, err
	}
	return d, c.added(row, d, func(row index.Session) error { return c.index.Append(ctx, row, each(texts)) })
}

// each are texts without an error.
func each(texts []index.Text) iter.Seq2[index.Text, error] {
	return func(yield func(index.Text, error) bool) {
		for _, t := range texts {
			if !yield(t, nil) {
				return
			}
		}
	}
}

// heldMost is how long what was appended may be for its texts to be held: of more they are read once more.
var heldMost int64 = 4 << 20

// addLong is add where not all of it is to be held.
func (c *stock) addLong(ctx context.Context, row index.Session, goOn func(emit func(index.Text) error) (*digest.Digest, error)) (*digest.Digest, error) {
	d, err := goOn(nil)
	if err != nil {
		return nil, err
	}
	var why error
	err = c.added(row, d, func(row index.Session) error {
		return c.index.Append(ctx, row, func(yield func(index.Text, error) bool) {
			_, why = goOn(func(t index.Text) error {
				if !yield(t, nil) {
					return errEnough
				}
				return nil
			})
			if why != nil && !errors.Is(why, errEnough) {
				yield(index.Text{}, why)
			}
		})
	})
	if why != nil && !errors.Is(why, errEnough) {
		return nil, why
	}
	return d, err
}

// added has the row written as it is with what was read; [digest.ErrAnew] if another program has changed it since.
func (c *stock) added(row index.Session, d *digest.Digest, write func(index.Session) error) error {
	was, _ := digest.BriefOf(row.Digest)
	err := write(c.finished(row, d))
	if errors.Is(err, index.ErrChanged) {
		return digest.ErrAnew
	}
	if err != nil {
		return faulty(err)
	}
	if was.Model == "" && d.Model != "" && len(d.Parts) > 0 { // of some copies the first answer is what is known again
		c.related.Store(false)
	}
	c.unrelate(row.ID)
	c.changes(row.ID)
	return nil
}
