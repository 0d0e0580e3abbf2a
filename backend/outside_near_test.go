package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/library"
	"palimpsest/backend/notify"
	"palimpsest/backend/sources/opencode"
	"palimpsest/backend/sources/pi"
	"palimpsest/backend/sources/sourcetest"
)

// TestBeyondTheLimit: where the system watches no more, what changed last is seen with the next look, a session that comes beside it, too;
// what somebody looks at is looked at quickly as long as something happens, and no more than a few are.
func TestBeyondTheLimit(t *testing.T) {
	home := t.TempDir()
	for i := range 2 * nearMost {
		id := fmt.Sprint("s", 100+i)
		path := sourcetest.Write(t, home, strings.NewReplacer("--w--", id, "_s1", "_"+id).Replace(piPlace), strings.NewReplacer(`"s1"`, `"`+id+`"`, "2026", "2025").Replace(piSession()))
		newsMust(t, os.Chtimes(path, time.Time{}, time.Unix(int64(1000+i), 0)))
	}
	writePi(t, home, piSession())
	a, arrange := watching(t, home, pi.Source{})
	a.notify.Close()
	system, err := notify.Limited(0)
	newsMust(t, err)
	t.Cleanup(system.Close)
	a.notify = system
	arrange()
	if a.b.unwatched.why[watchTheirs] == "" {
		t.Error("nobody is told that the limit is reached")
	}
	if a.sees() != poorly || len(a.watched) > 0 || len(a.near.sessions) != nearMost || a.viewsEvery(viewPoll) != viewPoll {
		t.Fatalf("%v, %d are near", a.sees(), len(a.near.sessions))
	}
	ref := library.Ref{Agent: "pi", ID: "s1"}
	for range 2 {
		if a.lookNear(); a.all || len(a.dirty) > 0 {
			t.Fatal("something is seen, and nothing happened")
		}
	}
	add(t, filepath.Join(home, filepath.FromSlash(piPlace)), piMore)
	if a.lookNear(); !a.dirty[ref.String()] || a.all {
		t.Errorf("what was appended is not seen: %v, %t", a.dirty, a.all)
	}
	sourcetest.Write(t, home, strings.ReplaceAll(piPlace, "_s1", "_s2"), piHead)
	if a.lookNear(); !a.all {
		t.Error("a session that came is not seen")
	}
	a.b.readings.use(ref)
	a.settle()
	if every := a.viewsEvery(viewPoll); every != quickPoll {
		t.Errorf("while something happens, it is looked at every %v", every)
	}
	a.changed = a.changed.Add(-quickFor)
	if every := a.viewsEvery(viewPoll); every != viewPoll {
		t.Errorf("after that, every %v", every)
	}
}

// TestDatabasesBeyondTheLimit: that a database was written to is seen by its time, and by that of its log.
func TestDatabasesBeyondTheLimit(t *testing.T) {
	home := t.TempDir()
	database := inDatabase(t, home, opencodePlace, opencodeRows)
	a, arrange := watching(t, home, opencode.Source{})
	a.notify.Close()
	a.notify = nil
	arrange()
	for _, path := range []string{database, database + "-wal"} {
		a.all = false
		if a.lookNear(); a.all {
			t.Error("something is seen, and nothing happened")
		}
		newsMust(t, os.WriteFile(path, nil, 0o600))
		newsMust(t, os.Chtimes(path, time.Time{}, time.Unix(1, 0)))
		if a.lookNear(); !a.all {
			t.Errorf("nobody sees that %s was written", filepath.Base(path))
		}
	}
}

// TestTheLimitIsTold: that the system watches no more is part of how the index stands, and news, until it does again.
func TestTheLimitIsTold(t *testing.T) {
	b, err := Open(Options{Home: t.TempDir(), Resident: true}) // without an index, whose scan has news of its own
	newsMust(t, err)
	t.Cleanup(b.Close)
	system, err := notify.Limited(1)
	newsMust(t, err)
	t.Cleanup(system.Close)
	newsSession(t, b)
	w := b.newWatcher(system)
	w.publish = func(EventKind, string) {}
	stands := func() string {
		t.Helper()
		status, err := b.IndexStatus(t.Context())
		newsMust(t, err)
		if status.Unwatched == nil {
			return ""
		}
		return *status.Unwatched
	}
	if why := stands(); why != "" {
		t.Errorf("before, it says %s", why)
	}
	told := func(do func()) (n int) {
		events := make(chan Event, eventBuffer)
		b.news.add(events)
		do()
		b.news.cancel(events)
		for e := range events {
			if e.Kind == EventIndex {
				n++
			}
		}
		return n
	}
	if n := told(func() { w.begin(t.Context()); w.scan(t.Context()) }); n != 1 || !strings.Contains(stands(), "watches no more folders") {
		t.Errorf("it is told %d times, and says %q", n, stands())
	}
	more, err := notify.New()
	newsMust(t, err)
	t.Cleanup(more.Close)
	w.watches.end()
	w.watches.notify = more
	if n := told(func() { w.scan(t.Context()) }); n != 1 || stands() != "" {
		t.Errorf("when it watches again, it is told %d times, and says %q", n, stands())
	}
}
