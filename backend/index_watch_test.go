package backend

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"palimpsest/backend/index"
	"palimpsest/backend/notify"
	"palimpsest/backend/session"
)

// TestTheSystemTellsOfOtherPrograms: that another one wrote to the index, or let go of the lock, is told as long as that is wanted, and what
// is only read is not.
func TestTheSystemTellsOfOtherPrograms(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	dir := t.TempDir()
	if !notify.Tells(dir) {
		t.Skip("the system does not tell what changes in temporary folders")
	}
	keep := filepath.Join(dir, lockKeep)
	newsMust(t, os.Mkdir(keep, 0o700))
	open := func() *index.Index {
		x, err := index.Open(dir, index.OpenOptions{})
		newsMust(t, err)
		return x
	}
	mine, other := open(), open()
	unlock, ok, err := session.TryLock(keep)
	if newsMust(t, err); !ok {
		t.Fatal("somebody has the lock")
	}
	put := func(id string) {
		newsMust(t, other.Put(t.Context(), index.Session{ID: id, Stamp: "1"}, func(func(index.Text, error) bool) {}))
	}
	put("a")
	_, err = mine.Others(t.Context()) // the first look makes room for the others
	newsMust(t, err)
	w := newIndexWatch(dir, keep)
	told := w.set(true)
	if told == nil {
		t.Fatal("nothing is told")
	}
	_, err = mine.Others(t.Context())
	newsMust(t, err)
	if _, ok, err := session.TryLock(keep); ok || err != nil {
		t.Fatalf("the lock can be taken twice: %t, %v", ok, err)
	}
	select {
	case <-told:
		t.Error("it is told that somebody looks")
	default:
	}
	await := func(what string) {
		t.Helper()
		select {
		case <-told:
		case <-time.After(30 * time.Second):
			t.Fatal("never told: ", what)
		}
	}
	put("b")
	await("that another program writes")
	w.set(false)
	for drained := false; !drained; { // what was on its way
		select {
		case <-told:
		default:
			drained = len(w.notify.Events) == 0
		}
	}
	w.set(true)
	unlock()
	await("that the lock is free")
	newsMust(t, mine.Close())
	newsMust(t, other.Close())
	newsMust(t, os.RemoveAll(dir))
	if w.set(true) != nil {
		t.Error("of a folder that is gone it is to be told")
	}
	w.close()
	goleak.VerifyNone(t, ignore)
}

// TestWhatIsNotToldIsNotWatched: to watch a folder may be to open the files in it, and to close them again gives up the locks that the
// database has on them.
func TestWhatIsNotToldIsNotWatched(t *testing.T) {
	const dir = "/proc"
	if notify.Tells(dir) {
		t.Skip("the system tells of all")
	}
	w := newIndexWatch(dir)
	defer w.close()
	if w.notify == nil {
		t.Skip("nothing can be watched")
	}
	if w.set(true) != nil || len(w.notify.WatchList()) > 0 {
		t.Errorf("watched are %v", w.notify.WatchList())
	}
}
