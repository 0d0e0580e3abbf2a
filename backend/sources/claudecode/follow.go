package claudecode

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

var _ sources.Follower = Source{}

// Follow is as [sources.Follower] has it, but where a subagent spoke last in its parent's file. A further row of an answer that was
// written already, the summary of a compaction that was, and a row that stood otherwise before, make the reading begin anew.
func (s Source) Follow(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) (sources.Reading, error) {
	if len(found.Files) == 0 {
		return nil, sources.ErrGone
	}
	name := strings.TrimSuffix(filepath.Base(found.Files[0]), ".jsonl")
	if id := cmp.Or(found.Row, found.ID); name != id && !strings.HasSuffix(id, "."+name) {
		return nil, s.Read(ctx, env, found, log) // which says why not
	}
	f := &following{reader: newReader(name), tail: jsonl.Tail{Path: found.Files[0]}}
	ok, err := f.read(ctx, log)
	if err != nil || !ok {
		return nil, err
	}
	return f, nil
}

// following is a reading that can go on.
type following struct {
	*reader
	tail jsonl.Tail
	seq  int64
	past *sources.Past
}

// read reads from the tail on; not ok if it can't go on from the end.
func (f *following) read(ctx context.Context, log *sources.Log) (ok bool, err error) {
	file, err := f.tail.Open()
	if err != nil {
		return false, err
	}
	defer file.Close()
	f.file, f.log = file, log
	log.GoOn(f.past)
	f.index.from = f.tail.At
	if _, _, err = f.tail.Each(ctx, file, nil, f.index.line); err != nil {
		return false, err
	}
	if f.index.back {
		return false, sources.ErrAnew
	}
	next, ok, err := f.tail.Each(ctx, file, jsonl.Broken(log), func(line sources.Line, rec gjson.Result) error { return f.line(line, rec) })
	aside := f.last()
	if err == nil {
		err = log.Err()
	}
	f.file, f.log, f.tail, f.seq, f.past = nil, nil, next, log.Next()-1, log.Past()
	return ok && !aside, err
}

// Place is as [sources.Reading] has it, and so are the others.
func (f *following) Place() int64 { return f.tail.At }

// Seq is that of the last record.
func (f *following) Seq() int64 { return f.seq }

// Again is nothing: what was written stands.
func (f *following) Again() []byte { return nil }

// More reads on.
func (f *following) More(ctx context.Context, _ sources.Found, log *sources.Log) error {
	ok, err := f.read(ctx, log)
	if err == nil && !ok {
		return sources.ErrAnew
	}
	return err
}
