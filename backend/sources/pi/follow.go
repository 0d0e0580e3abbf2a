package pi

import (
	"cmp"
	"context"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

var _ sources.Follower = Source{}

// Follow is as [sources.Follower] has it: an entry is written where it stands, and nothing later changes that.
func (Source) Follow(ctx context.Context, _ sources.Env, found sources.Found, log *sources.Log) (sources.Reading, error) {
	if len(found.Files) == 0 {
		return nil, sources.ErrGone
	}
	r := &following{reader: newReader(cmp.Or(found.Row, found.ID)), tail: jsonl.Tail{Path: found.Files[0]}}
	ok, err := r.read(ctx, log)
	if err != nil || !ok {
		return nil, err
	}
	return r, nil
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
	next, ok, err := f.tail.Each(ctx, file, f.broken, f.line)
	settled := false
	if err == nil {
		f.end()
		settled = f.settle()
		err = log.Err()
	}
	ok = ok && f.lanes == nil && !settled // else where it ends may not be where it stands
	f.file, f.log, f.tail, f.seq, f.past = nil, nil, next, log.Next()-1, log.Past()
	return ok, err
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
