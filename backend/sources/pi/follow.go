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
	r := newReader(cmp.Or(found.Row, found.ID))
	return jsonl.Follow(ctx, found.Files[0], log, jsonl.Steps{On: r.on})
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
