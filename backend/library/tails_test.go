package library

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/pi"
)

// tailed is a library with a session of pi that was read, and where that can be read on from.
func tailed(t *testing.T) (l *Library, found sources.Found, tail *Tail) {
	t.Helper()
	TestOnlyShortTails(t)
	r := newRig(t)
	r.write(".pi/agent/sessions/--w--/2026-01-02T10-00-00-000Z_s1.jsonl", `{"type":"session","version":3,"id":"s1","timestamp":"2026-01-02T10:00:00.000Z"}
{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"ask"}}
`)
	l = Open(Options{Cache: r.cache, Home: r.home, Getenv: func(string) string { return "" }, GOOS: "linux", Sources: []sources.Source{pi.Source{}}, Warn: func(err error) { t.Error(err) }})
	t.Cleanup(l.Close)
	found, err := l.Lookup(t.Context(), Ref{"pi", "s1"})
	must(t, err)
	must(t, l.Follow(t.Context(), found, func(p Pass) error {
		tail = p.Tail
		return nil
	}))
	return l, found, tail
}

// TestATailIsTakenUp with what whoever kept it knew, as long as somebody wrote to the session lately, and by nobody once the session is forgotten.
func TestATailIsTakenUp(t *testing.T) {
	l, found, tail := tailed(t)
	knew, knows := "much", ""
	if l.RecallTail(t.Context(), &found, &knows) != nil {
		t.Error("one that nobody kept is taken up")
	}
	tail.beside, found.Beside = "a file", "a file"
	must(t, l.KeepTail(t.Context(), &found, tail, &knew))
	got := l.RecallTail(t.Context(), &found, &knows)
	if got == nil || knows != knew || got.reading.Place() != tail.reading.Place() || !got.stands(&found, true) {
		t.Fatalf("%+v, %q", got, knows)
	}
	other := found
	if other.Beside = "another"; got.stands(&other, true) {
		t.Error("it stands beside something else")
	}
	long := time.Now().Add(-tailRecent - time.Minute)
	must(t, os.Chtimes(found.Files[0], long, long))
	if l.RecallTail(t.Context(), &found, &knows) != nil {
		t.Error("that of a session to which nobody wrote for long is taken up")
	}
	if _, left := l.Left(Ref{"pi", "s1"}); !left {
		t.Error("it is nothing that can be forgotten")
	}
	must(t, l.Forget(t.Context(), Ref{"pi", "s1"}))
	if _, err := os.Stat(l.tailPath(Ref{"pi", "s1"})); !errors.Is(err, fs.ErrNotExist) {
		t.Error("that of a session that is forgotten stays", err)
	}
}

// TestATailIsNotWrittenForEachLine, but once the session has grown by as much as it takes.
func TestATailIsNotWrittenForEachLine(t *testing.T) {
	l, found, tail := tailed(t)
	must(t, l.KeepTail(t.Context(), &found, tail))
	path := l.tailPath(Ref{"pi", "s1"})
	must(t, os.Remove(path))
	must(t, l.KeepTail(t.Context(), &found, tail))
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Error("it was written again", err)
	}
	tail.keptAt -= tail.keptBytes
	must(t, l.KeepTail(t.Context(), &found, tail))
	if _, err := os.Stat(path); err != nil {
		t.Error("it was not written again", err)
	}
}

// TestTailsAreSwept: those go that were not written for long, and the oldest where all take too much.
func TestTailsAreSwept(t *testing.T) {
	l, _, _ := tailed(t)
	must(t, os.MkdirAll(l.tails, 0o700))
	now := time.Now()
	for i, name := range []string{"new", "older", "oldest"} {
		path, at := filepath.Join(l.tails, name), now.Add(-time.Duration(i)*time.Hour)
		must(t, os.WriteFile(path, make([]byte, 100), 0o600))
		must(t, os.Chtimes(path, at, at))
	}
	left := func() int {
		all, err := os.ReadDir(l.tails)
		must(t, err)
		return len(all)
	}
	must(t, l.sweepTails(now, 250))
	if n := left(); n != 2 {
		t.Errorf("%d are left within a bound for two", n)
	}
	must(t, l.sweepTails(now.Add(unused-30*time.Minute), 1<<30))
	if n := left(); n != 1 {
		t.Errorf("%d are left a month later", n)
	}
}
