package jsonl

import (
	"context"
	"fmt"

	"palimpsest/backend/keep"
	"palimpsest/backend/sources"
)

// Steps are how a source reads a file of lines so that it can go on where the file ended.
type Steps struct {
	// On reads what stands behind a tail. It returns the one to go on from; not ok if what follows there may change what was written.
	On func(ctx context.Context, file *File, tail *Tail, log *sources.Log) (next Tail, ok bool, err error)
	// End writes what is so only as long as the file ends here, and leaves all else as it was; nil where nothing is.
	End func(log *sources.Log)
	// State points to all that they know.
	State any
}

// Follow reads a file, and returns a reading that can go on; none if it can't.
func Follow(ctx context.Context, path string, log *sources.Log, steps Steps) (sources.Reading, error) {
	r := &following{steps: steps, tail: Tail{Path: path}}
	ok, err := r.read(ctx, log)
	if err != nil || !ok {
		return nil, err
	}
	return r, nil
}

// Resume is the reading of a file that was kept: steps know nothing yet.
func Resume(path string, kept *keep.State, steps Steps) (sources.Reading, error) {
	r := &following{steps: steps}
	if r.Keep(kept); kept.Err() != nil {
		return nil, kept.Err()
	}
	if r.tail.Path != path {
		return nil, fmt.Errorf("%s was kept, and not %s: %w", r.tail.Path, path, sources.ErrAnew)
	}
	return r, nil
}

// following is a reading that can go on.
type following struct {
	steps Steps
	tail  Tail
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
	log.GoOn(f.past)
	next, ok, err := f.steps.On(ctx, file, &f.tail, log)
	if err != nil {
		return false, err
	}
	f.tail, f.seq, f.past = next, log.Next()-1, log.Past()
	if f.steps.End != nil {
		f.again = log.Lines(func() { f.steps.End(log) })
	}
	return ok, log.Err()
}

// Keep is as [keep.Keeper] has it.
func (f *following) Keep(s *keep.State) {
	s.Values(&f.tail, &f.seq, &f.again, &f.past, f.steps.State)
}

// Place is as [sources.Reading] has it, and so are the others.
func (f *following) Place() int64 { return f.tail.At }

// Seq is that of the last record that stands.
func (f *following) Seq() int64 { return f.seq }

// Again is what stands only as long as the file ends there.
func (f *following) Again() []byte { return f.again }

// More reads on.
func (f *following) More(ctx context.Context, _ sources.Found, log *sources.Log) error {
	ok, err := f.read(ctx, log)
	if err == nil && !ok {
		return sources.ErrAnew
	}
	return err
}
