package codex

import (
	"cmp"
	"context"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

var _ sources.Follower = Source{}

// Follow is as [sources.Follower] has it, for a thread that stands in one plain file and goes on from no other. An answer that may go on
// is written at the end of the file, and again with what follows.
func (s Source) Follow(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) (sources.Reading, error) {
	if len(found.Files) != 1 || !strings.HasSuffix(found.Files[0], ".jsonl") {
		return nil, s.Read(ctx, env, found, log)
	}
	head, err := headOf(found.Files[0])
	if err != nil || head.id != cmp.Or(found.Row, found.ID) || head.base != "" {
		return nil, s.Read(ctx, env, found, log)
	}
	f := &following{
		reader: newReader(log), tail: jsonl.Tail{Path: found.Files[0]}, first: head.first, copies: copies{thread: head.id, born: head.at},
	}
	ok, err := f.read(ctx, log)
	if err != nil || !ok {
		return nil, err
	}
	return f, nil
}

// following is a reading that can go on.
type following struct {
	*reader
	tail   jsonl.Tail
	first  int64
	copies copies
	// seq is the last record that stands; again are the lines behind it.
	seq   int64
	again []byte
	past  *sources.Past
}

// read reads from the tail on; not ok if it can't go on from the end.
func (f *following) read(ctx context.Context, log *sources.Log) (ok bool, err error) {
	file, err := f.tail.Open()
	if err != nil {
		return false, err
	}
	defer file.Close()
	f.log = log
	log.GoOn(f.past)
	next, ok, err := f.tail.Each(ctx, file, func(line sources.Line) {
		f.lines++
		f.flush()
		jsonl.Broken(log)(line)
	}, func(_ sources.Line, line gjson.Result) error {
		f.numbered(line, f.first, &f.copies, nil)
		return log.Err()
	})
	f.tail, f.seq, f.again, f.past = next, log.Next()-1, nil, log.Past()
	f.ending(log)
	if err == nil {
		err = log.Err()
	}
	f.log = nil
	return ok, err
}

// ending writes what is in hand as if nothing followed, and leaves it in hand.
func (f *following) ending(log *sources.Log) {
	end, nodes, steps := *f.reader, f.history.nodes.Len(), f.history.steps.Len()
	f.again = log.Lines(end.flush)
	f.history.nodes.Cut(nodes)
	f.history.steps.Cut(steps)
}

// Place is as [sources.Reading] has it, and so are the others.
func (f *following) Place() int64 { return f.tail.At }

// Seq is that of the last record that stands.
func (f *following) Seq() int64 { return f.seq }

// Again is what is in hand.
func (f *following) Again() []byte { return f.again }

// More reads on.
func (f *following) More(ctx context.Context, _ sources.Found, log *sources.Log) error {
	ok, err := f.read(ctx, log)
	if err == nil && !ok {
		return sources.ErrAnew
	}
	return err
}
