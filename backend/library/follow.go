package library

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"time"

	"palimpsest/backend/edge"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// Tail is where a session that was read can be read on from. It holds no more than its source keeps for that, and nothing that is open.
type Tail struct {
	reading sources.Reading
	path    string
	// is tells which file that was.
	is os.FileInfo
	// rows tells that it is read on from rows of a database: whether those that stand are what they were, its reading knows.
	rows bool
	// sum is that of what stood before the place when it was read.
	sum edge.Sum
	// size and at are what the file was like: one that was written to and is not longer has another text before the place.
	size int64
	at   time.Time
	// beside is what its source said of what is beside the file: where that is another and nothing was appended, what was read is.
	beside string
	// keptAt is the place where it was kept last, and keptBytes what that took.
	keptAt, keptBytes int64
}

// follow reads a session so that it can be read on from, if its source can.
func (l *Library) follow(ctx context.Context, s *shelf, found sources.Found, log *sources.Log) (tail *Tail, err error) {
	defer recovered(&err, s.source, "reading a session")
	follower, ok := s.source.(sources.Follower)
	if !ok || found.FromCopy || len(found.Files) == 0 {
		return nil, l.readInto(ctx, s, found, log)
	}
	before, known := fileAt(found.Files[0])
	reading, err := follower.Follow(ctx, l.env, found.Theirs(), log)
	if err != nil || reading == nil || !known {
		return nil, err
	}
	tail = &Tail{reading: reading, path: found.Files[0], is: before, rows: found.InTables(), beside: found.Beside}
	if tail.look() != nil {
		return nil, nil //nolint:nilnil // it was read, and can't be read on from
	}
	return tail, nil
}

// fileAt says which file stands at a path. It is opened for that: some systems tell it of an open file alone.
func fileAt(path string) (os.FileInfo, bool) {
	file, err := jsonl.Open(path)
	if err != nil {
		return nil, false
	}
	defer file.Close()
	info, err := file.Stat()
	return info, err == nil
}

// look notes what was read up to the place.
func (t *Tail) look() error {
	file, info, err := t.open()
	if err != nil {
		return err
	}
	defer file.Close()
	if t.rows {
		return nil
	}
	if t.sum, err = t.sum.On(file, t.reading.Place()); err != nil {
		return errors.Join(err, sources.ErrAnew)
	}
	t.size, t.at = info.Size(), info.ModTime()
	return nil
}

// stands tells whether the file is what it was, but for what was appended. Not all of it is compared unless that is wanted: it was edited
// since the last look, a moment ago, and appended to, if something else than its end tells. What is new beside it is what it was appended to for.
func (t *Tail) stands(found *sources.Found, all bool) bool {
	file, info, err := t.open()
	if err != nil {
		return false
	}
	defer file.Close()
	if t.rows {
		return true
	}
	if info.Size() < t.size || info.Size() == t.size && (!info.ModTime().Equal(t.at) || t.beside != found.Beside) {
		return false
	}
	if all {
		sum, err := edge.Of(file, t.reading.Place())
		return err == nil && sum == t.sum.Value()
	}
	same, err := t.sum.Some(file)
	return err == nil && same
}

func (t *Tail) open() (*jsonl.File, os.FileInfo, error) {
	file, err := jsonl.Open(t.path) // a pipe that stands there now would be waited for
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err != nil || !os.SameFile(info, t.is) {
		_ = file.Close() // opened for reading
		return nil, nil, errors.Join(err, sources.ErrAnew)
	}
	return file, info, nil
}

// More reads what was appended to a session since, and does something with the lines that are new, and with those behind which it goes on and
// which take the place of [Pass.Was]; then the tail stands behind them. [sources.ErrAnew] says that it has to be read anew: it is another
// file, or what was appended changes what stands before. After any error, the tail is of no more use.
func (l *Library) More(ctx context.Context, found sources.Found, t *Tail, do func(Pass) error) error {
	ctx, done := l.during(ctx)
	defer done()
	out, err := l.newSpill(true)
	if err != nil {
		return err
	}
	defer out.remove()
	was := bytes.Clone(t.reading.Again())
	if err := t.onto(ctx, found, false, out, out.keep); err != nil {
		return err
	}
	lines, err := out.reader()
	if err != nil {
		return err
	}
	return do(Pass{Log: lines, Size: out.size, Stands: out.size - t.end(), Was: was, Blob: out.blob, Tail: t, Edge: t.edge(&found)})
}

// end is how much at the end of the log stands only as long as the session ends here; t may be nil.
func (t *Tail) end() int64 {
	if t == nil {
		return 0
	}
	return int64(len(t.reading.Again()))
}

// onto writes the lines behind those that stand, and hands what does not belong on a line to keep; all has everything before them compared.
// Errors are as of [Library.More].
func (t *Tail) onto(ctx context.Context, found sources.Found, all bool, out io.Writer, keep func([]byte) (string, error)) error {
	if !t.stands(&found, all) || len(found.Files) != 1 || found.Files[0] != t.path || found.Problem != "" || found.FromCopy {
		return sources.ErrAnew
	}
	log := sources.LogOf(&found, out, keep)
	log.Behind(t.reading.Seq())
	err := t.more(ctx, found, log)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case log.Err() != nil:
		return log.Err()
	case err != nil: // the whole of it says what is wrong
		return sources.ErrAnew
	}
	t.beside = found.Beside
	return t.look()
}

// more turns a panic into an error: reading it anew says what it was.
func (t *Tail) more(ctx context.Context, found sources.Found, log *sources.Log) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = sources.ErrAnew
		}
	}()
	return t.reading.More(ctx, found.Theirs(), log)
}
