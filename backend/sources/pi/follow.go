package pi

import (
	"cmp"
	"context"

	"palimpsest/backend/keep"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

var _ sources.Follower = Source{}

// Follow is as [sources.Follower] has it: an entry is written where it stands, and nothing later changes that.
func (Source) Follow(ctx context.Context, _ sources.Env, found sources.Found, log *sources.Log) (sources.Reading, error) {
	if len(found.Files) == 0 {
		return nil, sources.ErrGone
	}
	return jsonl.Follow(ctx, found.Files[0], log, stepsOf(&found))
}

// Resume is as [sources.Follower] has it.
func (Source) Resume(_ context.Context, _ sources.Env, found sources.Found, kept *keep.State) (sources.Reading, error) {
	if len(found.Files) == 0 {
		return nil, sources.ErrGone
	}
	return jsonl.Resume(found.Files[0], kept, stepsOf(&found))
}

func stepsOf(found *sources.Found) jsonl.Steps {
	r := newReader(cmp.Or(found.Row, found.ID))
	return jsonl.Steps{On: r.on, State: r}
}

// on is as [jsonl.Steps] has it.
func (r *reader) on(ctx context.Context, file *jsonl.File, tail *jsonl.Tail, log *sources.Log) (next jsonl.Tail, ok bool, err error) {
	r.file, r.log = file, log
	defer func() { r.file, r.log = nil, nil }()
	next, ok, err = tail.Each(ctx, file, r.broken, r.line)
	if err != nil {
		return next, false, err
	}
	r.end()
	settled := r.settle()
	return next, ok && r.lanes == nil && !settled, log.Err() // else where it ends may not be where it stands
}
