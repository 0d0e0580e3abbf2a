package library

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"sync"
	"time"

	"palimpsest/backend/edge"
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
	ref Ref
	id  string
	// made is when it was made.
	made int64
	tail *Tail
	// line is the number of its line, 0 for a new one.
	line uint64
	// stands is a sum of what stands of its log, whatever is appended.
	stands edge.Sum
	// stood is what was counted of what stood when an end was taken back last; nil if none was.
	stood *session.Metadata
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

// lineOf is the line that a reading is of, 0 if that is not known, and how much of its end may be taken back in that. One that another program made
// is of that of which it grew, or of a new one.
func (g *growing) lineOf(ref Ref, id, grew string) (line uint64, end int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, one := range g.all {
		if one.id == id {
			return one.line, one.tail.end()
		}
	}
	if grew == "" {
		return 0, 0
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
	return one.line, 0
}

// grow makes a reading of the one before and of what was appended since. Where its end is another one now, the reading begins with what stands
// whatever follows, and did not grow of the one before. [sources.ErrAnew] says that all of the session has to be read.
func (l *Library) grow(ctx context.Context, r *Reading) error {
	ref := Ref{r.Agent, r.Session}
	before, ok := l.growing.take(ref)
	if !ok {
		return sources.ErrAnew
	}
	began := time.Now()
	f := &r.Found
	next := before
	_, err := l.store.GrowOf(r.ID, before.id, asFound(f), f.CreatedAt, func(dir string, begin session.Begin) error {
		was := bytes.Clone(before.tail.reading.Again())
		end, err := l.newSpill(true)
		if err != nil {
			return err
		}
		defer end.remove()
		if err := before.tail.onto(ctx, *f, !l.sure.is(ref, before.id), end, keeper(dir)); err != nil {
			return err
		}
		lines, err := end.reader()
		if err != nil {
			return err
		}
		var stood *session.Metadata
		same := startsWith(lines, was)
		if same {
			r.Grew = before.id
		} else {
			if err := leavesNone(was, lines, end.size); err != nil {
				return err
			}
			if stood, err = l.stood(&before, len(was)); err != nil {
				return err
			}
			r.Begun, next.stood, was = before.id, stood, nil
		}
		log, err := begin(stood)
		if err != nil {
			return err
		}
		if _, err := io.Copy(log, io.NewSectionReader(lines, int64(len(was)), end.size-int64(len(was)))); err != nil {
			return fmt.Errorf("writing: %w", err)
		}
		r.Of, r.Made, r.End, r.Took = before.made, time.Now().UnixNano(), before.tail.end(), since(began).Milliseconds()
		l.compare(r, before.tail.edge(f))
		if next.stands, err = r.seal(dir, before.stands); err != nil {
			return err
		}
		return r.writeTo(dir)
	})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil:
		next.id, next.made = r.ID, r.Made
		l.growing.keep(next)
		return nil
	}
	r.slip, r.anew = slip{Agent: r.Agent, Session: r.Session, Stamp: r.Stamp}, errors.Is(err, sources.ErrAnew)
	if errors.Is(err, session.ErrNotFound) || errors.Is(err, fs.ErrNotExist) { // somebody cleared the cache
		err = sources.ErrAnew
	}
	return fmt.Errorf("reading on: %w", err)
}

// stood counts what stands of a reading that ends with so many bytes that may be taken back.
func (l *Library) stood(before *grower, end int) (*session.Metadata, error) {
	m, err := l.store.Metadata(before.id)
	if err != nil {
		return nil, err
	}
	if m.Log == nil || m.Log.Size < int64(end) {
		return nil, sources.ErrAnew
	}
	stood, err := l.store.Counted(before.id, before.stood, m.Log.Size-int64(end))
	if err == nil && stood.Log == nil {
		err = sources.ErrAnew
	}
	return &stood, err
}

var blobOf = regexp.MustCompile(`"blob":"([0-9a-f]{64})"`)

// leavesNone fails with [sources.ErrAnew] where what was kept beside lines that are taken back is not beside those in their place: nothing would
// show it, and of an answer that comes bit by bit there would be very much.
func leavesNone(was []byte, lines io.ReaderAt, size int64) error {
	blobs := blobOf.FindAllSubmatch(was, -1)
	if blobs == nil {
		return nil
	}
	now := make([]byte, size)
	if n, err := lines.ReadAt(now, 0); n < len(now) {
		return fmt.Errorf("reading what was written: %w", err)
	}
	for _, blob := range blobs {
		if !bytes.Contains(now, blob[1]) {
			return sources.ErrAnew
		}
	}
	return nil
}

// startsWith tells whether lines start with these.
func startsWith(lines io.ReaderAt, these []byte) bool {
	start := make([]byte, len(these))
	n, _ := lines.ReadAt(start, 0)
	return bytes.Equal(start[:n], these)
}
