package crabtalk

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

var _ sources.Follower = Source{}

// Follow is as [sources.Follower] has it, for a file of lines. An answer waits for what its run tells of it.
func (s Source) Follow(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) (sources.Reading, error) {
	if len(found.Files) != 1 || found.Problem != "" || inFolder(found.Files[0]) || !strings.HasSuffix(found.Files[0], ".jsonl") {
		return nil, s.Read(ctx, env, found, log)
	}
	path := found.Files[0]
	r := newReader(log, path)
	reading, err := jsonl.Follow(ctx, path, log, jsonl.Steps{
		On: func(ctx context.Context, file *jsonl.File, tail *jsonl.Tail, log *sources.Log) (next jsonl.Tail, ok bool, err error) {
			r.log, r.memory = log, memoryOfSession(path)
			defer func() { r.memory.close() }()
			return tail.Each(ctx, file, jsonl.Broken(log), func(line sources.Line, rec gjson.Result) error {
				return r.record(rec, fmt.Sprintf("line %d", line.Number))
			})
		},
		End: r.end,
	})
	if errors.Is(err, sources.ErrGone) { // or it has another name
		return nil, s.Read(ctx, env, found, log)
	}
	return reading, err
}

// end is as [jsonl.Steps] has it: the answer that waits.
func (r *reader) end(*sources.Log) {
	waits := r.answer
	r.flush()
	r.answer, r.log, r.memory = waits, nil, nil
}
