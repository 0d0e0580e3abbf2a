package library

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"palimpsest/backend/sources"
)

// Pass is a session while it is read, and not kept.
type Pass struct {
	Log  io.ReaderAt
	Size int64
	// Stands is how much of the log stands whatever is appended to the session: the rest is so only as long as that ends there. Was is such a
	// rest, of the log that is read on, in whose place this one is.
	Stands int64
	Was    []byte
	Blob   Blob
	// Problem is why the source did not read to the end, empty if it did.
	Problem string
	// Shown tells that its lines were shown while they were read. Then Log is nil or, where there is a Tail, the last MiB of it.
	Shown bool
	// Tail is what the session can be read on from, nil if it can't.
	Tail *Tail
	// Edge is [Library.Edge] of what was read, 0 if that is not known.
	Edge uint32
	// Line is one of readings that were made of each other, 0 if that is not known: each begins with what stands of those before.
	Line uint64
}

// Blob is a text beside a log; not ok if it is longer than most, or not there.
type Blob func(sha string, most int64) (text string, ok bool)

// Pass reads a session that was found, and does something with what was read. A reading that is there already does; else none is kept:
// a small one is only in memory, and a large one in a directory that is removed. What has to be read is shown while that happens, if show
// is not nil, and then only its end is held, and that only where there is a tail: of a session that may be worth to be kept. Whoever wants to
// stop it in the middle ends ctx, or returns an error.
func (l *Library) Pass(ctx context.Context, found sources.Found, show func(Blob) sources.Show, do func(Pass) error) error {
	return l.pass(ctx, found, passing{show: show, follow: growsOn(&found)}, do)
}

// Follow is [Library.Pass] for who wants to read on later: see [Library.More].
func (l *Library) Follow(ctx context.Context, found sources.Found, do func(Pass) error) error {
	return l.pass(ctx, found, passing{follow: true}, do)
}

// passing is how a session is read.
type passing struct {
	show   func(Blob) sources.Show
	follow bool
}

func (l *Library) pass(ctx context.Context, found sources.Found, how passing, do func(Pass) error) error {
	ctx, done := l.during(ctx)
	defer done()
	ref := Ref{found.Agent, found.ID}
	if found.Problem != "" {
		return unreadable(&found)
	}
	if used, err := l.passKept(found, do); used {
		return err
	}
	for _, s := range l.shelves {
		if s.source.Agent() == found.Agent {
			if err := l.passThrough(ctx, s, found, how, do); err != nil {
				return fmt.Errorf("session %s: %w", ref, err)
			}
			return nil
		}
	}
	return fmt.Errorf("session %s: %w", ref, sources.ErrGone)
}

// passKept uses the reading that is there.
func (l *Library) passKept(found sources.Found, do func(Pass) error) (used bool, err error) {
	id, ok := l.hasKept(&found)
	kept, err := l.slipOf(id)
	if !ok || err != nil || !l.intact(id, &kept) || !l.holds(&found, id, &kept) {
		return false, nil
	}
	log, err := l.store.OpenLog(id)
	if err != nil {
		return false, nil
	}
	defer func() { _ = log.Close() }() // opened for reading
	meta, err := l.store.Metadata(id)
	if err != nil || meta.Log == nil {
		return false, nil
	}
	pass := Pass{Log: log, Size: meta.Log.Size, Blob: BlobsIn(l.dir(id)), Problem: kept.Problem, Edge: kept.Edge}
	line, end := l.growing.lineOf(Ref{found.Agent, found.ID}, id, kept.Grew)
	pass.Line, pass.Stands = line, pass.Size-end
	return true, do(pass)
}

// BlobsIn reads texts that are kept in the directory of a session.
func BlobsIn(dir string) Blob {
	return func(sha string, most int64) (string, bool) {
		path := filepath.Join(dir, "blobs", filepath.Base(sha))
		info, err := os.Stat(path)
		if err != nil || info.Size() > most {
			return "", false
		}
		text, err := os.ReadFile(path)
		return string(text), err == nil
	}
}

func (l *Library) passThrough(ctx context.Context, s *shelf, found sources.Found, how passing, do func(Pass) error) error {
	out, err := l.newSpill(how.show == nil)
	if err != nil {
		return err
	}
	defer out.remove()
	if how.show != nil && how.follow {
		out.end = &ending{}
	}
	log := sources.LogOf(&found, out, out.keep)
	if how.show != nil {
		log.Show(how.show(out.blob))
	}
	var tail *Tail
	var why error
	if how.follow {
		tail, why = l.follow(ctx, s, found, log)
	} else {
		why = l.readInto(ctx, s, found, log)
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case log.Err() != nil:
		return log.Err()
	case errors.Is(why, sources.ErrGone):
		return why
	case why != nil && log.Next() == 1 && log.Damaged() == 0:
		return fmt.Errorf("%w: %w", ErrUnreadable, why)
	}
	pass := Pass{Blob: out.blob, Size: out.size, Stands: out.size - tail.end(), Shown: how.show != nil, Tail: tail}
	if tail != nil {
		pass.Edge = tail.edge(&found)
	}
	if why != nil {
		pass.Problem = why.Error()
	}
	if pass.Shown {
		if out.end != nil {
			pass.Log = out.end
		}
		return do(pass)
	}
	if pass.Log, err = out.reader(); err != nil {
		return err
	}
	return do(pass)
}
