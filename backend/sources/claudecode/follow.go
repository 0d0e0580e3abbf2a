package claudecode

import (
	"context"

	"palimpsest/backend/keep"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

var _ sources.Follower = Source{}

// Follow is as [sources.Follower] has it. A further row of an answer that was
// written already, the summary of a compaction that was, and a row that stood otherwise before, make the reading begin anew.
func (s Source) Follow(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) (sources.Reading, error) {
	steps, ok := stepsOf(&found)
	if !ok {
		return nil, s.Read(ctx, env, found, log) // which says why not, or reads a subagent in the file of its session
	}
	return jsonl.Follow(ctx, found.Files[0], log, steps)
}

// Resume is as [sources.Follower] has it.
func (Source) Resume(_ context.Context, _ sources.Env, found sources.Found, kept *keep.State) (sources.Reading, error) {
	steps, ok := stepsOf(&found)
	if !ok {
		return nil, sources.ErrAnew
	}
	return jsonl.Resume(found.Files[0], kept, steps)
}

// stepsOf are those by which a session can be followed, if it can.
func stepsOf(found *sources.Found) (steps jsonl.Steps, ok bool) {
	if len(found.Files) == 0 || found.Within != "" {
		return steps, false
	}
	name, ok := nameOf(found)
	if !ok {
		return steps, false
	}
	r := newReader(name, isSub(name))
	return jsonl.Steps{On: r.on, State: r}, true
}

// on is as [jsonl.Steps] has it.
func (r *reader) on(ctx context.Context, file *jsonl.File, tail *jsonl.Tail, log *sources.Log) (next jsonl.Tail, ok bool, err error) {
	r.file, r.log = file, log
	defer func() { r.file, r.log = nil, nil }()
	r.index.from = tail.At
	var twice jsonl.Twice
	if err = tail.First(ctx, file, &twice, r.index.line); err != nil {
		return next, false, err
	}
	if r.index.back {
		return next, false, sources.ErrAnew
	}
	next, ok, err = tail.Second(ctx, file, &twice, jsonl.Broken(log), r.line)
	if err != nil {
		return next, false, err
	}
	aside := r.last()
	return next, ok && !aside, log.Err()
}
