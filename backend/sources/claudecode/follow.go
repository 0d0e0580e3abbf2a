package claudecode

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

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
	r := newReader(name)
	return jsonl.Follow(ctx, found.Files[0], log, jsonl.Steps{On: r.on})
}

// on is as [jsonl.Steps] has it.
func (r *reader) on(ctx context.Context, file *jsonl.File, tail *jsonl.Tail, log *sources.Log) (next jsonl.Tail, ok bool, err error) {
	r.file, r.log = file, log
	defer func() { r.file, r.log = nil, nil }()
	r.index.from = tail.At
	if _, _, err = tail.Each(ctx, file, nil, r.index.line); err != nil {
		return next, false, err
	}
	if r.index.back {
		return next, false, sources.ErrAnew
	}
	next, ok, err = tail.Each(ctx, file, jsonl.Broken(log), r.line)
	if err != nil {
		return next, false, err
	}
	aside := r.last()
	return next, ok && !aside, log.Err()
}
