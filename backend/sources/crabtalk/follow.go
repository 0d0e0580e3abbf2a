package crabtalk

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/keep"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

var _ sources.Follower = Source{}

// Follow is as [sources.Follower] has it, for a file of lines. An answer waits for what its run tells of it.
func (s Source) Follow(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) (sources.Reading, error) {
	if !inLines(&found) {
		return nil, s.Read(ctx, env, found, log)
	}
	reading, err := jsonl.Follow(ctx, found.Files[0], log, stepsOf(found.Files[0]))
	if errors.Is(err, sources.ErrGone) { // or it has another name
		return nil, s.Read(ctx, env, found, log)
	}
	return reading, err
}

// Resume is as [sources.Follower] has it.
func (Source) Resume(_ context.Context, _ sources.Env, found sources.Found, kept *keep.State) (sources.Reading, error) {
	if !inLines(&found) {
		return nil, sources.ErrAnew
	}
	return jsonl.Resume(found.Files[0], kept, stepsOf(found.Files[0]))
}

// inLines tells of a session in a file of lines.
func inLines(found *sources.Found) bool {
	return len(found.Files) == 1 && found.Problem == "" && !inFolder(found.Files[0]) && strings.HasSuffix(found.Files[0], ".jsonl")
}

func stepsOf(path string) jsonl.Steps {
	r := &reader{}
	on := func(ctx context.Context, file *jsonl.File, tail *jsonl.Tail, log *sources.Log) (next jsonl.Tail, ok bool, err error) {
		r.log, r.memory = log, memoryOfSession(path)
		defer func() { r.memory.close() }()
		if !r.asTold() {
			return *tail, false, nil
		}
		return tail.Each(ctx, file, jsonl.Broken(log), func(line sources.Line, rec gjson.Result) error {
			return r.record(rec, fmt.Sprintf("line %d", line.Number))
		})
	}
	return jsonl.Steps{On: on, End: r.end, State: r}
}

// end is as [jsonl.Steps] has it: the answer that waits.
func (r *reader) end(*sources.Log) {
	waits := r.answer
	r.flush()
	r.answer, r.log, r.memory = waits, nil, nil
}
