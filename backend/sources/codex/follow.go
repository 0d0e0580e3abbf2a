package codex

import (
	"cmp"
	"context"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/keep"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

var _ sources.Follower = Source{}

// Follow is as [sources.Follower] has it, for a thread that stands in one plain file and goes on from no other. An answer that may go on
// is written at the end of the file, and again with what follows.
func (s Source) Follow(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) (sources.Reading, error) {
	steps, ok := stepsOf(&found)
	if !ok {
		return nil, s.Read(ctx, env, found, log)
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

// stepsOf are those by which a thread can be followed, if it can.
func stepsOf(found *sources.Found) (steps jsonl.Steps, ok bool) {
	if len(found.Files) != 1 || !strings.HasSuffix(found.Files[0], ".jsonl") {
		return steps, false
	}
	head, err := headOf(found.Files[0])
	if err != nil || head.id != cmp.Or(found.Row, found.ID) || head.base != "" {
		return steps, false
	}
	f := &following{reader: newReader(nil), first: head.first, copies: copies{thread: head.id, born: head.at}}
	return jsonl.Steps{On: f.on, End: f.end, State: f}, true
}

// following is a reading that can go on.
type following struct {
	*reader
	first  int64
	copies copies
}

// on is as [jsonl.Steps] has it.
func (f *following) on(ctx context.Context, file *jsonl.File, tail *jsonl.Tail, log *sources.Log) (next jsonl.Tail, ok bool, err error) {
	f.log = log
	return tail.Each(ctx, file, func(line sources.Line) {
		f.lines++
		f.flush()
		jsonl.Broken(log)(line)
	}, func(_ sources.Line, line gjson.Result) error {
		f.numbered(line, f.first, &f.copies, nil)
		return log.Err()
	})
}

// end writes what is in hand as if nothing followed, and leaves it in hand.
func (f *following) end(*sources.Log) {
	end, nodes, steps := *f.reader, f.history.nodes.Len(), f.history.steps.Len()
	end.flush()
	f.history.nodes.Cut(nodes)
	f.history.steps.Cut(steps)
	f.log = nil
}
