package backend

import (
	"context"
	"io"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/pi"
)

// marking sets the mark of who reads, in the middle of a reading that has told of nothing yet.
type marking struct {
	pi.Source
	before, after func()
}

func (m marking) Read(ctx context.Context, _ sources.Env, _ sources.Found, _ *sources.Log) error {
	m.before()
	err := sources.Lines(ctx, &images{left: 3}, func(sources.Line) error { return nil })
	m.after()
	return err
}

// images are lines that say nothing.
type images struct{ left int }

func (i *images) Read(p []byte) (int, error) {
	if i.left--; i.left < 0 {
		return 0, io.EOF
	}
	return copy(p, "{}\n"), nil
}

// TestWhoReadsIsSeenToGetFurther, also while nothing goes into the index; who reads nothing is not.
func TestWhoReadsIsSeenToGetFurther(t *testing.T) {
	home, cache, own := t.TempDir(), t.TempDir(), t.TempDir()
	writePi(t, home, piSession())
	program := func(source sources.Source) *Backend {
		b, err := Open(Options{Home: own, UserHome: home, Cache: cache, Sources: []sources.Source{source}})
		newsMust(t, err)
		t.Cleanup(b.Close)
		_, err = b.openIndex()
		newsMust(t, err)
		return b
	}
	other := program(pi.Source{})
	var reading *Backend
	seen := func() int64 {
		reading.indexing.stock.turn.sign()
		n, err := other.indexing.stock.turn.others(t.Context(), other.indexing.index)
		newsMust(t, err)
		return n
	}
	var first, second int64
	times := 0
	reading = program(marking{before: func() {
		first = seen()
		if seen() != first {
			t.Error("who reads nothing is seen to get further")
		}
	}, after: func() { times++; second = seen() }})
	newsMust(t, reading.Scan(t.Context(), false, nil))
	if times == 0 || first == second {
		t.Errorf("who reads is not seen to get further: %d, %d", first, second)
	}
}

// TestStatusWhileAnotherReads: how far the index is, a program that reads nothing itself tells of whoever does.
func TestStatusWhileAnotherReads(t *testing.T) {
	home, cache, own := t.TempDir(), t.TempDir(), t.TempDir()
	writePi(t, home, piSession())
	program := func(source sources.Source) *Backend {
		b, err := Open(Options{Home: own, UserHome: home, Cache: cache, Sources: []sources.Source{source}})
		newsMust(t, err)
		t.Cleanup(b.Close)
		return b
	}
	other := program(pi.Source{})
	is := func(when, state string, waiting int) {
		if s, err := other.IndexStatus(t.Context()); err != nil || s.State != state || s.Waiting != waiting || s.Sessions != 1 {
			t.Errorf("%s: %+v, %v", when, s, err)
		}
	}
	is("before", stateIdle, 1)
	times := 0
	reading := program(marking{before: func() { times++; is("meanwhile", stateScan, 1) }, after: func() {}})
	newsMust(t, reading.Scan(t.Context(), false, nil))
	if times == 0 {
		t.Error("nothing was read")
	}
	is("then", stateIdle, 0)
}
