package backend

import (
	"context"
	"fmt"
	"io"
	"slices"

	"palimpsest/backend/digest"
	"palimpsest/backend/index"
	"palimpsest/backend/library"
	"palimpsest/backend/sources"
)

// trial is the end of a session that is so only as long as its file ends there, such as an answer that may go on: the index has it so that it can be
// taken back, and what is read next takes its place.
type trial struct {
	// stand is the digest of what stands whatever follows, up to where [follow.read] says; lines stand behind it and are part of the trial too.
	stand *digest.Digest
	lines []byte
	added index.Trial
}

// trialMost is how much that stands is read again with each end: of more, the index has it for good.
const trialMost = 64 << 10

// beginTrial stores a session that was read from the beginning so that its end can be taken back. [digest.ErrAnew] says that this can't be.
func (c *stock) beginTrial(
	ctx context.Context, row index.Session, before *digest.Digest, found sources.Found, p library.Pass, opts digest.Options, pass func() error,
) error {
	if p.Size-p.Stands > sinceMost {
		return digest.ErrAnew
	}
	half := halfOf(row)
	d, err := c.store(ctx, half, before, reading{p.Log, p.Stands, opts}, pass)
	if err == nil {
		err = c.settleBare(ctx) // what stands may be without a text
	}
	if err != nil {
		return err
	}
	stand := p
	stand.Size = p.Stands
	one, ok := behind(row.ID, stand, d.Continue)
	stored, there, err := c.index.Session(ctx, row.ID)
	if err != nil {
		return faulty(err)
	}
	if !ok || !there || stored.Stamp != half.Stamp || stored.Offset != p.Stands {
		return digest.ErrAnew
	}
	if d, err = digest.Decode(stored.Digest); err != nil {
		return digest.ErrAnew
	}
	one.trial = &trial{stand: d}
	row.Revision, row.Digest = stored.Revision, stored.Digest
	p.Log, p.Size, p.Stands = io.NewSectionReader(p.Log, p.Stands, p.Size-p.Stands), p.Size-p.Stands, 0
	return c.tryOn(ctx, row, found, one, p, opts)
}

// halfOf is the row of a session of which the end is still to be written: a program that is stopped before that leaves one that is read again.
func halfOf(row index.Session) index.Session {
	row.Stamp += " begun"
	return row
}

// tryLine is tryOn of a reading that begins with what stands of the one before.
func (c *stock) tryLine(ctx context.Context, row index.Session, found sources.Found, one follow, p library.Pass, opts digest.Options) error {
	from := one.read.Size
	if p.Stands < from {
		return digest.ErrAnew
	}
	p.Log, p.Size, p.Stands = io.NewSectionReader(p.Log, from, p.Size-from), p.Size-from, p.Stands-from
	one.trial = &trial{stand: one.trial.stand, added: one.trial.added}
	return c.tryOn(ctx, row, found, one, p, opts)
}

// tryOn has the index take back the end that it has, and puts what was read in its place.
func (c *stock) tryOn(ctx context.Context, row index.Session, found sources.Found, one follow, p library.Pass, opts digest.Options) error {
	if p.Size > sinceMost {
		return digest.ErrAnew
	}
	fresh := make([]byte, p.Size)
	if n, err := p.Log.ReadAt(fresh, 0); n < len(fresh) {
		return fmt.Errorf("reading what was appended: %w", err)
	}
	next := follow{id: one.id, tail: one.tail, line: one.line, read: one.read, since: one.since}
	t := *one.trial
	t.lines = slices.Concat(t.lines, fresh[:p.Stands])
	end := fresh[p.Stands:]
	if len(end) == 0 || len(t.lines) > trialMost {
		settled := row
		if len(end) > 0 {
			settled = halfOf(row)
		}
		d, added, err := c.try(ctx, settled, &next, &t, nil, opts)
		if err != nil {
			return err
		}
		row.Revision = added.Revision()
		next.since = next.behind(t.lines, d.Continue)
		next.read, t = *d.Continue, trial{stand: d, added: added}
	}
	kept := next
	if len(end) > 0 {
		d, added, err := c.try(ctx, row, &next, &t, end, opts)
		if err != nil {
			return err
		}
		kept.read, kept.since = *d.Continue, next.behind(slices.Concat(t.lines, end), d.Continue)
		t.added = added
		next.trial = &t
	}
	if len(next.since) > sinceMost {
		return nil
	}
	if next.tail != nil {
		c.keepTail(ctx, &found, &kept)
	}
	c.followed.keep(next)
	return nil
}

// try puts what stands and an end, none for good, in the place of the end before, and returns the digest of it all.
func (c *stock) try(ctx context.Context, row index.Session, one *follow, t *trial, end []byte, opts digest.Options) (*digest.Digest, index.Trial, error) {
	var texts []index.Text
	d, err := digest.More(t.stand, one.since, slices.Concat(t.lines, end), opts, func(t index.Text) error {
		texts = append(texts, t)
		return nil
	})
	if err != nil {
		return nil, t.added, err
	}
	if d.Continue == nil {
		return nil, t.added, digest.ErrAnew
	}
	var added index.Trial
	err = c.added(row, d, func(row index.Session) (err error) {
		added, err = c.index.Try(ctx, row, &t.added, end != nil, each(texts))
		return err
	})
	return d, added, err
}

// behind is the log from [digest.Mark.Turn] on, as a mark behind these lines has it.
func (f *follow) behind(lines []byte, at *digest.Mark) []byte {
	return slices.Concat(f.since, lines)[at.Turn-f.read.Turn:]
}
