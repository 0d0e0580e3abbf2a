package backend

import (
	"context"
	"errors"
	"fmt"
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
// read. What is kept of one is what its source needs for that, and the log since a person last said something; or, where a reading of it was
// read, which one.
type followed struct {
	mu  sync.Mutex
	all []follow
}

type follow struct {
	id   string
	tail *library.Tail
	// since is the log from the last message of a person on, up to the size that the digest is of.
	since []byte
	size  int64
	// sum is that of a log of ours.
	sum edge.Sum
	// line is that of the reading which the digest is of, and read what was read of it.
	line uint64
	read digest.Mark
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
	ok = ok && before.Continue != nil
	if ok && one.tail != nil && one.size == before.Continue.Size {
		err := c.readMore(ctx, row, before, found, one, opts)
		if !errors.Is(err, sources.ErrAnew) && !errors.Is(err, digest.ErrAnew) {
			return err
		}
	}
	return c.b.library.Follow(ctx, found, func(p library.Pass) error {
		opts.Blob, opts.Edge, opts.Begins = blobs(p.Blob), p.Edge, ok && p.Line != 0 && p.Line == one.line && *before.Continue == one.read
		d, err := c.store(ctx, row, before, reading{p.Log, p.Size, opts}, pass)
		if err == nil && d.Continue != nil {
			c.followed.after(row.ID, p, d.Continue)
		}
		return err
	})
}

// after keeps what there is to read on from behind a session that was read to its end.
func (f *followed) after(id string, p library.Pass, end *digest.Mark) {
	switch {
	case p.Line != 0:
		f.keep(follow{id: id, line: p.Line, read: *end})
	case p.Tail != nil && end.Size-end.Turn <= sinceMost:
		since := make([]byte, end.Size-end.Turn)
		if n, _ := p.Log.ReadAt(since, end.Turn); n == len(since) && p.Size == end.Size {
			f.keep(follow{id: id, tail: p.Tail, since: since, size: p.Size})
		}
	}
}

// readMore reads what was appended.
func (c *stock) readMore(ctx context.Context, row index.Session, before *digest.Digest, found sources.Found, one follow, opts digest.Options) error {
	var d *digest.Digest
	err := c.b.library.More(ctx, found, one.tail, func(p library.Pass) error {
		if p.Size > sinceMost {
			return sources.ErrAnew
		}
		appended, err := io.ReadAll(io.NewSectionReader(p.Log, 0, p.Size))
		if err != nil {
			return fmt.Errorf("reading what was appended: %w", err)
		}
		opts.Blob, opts.Edge = blobs(p.Blob), p.Edge
		d, err = c.add(ctx, row, func(emit func(index.Text) error) (*digest.Digest, error) {
			return digest.More(before, one.since, appended, opts, emit)
		})
		if err == nil {
			one.since = append(one.since, appended...)
			one.size += p.Size
		}
		return err
	})
	if d == nil {
		return err
	}
	// It is in the index. That the tail can't be looked at again only means that it is not kept.
	if err == nil && d.Continue != nil && one.size-d.Continue.Turn <= sinceMost {
		one.since = slices.Clone(one.since[int64(len(one.since))-(one.size-d.Continue.Turn):])
		c.followed.keep(one)
	}
	return nil
}
