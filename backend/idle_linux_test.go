package backend

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"palimpsest/backend/library"
	"palimpsest/backend/notify"
	"palimpsest/backend/sources/pi"
)

// resting says how often a watcher looks, whose folders are on a disk of this machine.
func resting(t *testing.T, w *watcher) (views, list time.Duration) {
	t.Helper()
	if !notify.Tells(w.dir) && !notify.Tells(filepath.Dir(w.dir)) {
		t.Skip("the system does not tell what changes in temporary folders")
	}
	return w.viewsEvery(), w.listEvery()
}

// TestNothingIsLookedAtWhereTheSystemTells: of sessions that are watched, and of the folder of all of them, even where it is not there yet.
func TestNothingIsLookedAtWhereTheSystemTells(t *testing.T) {
	b := newsBackend(t, t.TempDir())
	system, err := notify.New()
	newsMust(t, err)
	w := b.newWatcher(system)
	w.publish = func(EventKind, string) {}
	w.begin(t.Context())
	want := func(when string, views, list time.Duration) {
		t.Helper()
		if gotViews, gotList := resting(t, w); gotViews != views || gotList != list {
			t.Errorf("%s: looked at every %v and %v, not %v and %v", when, gotViews, gotList, views, list)
		}
	}
	rest := func() {
		for w.busy || w.turns < listTurns || w.left < int(restPoll/listPoll) {
			w.turn(t.Context(), 1)
		}
	}
	want("without sessions", restPoll, listPoll)
	rest()
	want("without sessions, after a while", restPoll, restPoll)

	id, other := newsSession(t, b), newsSession(t, b)
	newsMust(t, os.Chtimes(b.store.LogPath(other), time.Time{}, time.Unix(1, 0)))
	w.watches.most = 1
	w.scan(t.Context())
	want("after something happened", restPoll, listPoll)
	rest()
	_, err = b.Outline(id)
	newsMust(t, err)
	want("one is looked at that is watched, and the other is not", restPoll, restPoll)
	_, err = b.Outline(other)
	newsMust(t, err)
	want("one is looked at that is not", viewPoll, restPoll)
	w.watches.most = 2
	w.scan(t.Context())
	want("both are watched", restPoll, restPoll)
	log, elsewhere := b.store.LogPath(id), filepath.Join(t.TempDir(), "log")
	newsMust(t, os.Rename(log, elsewhere))
	newsMust(t, os.Symlink(elsewhere, log))
	want("a log is a link", viewPoll, restPoll)
	system.Close()
	w.watches.end()
	want("the system has given up", viewPoll, listPoll)
}

// TestTheirsAreNotLookedAtWhereTheSystemTells: unless one of those looked at last stands where nothing is watched.
func TestTheirsAreNotLookedAtWhereTheSystemTells(t *testing.T) {
	home := t.TempDir()
	if !notify.Tells(home) {
		t.Skip("the system does not tell what changes in temporary folders")
	}
	writePi(t, home, piSession())
	a, arrange := watching(t, home, pi.Source{})
	if a.viewsEvery(viewPoll) != restPoll {
		t.Error("nothing is listed yet, and nobody looks at any")
	}
	a.b.readings.use(library.Ref{Agent: "pi", ID: "s1"})
	if a.viewsEvery(viewPoll) != viewPoll || a.sees() != fairly {
		t.Error("nothing is watched yet")
	}
	arrange()
	if every := a.viewsEvery(viewPoll); every != restPoll || a.sees() != fully {
		t.Errorf("looked at every %v where all is watched, %v", every, a.sees())
	}
	a.unwatch(filepath.Join(home, filepath.Dir(filepath.FromSlash(piPlace))))
	if every := a.viewsEvery(viewPoll); every != viewPoll {
		t.Errorf("looked at every %v where its folder is not watched", every)
	}
	a.most = 1
	a.listed = 0
	a.arrange()
	if a.sees() != poorly {
		t.Error("not all is watched")
	}
}

// TestTheDeskIsWatched: what another program lays there is told wherever the desk comes from, without a look now and then.
func TestTheDeskIsWatched(t *testing.T) {
	home := t.TempDir()
	if !notify.Tells(home) {
		t.Skip("the system does not tell what changes in temporary folders")
	}
	home = filepath.Join(home, "new", ".agent") // as where nothing was ever written
	other := newsBackend(t, home)
	system, err := notify.New()
	newsMust(t, err)
	mine, told := newsBackend(t, home), make(chan []string, 100)
	w := &deskWatch{notify: system, dir: filepath.Join(home, "desk"), look: func() bool {
		changed, err := mine.desk.Changes()
		if len(changed) > 0 || err != nil {
			told <- changed
		}
		return len(changed) > 0
	}}
	w.look()
	every := w.arm()
	if every != restPoll {
		t.Errorf("it is looked at every %v", every)
	}
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer close(done)
		w.run(ctx, time.Hour)
	}()
	lay := func(text string) {
		t.Helper()
		_, err = other.LayOnDesk("unsent", json.RawMessage(text), "window 2")
		newsMust(t, err)
		<-told
	}
	lay(`"h"`)
	lay(`"hm"`)
	newsMust(t, os.Rename(w.dir, filepath.Join(home, "before")))
	<-told
	lay(`"hm,"`)
	lay(`"hm, well"`)
	cancel()
	<-done
}
