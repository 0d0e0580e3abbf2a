package backend

import (
	"os"
	"testing"

	"palimpsest/backend/notify"
)

// TestOursBeyondTheLimit: a session that the system does not tell of, as beyond its limit, is looked at soon all the same, and nobody has to have
// opened it. Of many, only some are.
func TestOursBeyondTheLimit(t *testing.T) {
	b := newsBackend(t, t.TempDir())
	const more = 5
	for range beyondMost + more {
		newsSession(t, b)
	}
	system, err := notify.Limited(2) // the folder of all, and the one above it
	newsMust(t, err)
	defer system.Close()
	w := b.newWatcher(system)
	var told []string
	w.publish = func(_ EventKind, id string) { told = append(told, id) }
	w.begin(t.Context())
	for w.left < listTurns {
		w.turn(t.Context(), listTurns) // nothing happens, so all are looked at ever more seldom
	}
	if len(w.beyond) != beyondMost || w.listEvery() != listPoll {
		t.Fatalf("%d are looked at every %v", len(w.beyond), w.listEvery())
	}
	id := w.beyond[beyondMost/2]
	log, err := os.OpenFile(b.store.LogPath(id), os.O_APPEND|os.O_WRONLY, 0)
	newsMust(t, err)
	_, err = log.WriteString(said(1, "user", "grown"))
	newsMust(t, err)
	newsMust(t, log.Close())
	if w.turn(t.Context(), 1); len(told) != 1 || told[0] != id {
		t.Errorf("told of %v, not of %s", told, id)
	}
}

// TestOursThatNeedNoWatchRest: those behind so many that changed last are looked at seldom, as long as the system watches those.
func TestOursThatNeedNoWatchRest(t *testing.T) {
	b := newsBackend(t, t.TempDir())
	for range 5 {
		newsSession(t, b)
	}
	system, err := notify.New()
	newsMust(t, err)
	defer system.Close()
	w := b.newWatcher(system)
	w.watches.most = 2
	w.begin(t.Context())
	for w.left < listTurns {
		w.turn(t.Context(), listTurns)
	}
	if !w.watches.tell(nil) {
		t.Skip("the system does not tell of changes here")
	}
	if len(w.watches.sessions) != 2 || len(w.beyond) != 0 || w.listEvery() != restPoll {
		t.Errorf("%d are watched, and %d looked at every %v", len(w.watches.sessions), len(w.beyond), w.listEvery())
	}
}
