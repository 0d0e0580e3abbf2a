package library

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// growing are the readings that were made last and can be read on from, the last one at the end: of a session that goes on while it is
// looked at, only what is new is read then.
type growing struct {
	mu  sync.Mutex
	all []grower
	// lines is how many were begun: each reading that was made from the beginning begins one, and those that grow of it are of the same.
	lines uint64
	// others are the last ones that other programs made of what they look at.
	others map[Ref]grower
}

type grower struct {
	ref  Ref
	id   string
	tail *Tail
	// line is the number of its line, 0 for a new one.
	line uint64
}

// growingMost is how many are kept: one is looked at, perhaps beside another.
const growingMost = 2

// keep notes that a reading can be read on from, or that it can't be if its tail is nil.
func (g *growing) keep(reading grower) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.all = slices.DeleteFunc(g.all, func(one grower) bool { return one.ref == reading.ref })
	if reading.tail == nil {
		return
	}
	if reading.line == 0 {
		g.lines++
		reading.line = g.lines
	}
	if g.all = append(g.all, reading); len(g.all) > growingMost {
		g.all = slices.Delete(g.all, 0, 1)
	}
}

// take takes out what is kept of a session.
func (g *growing) take(ref Ref) (grower, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	at := slices.IndexFunc(g.all, func(one grower) bool { return one.ref == ref })
	if at < 0 {
		return grower{}, false
	}
	one := g.all[at]
	g.all = slices.Delete(g.all, at, at+1)
	return one, true
}

// has tells whether the last reading of a session can be read on from.
func (g *growing) has(ref Ref) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.ContainsFunc(g.all, func(one grower) bool { return one.ref == ref })
}

// lineOf is the line that a reading is of, 0 if that is not known. One that another program made is of that of which it grew, or of a new one.
func (g *growing) lineOf(ref Ref, id, grew string) uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, one := range g.all {
		if one.id == id {
			return one.line
		}
	}
	if grew == "" {
		return 0
	}
	one := g.others[ref]
	if one.id != id && one.id != grew {
		g.lines++
		one.line = g.lines
	}
	if one.id = id; g.others == nil {
		g.others = map[Ref]grower{}
	}
	g.others[ref] = one
	return one.line
}

// grow makes a reading of the one before and of what was appended since. [sources.ErrAnew] says that all of the session has to be read.
func (l *Library) grow(ctx context.Context, r *Reading) error {
	ref := Ref{r.Agent, r.Session}
	before, ok := l.growing.take(ref)
	if !ok {
		return sources.ErrAnew
	}
	began := time.Now()
	f := &r.Found
	_, err := l.store.Grow(r.ID, before.id, asFound(f), f.CreatedAt, func(dir string, log *os.File) error {
		const buffer = 256 << 10 // a few lines are written at once
		out := bufio.NewWriterSize(log, buffer)
		behind := &behind{was: bytes.Clone(before.tail.reading.Again()), out: out}
		err := before.tail.onto(ctx, *f, !l.sure.is(ref, before.id), behind, keeper(dir))
		if err != nil {
			return err
		}
		if len(behind.was) > 0 {
			return sources.ErrAnew
		}
		if err := out.Flush(); err != nil {
			return fmt.Errorf("writing: %w", err)
		}
		r.Grew, r.Took = before.id, since(began).Milliseconds()
		l.compare(r, before.tail.edge(f))
		return r.writeTo(dir)
	})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil:
		before.id = r.ID
		l.growing.keep(before)
		return nil
	}
	r.Grew, r.Took, r.anew = "", 0, errors.Is(err, sources.ErrAnew)
	if errors.Is(err, session.ErrNotFound) || errors.Is(err, fs.ErrNotExist) { // somebody cleared the cache
		err = sources.ErrAnew
	}
	return fmt.Errorf("reading on: %w", err)
}

// behind passes on what is written behind the lines that are there already and are written once more, as they are.
type behind struct {
	was []byte
	out io.Writer
}

func (b *behind) Write(p []byte) (int, error) {
	n := min(len(p), len(b.was))
	if !bytes.Equal(p[:n], b.was[:n]) {
		return 0, sources.ErrAnew
	}
	b.was = b.was[n:]
	if n == len(p) {
		return n, nil
	}
	more, err := b.out.Write(p[n:])
	return n + more, err //nolint:wrapcheck // stands for the writer it wraps
}
