package picoclaw

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/keep"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

var _ sources.Follower = Source{}

// Follow is as [sources.Follower] has it, for lines of which no database says what the model sees. What stands beside them has to go on saying
// the same.
func (s Source) Follow(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) (sources.Reading, error) {
	f := s.follows(ctx, env, &found)
	if f == nil {
		return nil, s.Read(ctx, env, found, log)
	}
	return jsonl.Follow(ctx, f.path, log, jsonl.Steps{On: f.on, End: f.end, State: f})
}

// Resume is as [sources.Follower] has it.
func (s Source) Resume(ctx context.Context, env sources.Env, found sources.Found, kept *keep.State) (sources.Reading, error) {
	f := s.follows(ctx, env, &found)
	if f == nil {
		return nil, sources.ErrAnew
	}
	return jsonl.Resume(f.path, kept, jsonl.Steps{On: f.on, End: f.end, State: f})
}

// follows is a reading that has not begun, nil of a session that can't be followed.
func (s Source) follows(ctx context.Context, env sources.Env, found *sources.Found) *following {
	if len(found.Files) != 1 || !strings.HasSuffix(found.Files[0], ".jsonl") {
		return nil
	}
	path := found.Files[0]
	f := &following{path: path, meta: readMeta(path)}
	id := cmp.Or(found.Row, found.ID)
	if f.meta.lost() || f.meta.key != "" && f.meta.key != id {
		return nil
	}
	f.remembered = func(ctx context.Context) bool {
		r, err := s.recall(ctx, env, path, namesOf(found, f.meta))
		if r != nil {
			r.close()
		}
		return r != nil || err != nil
	}
	if f.remembered(ctx) {
		return nil
	}
	f.summary = f.meta.summary
	return f
}

// following is a reading that can go on.
type following struct {
	reader
	path string
	meta meta
	// remembered tells whether a database says what the model sees.
	remembered func(ctx context.Context) bool `keep:"-"`
}

// on is as [jsonl.Steps] has it.
func (f *following) on(ctx context.Context, file *jsonl.File, tail *jsonl.Tail, log *sources.Log) (next jsonl.Tail, ok bool, err error) {
	switch now := readMeta(f.path); {
	case tail.At == 0:
		f.kept, err = behind(ctx, io.NewSectionReader(file, 0, file.Size), f.meta.skip)
	case now.lost() || !now.same(f.meta) || f.remembered(ctx):
		err = sources.ErrAnew
	}
	if err != nil {
		return next, false, fmt.Errorf("reading %s: %w", f.path, err)
	}
	f.log = log
	next, ok, err = tail.Each(ctx, file, f.broken, func(line sources.Line, rec gjson.Result) error { return f.message(rec, line.Offset) })
	sees := f.compacted // as long as no line is left that the model sees, it is not known how many are hidden
	f.compact()
	return next, ok && sees, err
}

// end is as [jsonl.Steps] has it: there is nothing that is so only as long as the file ends.
func (f *following) end(*sources.Log) { f.log = nil }

// lost tells whether what stands beside the messages can't be read; it need not be there.
func (m meta) lost() bool { return m.unread != nil && !errors.Is(m.unread, fs.ErrNotExist) }

// same tells whether what stands beside the messages says the same of them.
func (m meta) same(other meta) bool {
	return m.key == other.key && m.summary == other.summary && m.skip == other.skip
}
