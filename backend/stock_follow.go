package backend

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"sync"

	"palimpsest/backend/digest"
	"palimpsest/backend/edge"
	"palimpsest/backend/index"
	"palimpsest/backend/library"
	"palimpsest/backend/sources"
)

// followed are sessions that were appended to lately, the last one at the end: of what is appended next to those of other agents, only that is
// read. What is kept of one is what its source needs for that, and the end of the log; or, where a reading of it was
// read, which one.
type followed struct {
	mu  sync.Mutex
	all []follow
}

type follow struct {
	id   string
	tail *library.Tail
	// read is what was read, and since the log from [digest.Mark.Turn] up to there. The index may have read on since, in another program.
	read  digest.Mark
	since []byte
	// sum is that of a log of ours.
	sum edge.Sum
	// trial is what the index has behind that and may be taken back; nil if nothing.
	trial *trial
	// line is that of the reading which was read.
	line uint64
}

const (
	// followedMost is how many are kept, and sinceMost how much log of each.
	followedMost = 8
	sinceMost    = 1 << 20
)

// take takes out what is kept of a session.
func (f *followed) take(id string) (follow, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := slices.IndexFunc(f.all, func(one follow) bool { return one.id == id })
	if at < 0 {
		return follow{}, false
	}
	one := f.all[at]
	f.all = slices.Delete(f.all, at, at+1)
	return one, true
}

func (f *followed) keep(one follow) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = slices.DeleteFunc(f.all, func(other follow) bool { return other.id == one.id })
	if f.all = append(f.all, one); len(f.all) > followedMost {
		f.all = slices.Delete(f.all, 0, 1)
	}
}

// readOn reads a session of another agent that the index has: only what was appended, if what that takes is kept, else all of it.
func (c *stock) readOn(ctx context.Context, row index.Session, before *digest.Digest, found sources.Found, opts digest.Options, pass func() error) error {
	one, ok := c.followed.take(row.ID)
	if ok = ok && before.Continue != nil; !ok && before.Continue != nil {
		one.id = row.ID
		one.tail = c.b.library.RecallTail(ctx, &found, &one.read, &one.since)
	}
	if one.tail != nil && before.Continue != nil {
		err := c.readMore(ctx, row, before, found, one, opts)
		if !errors.Is(err, sources.ErrAnew) && !errors.Is(err, digest.ErrAnew) {
			return err
		}
	}
	return c.b.library.Follow(ctx, found, func(p library.Pass) error {
		opts.Blob, opts.Edge, opts.Begins = blobs(p.Blob), p.Edge, ok && one.trial == nil && p.Line != 0 && p.Line == one.line && *before.Continue == one.read
		if ok && one.trial != nil && p.Line != 0 && p.Line == one.line {
			err := c.tryLine(ctx, row, found, one, p, opts)
			if !errors.Is(err, digest.ErrAnew) {
				return err
			}
		}
		if p.Stands < p.Size {
			err := c.beginTrial(ctx, row, before, found, p, opts, pass)
			if !errors.Is(err, digest.ErrAnew) {
				return err
			}
		}
		d, err := c.store(ctx, row, before, reading{p.Log, p.Size, opts}, pass)
		if err != nil || d.Continue == nil {
			return err
		}
		if p.Line != 0 {
			if p.Stands == p.Size {
				c.followed.keep(follow{id: row.ID, line: p.Line, read: *d.Continue})
			}
			return nil
		}
		if one, ok := behind(row.ID, p, d.Continue); ok {
			c.keepTail(ctx, &found, &one)
			c.followed.keep(one)
		}
		return nil
	})
}

// readFirst keeps what there is to read on from behind a session that was read for the first time. Few go on while this program is there, and so
// none is held.
func (c *stock) readFirst(ctx context.Context, found *sources.Found, p library.Pass, d *digest.Digest) {
	d.Edge = p.Edge
	if one, ok := behind("", p, d.Continue); ok {
		c.keepTail(ctx, found, &one)
	}
}

// behind is what there is to read on from behind a session that was read to its end; not ok if it can't be.
func behind(id string, p library.Pass, end *digest.Mark) (one follow, ok bool) {
	if p.Tail == nil && p.Line == 0 || end == nil || p.Size != end.Size || end.Size-end.Turn > sinceMost {
		return one, false
	}
	one = follow{id: id, tail: p.Tail, line: p.Line, read: *end, since: make([]byte, end.Size-end.Turn)}
	n, _ := p.Log.ReadAt(one.since, end.Turn)
	return one, n == len(one.since)
}

// keepTail has what there is to read on from outlive this program. That it can't be only costs time.
func (c *stock) keepTail(ctx context.Context, found *sources.Found, one *follow) {
	if err := c.b.library.KeepTail(ctx, found, one.tail, &one.read, &one.since); err != nil {
		c.b.warn(err)
	}
}

// readMore reads what was appended.
func (c *stock) readMore(ctx context.Context, row index.Session, before *digest.Digest, found sources.Found, one follow, opts digest.Options) error {
	return c.b.library.More(ctx, found, one.tail, func(p library.Pass) error {
		opts.Blob, opts.Edge = blobs(p.Blob), p.Edge
		settled := len(p.Was) == 0 && one.read == *before.Continue
		if one.trial == nil && settled && p.Stands < p.Size && p.Size <= sinceMost {
			one.trial = &trial{stand: before}
		}
		if one.trial != nil {
			return c.tryOn(ctx, row, found, one, p, opts)
		}
		return c.addBehind(ctx, row, before, found, one, p, opts)
	})
}

// addBehind adds what was read behind what the index has, where that can't be taken back.
func (c *stock) addBehind(ctx context.Context, row index.Session, before *digest.Digest, found sources.Found, one follow, p library.Pass, opts digest.Options) error {
	was := make([]byte, len(p.Was))
	if n, _ := p.Log.ReadAt(was, 0); n < len(was) || !bytes.Equal(was, p.Was) {
		return sources.ErrAnew
	}
	size := p.Size - int64(len(was))
	log := io.NewSectionReader(p.Log, int64(len(was)), size)
	at := before.Continue
	goesOn, err := one.read.Leads(at, log, size)
	if err != nil {
		return err
	}
	since, some := one.between(log, at.Turn, at.Size)
	appended, all := one.between(log, at.Size, one.read.Size+size)
	if !goesOn || !some || !all {
		return sources.ErrAnew
	}
	d, err := c.add(ctx, row, func(emit func(index.Text) error) (*digest.Digest, error) {
		return digest.More(before, since, appended, opts, emit)
	})
	if err != nil || d.Continue == nil {
		return err
	}
	next := follow{id: one.id, tail: one.tail, read: *d.Continue}
	if next.since, all = one.between(log, next.read.Turn, next.read.Size); all {
		c.keepTail(ctx, &found, &next)
		c.followed.keep(next)
	}
	return nil
}

// between is the log from one place to another, where log is what follows behind what was read; not ok if that is too long, or not there.
func (f *follow) between(log io.ReaderAt, from, to int64) (text []byte, ok bool) {
	began := f.read.Size - int64(len(f.since))
	if from < began || to < from || to-from > sinceMost {
		return nil, false
	}
	text = make([]byte, to-from)
	n := 0
	if from < f.read.Size {
		n = copy(text, f.since[from-began:])
	}
	if n == len(text) {
		return text, true
	}
	more, _ := log.ReadAt(text[n:], from+int64(n)-f.read.Size) // which says so if that is the end
	return text, n+more == len(text)
}
