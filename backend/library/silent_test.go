package library

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"palimpsest/backend/reach"
	"palimpsest/backend/sources"
)

// TestSilentRoot: sessions in a folder that stops answering are told of as such, without a look for them, those of others are there as
// ever, and all are there again once it answers.
func TestSilentRoot(t *testing.T) {
	r := newRig(t)
	r.write("one/a", "x")
	r.write("two/b", "x")
	one, two := &shop{name: "one"}, &shop{name: "two"}
	var silent atomic.Bool
	away := reach.New()
	away.Patience = time.Minute
	away.Look = func(folder, _ string) error {
		if silent.Load() && strings.HasPrefix(folder, filepath.Join(r.home, "one")) {
			return reach.ErrNoAnswer
		}
		return nil
	}
	l := Open(Options{Cache: r.cache, Home: r.home, Getenv: os.Getenv, Sources: []sources.Source{one, two}, Reach: away})
	t.Cleanup(l.Close)
	list := func() Listing {
		t.Helper()
		all, err := l.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	if all := list(); len(all.Found) != 2 || len(all.Hidden) != 0 || len(all.Silent) != 0 {
		t.Fatalf("%+v", all)
	}
	silent.Store(true)
	searches := one.searches
	all := list()
	if len(all.Found) != 1 || all.Found[0].ID != "b" || len(all.Hidden) != 1 || all.Hidden[0].ID != "a" || !errors.Is(all.Silent["one"], reach.ErrNoAnswer) || all.Searched["one"] || !all.Searched["two"] || len(all.Problems) != 1 {
		t.Errorf("%+v", all)
	}
	if _, err := l.Lookup(t.Context(), Ref{"one", "a"}); !errors.Is(err, reach.ErrNoAnswer) {
		t.Error(err)
	}
	if one.searches != searches {
		t.Error("it was looked for in a folder that does not answer")
	}
	silent.Store(false)
	if all := list(); len(all.Found) != 2 || len(all.Hidden) != 0 || len(all.Problems) != 0 {
		t.Errorf("%+v", all)
	}
}

// TestSilentThenFailing: what was found before a folder stopped answering is known, too, where looking into it fails once it does.
func TestSilentThenFailing(t *testing.T) {
	r := newRig(t)
	r.write("one/a", "x")
	one := &shop{name: "one"}
	var silent atomic.Bool
	away := reach.New()
	away.Look = func(string, string) error {
		if silent.Load() {
			return reach.ErrNoAnswer
		}
		return nil
	}
	l := Open(Options{Cache: r.cache, Home: r.home, Getenv: os.Getenv, Sources: []sources.Source{one}, Reach: away})
	t.Cleanup(l.Close)
	for _, now := range []bool{false, true, false} {
		silent.Store(now)
		if _, err := l.List(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(filepath.Join(r.home, "one", "a")); err != nil {
			t.Fatal(err)
		}
		one.wrong = func() error { return errors.New("stale") }
	}
	all, err := l.List(t.Context())
	if err != nil || len(all.Found) != 1 || len(all.Hidden) != 0 || len(all.Problems) != 1 || len(all.Silent) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestSilentAndLeft: who no longer wants a list does not wait for folders, and nothing is told of them.
func TestSilentAndLeft(t *testing.T) {
	r := newRig(t)
	dead := make(chan struct{})
	defer close(dead)
	away := reach.New()
	ctx, leave := context.WithCancel(t.Context())
	away.Look = func(string, string) error {
		leave()
		<-dead
		return nil
	}
	l := Open(Options{Cache: r.cache, Home: r.home, Getenv: os.Getenv, Sources: []sources.Source{&shop{name: "one"}}, Reach: away})
	t.Cleanup(l.Close)
	if all, err := l.List(ctx); !errors.Is(err, context.Canceled) || len(all.Silent) != 0 {
		t.Errorf("%+v, %v", all, err)
	}
	if _, _, problem := l.shelves[0].last(); problem != nil {
		t.Error(problem)
	}
}

// TestSilentMeanwhile: a folder that stops answering while it is looked through is not waited for either.
func TestSilentMeanwhile(t *testing.T) {
	r := newRig(t)
	r.write("one/a", "x")
	var silent atomic.Bool
	dead := make(chan struct{})
	defer close(dead)
	away := reach.New()
	away.Patience = time.Minute
	away.Look = func(string, string) error {
		if silent.Load() {
			return reach.ErrNoAnswer
		}
		return nil
	}
	stuck := &shop{name: "one", wrong: func() error {
		silent.Store(true)
		<-dead
		return nil
	}}
	l := Open(Options{Cache: r.cache, Home: r.home, Getenv: os.Getenv, Sources: []sources.Source{stuck}, Reach: away})
	l.shelves[0].again = time.Millisecond
	for range 2 {
		all, err := l.List(t.Context())
		if err != nil || !errors.Is(all.Silent["one"], reach.ErrNoAnswer) {
			t.Fatalf("%+v, %v", all, err)
		}
	}
	l.Close()
}
