package index

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"
)

// slow has sessions of several blocks, in each of which an expression fits that only package regexp can find, without time for that.
func slow(t *testing.T) (*Index, Query) {
	t.Helper()
	x := openAt(t, t.TempDir(), tiny)
	for i := range 4 {
		var all []Text
		for n := range 5 {
			all = append(all, Text{Seq: int64(n), Line: n, Scope: User, Text: fmt.Sprint("a text that is as long as a block, and fooooobar number ", n)})
		}
		if err := x.Put(t.Context(), Session{ID: fmt.Sprint("s", i), Updated: time.Unix(int64(i), 0)}, texts(all...)); err != nil {
			t.Fatal(err)
		}
	}
	x.patience = 0
	return x, Query{All: []Pattern{{Text: "fo+bar", Regexp: true}}}
}

// through searches to the end, by cursors of which none may come twice.
func through(t *testing.T, x *Index, q Query, opts Options) (hits []string, last Found) {
	t.Helper()
	var cursors []string
	for {
		found, err := x.Search(t.Context(), q, opts)
		if err != nil {
			t.Fatal(err)
		}
		hits = append(hits, names(found.Hits)...)
		if opts.Cursor = found.Cursor; opts.Cursor == "" {
			return hits, found
		}
		if found.Complete || slices.Contains(cursors, opts.Cursor) {
			t.Fatalf("complete %v, cursor %q after %q", found.Complete, opts.Cursor, cursors)
		}
		cursors = append(cursors, opts.Cursor)
	}
}

// TestWhatTakesTooLongIsPassedOver, one visit for each search, and the last one says that it was not everything.
func TestWhatTakesTooLongIsPassedOver(t *testing.T) {
	x, q := slow(t)
	for _, session := range []string{"", "s2"} {
		opts := Options{Budget: 1, Session: session}
		hits, last := through(t, x, q, opts)
		if len(hits) > 0 || last.Complete || last.Counted {
			t.Errorf("in %q: %q, complete %v, counted %v", session, hits, last.Complete, last.Counted)
		}
		// What the automaton can tell, and what is a literal, takes no patience.
		for text, want := range map[string]int{"fo+bus": 0, "fooooobar": 4, `\bfooooobar`: 4} {
			if session != "" && want > 0 {
				want = 5
			}
			hits, last := through(t, x, Query{All: []Pattern{{Text: text, Regexp: true}}}, opts)
			if len(hits) != want || !last.Complete {
				t.Errorf("%s in %q: %q, complete %v", text, session, hits, last.Complete)
			}
		}
	}
	if hits, last := through(t, x, q, Options{}); len(hits) != 4 || !last.Complete {
		t.Errorf("without a budget: %q, complete %v", hits, last.Complete)
	}
	x.patience = time.Hour
	if hits, last := through(t, x, q, Options{Budget: 1}); len(hits) != 4 || !last.Complete {
		t.Errorf("with patience: %q, complete %v", hits, last.Complete)
	}
	if hits, last := through(t, x, Query{All: []Pattern{{Text: "text"}}, None: q.All}, Options{Budget: 1}); len(hits) != 0 || !last.Complete {
		t.Errorf("left out: %q, complete %v", hits, last.Complete)
	}
	x.patience = 0
	if hits, last := through(t, x, Query{All: []Pattern{{Text: "text"}}, None: q.All}, Options{Budget: 1}); len(hits) != 0 || last.Complete {
		t.Errorf("left out, perhaps: %q, complete %v", hits, last.Complete)
	}
}

// TestWhatIsNotFirstWaits: a visit that can't be decided in the time of a search is the first one of the next, and nothing of it is told before.
func TestWhatIsNotFirstWaits(t *testing.T) {
	x, q := slow(t)
	x.patience = time.Hour
	err := x.do(t.Context(), "searching", func(st *store) (err error) {
		s := &search{x: x, store: st, query: q, scopes: setOf(nil)}
		if s.all, err = newNeedles(q.All); err != nil {
			return err
		}
		if s.view, err = x.look(t.Context(), st); err != nil {
			return err
		}
		tasks, err := s.plan(t.Context(), start)
		if err != nil {
			return err
		}
		r := &run{search: s, from: start, until: time.Unix(1, 0), tasks: tasks, results: make([]result, len(tasks))}
		for i, first := range []bool{true, false} {
			res, err := r.session(t.Context(), &tasks[i], first)
			if err != nil {
				return err
			}
			if r.took(i, res, nil); res.looked != first || (res.n > 0) != first || res.passed || !r.stop {
				t.Errorf("session %d: %+v", i, res)
			}
		}
		found := r.found()
		if from, err := parsePlace(found.Cursor); err != nil || len(found.Hits) != 1 || found.Complete || from.id != "s3" || from.short {
			t.Errorf("%+v, from %+v, %v", found, from, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestCalledOffIsNoAnswer, be it while the last text is looked at.
func TestCalledOffIsNoAnswer(t *testing.T) {
	x, q := slow(t)
	ctx, cancel := context.WithCancel(t.Context())
	q.KeepText = func(string, int, int, time.Time) bool { cancel(); return true }
	if found, err := x.Search(ctx, q, Options{}); err == nil {
		t.Errorf("%+v", found)
	}
}
