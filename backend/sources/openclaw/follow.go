package openclaw

import (
	"context"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/keep"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

var _ sources.Follower = Source{}

// Follow is as [sources.Follower] has it, for what stands in a plain file, or in a database that marks what is rewritten. Where a leaf moved the
// conversation, it stands there as long as nothing follows. What decides otherwise about what stands before, such as another model, has all
// read anew.
func (s Source) Follow(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) (sources.Reading, error) {
	if len(found.Files) > 0 && inDatabase(&found) {
		return s.followRows(ctx, env, found, log)
	}
	if !inLines(&found) {
		return nil, s.Read(ctx, env, found, log)
	}
	return jsonl.Follow(ctx, found.Files[0], log, s.stepsOf(&found))
}

// Resume is as [sources.Follower] has it: no reading of rows is kept.
func (s Source) Resume(_ context.Context, _ sources.Env, found sources.Found, kept *keep.State) (sources.Reading, error) {
	if !inLines(&found) {
		return nil, sources.ErrAnew
	}
	return jsonl.Resume(found.Files[0], kept, s.stepsOf(&found))
}

// inLines tells of a session in a plain file.
func inLines(found *sources.Found) bool {
	return len(found.Files) == 1 && strings.HasSuffix(found.Files[0], ".jsonl")
}

func (s Source) stepsOf(found *sources.Found) jsonl.Steps {
	r := newReader(s.Agent(), rowOf(found), transcript(found.Files[0]))
	return jsonl.Steps{On: r.on, End: r.end, State: r}
}

// on is as [jsonl.Steps] has it.
func (r *reader) on(ctx context.Context, file *jsonl.File, tail *jsonl.Tail, log *sources.Log) (next jsonl.Tail, ok bool, err error) {
	err = r.entries(ctx, log, func(ctx context.Context, broken func(sources.Line), visit func(gjson.Result) error) error {
		next, ok, err = tail.Each(ctx, file, broken, func(_ sources.Line, rec gjson.Result) error { return visit(unwrap(rec)) })
		return err
	})
	return next, ok, err
}

// entries reads those that are new. It fails with [sources.ErrAnew] where they decide otherwise about what stands before.
func (r *reader) entries(ctx context.Context, log *sources.Log, more events) error {
	r.ctx, r.log = ctx, log
	if r.seer != nil {
		entries, before := r.tree.nodes.Len(), r.ahead
		if err := more(ctx, nil, r.seer.event); err != nil {
			return err
		}
		if r.ahead = r.seer.foresees(); r.count > 0 && !r.ahead.stands(before, entries) {
			return sources.ErrAnew
		}
	}
	return more(ctx, jsonl.Broken(log), r.event)
}

// end is as [jsonl.Steps] has it.
func (r *reader) end(*sources.Log) {
	stood := r.last
	r.turn(r.tree.leaf, sources.Meta{Entry: "leaf"})
	r.last, r.ctx, r.log = stood, nil, nil
}
