package backend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/sources/all"
	"palimpsest/backend/sources/pi"
)

// TestWhoKeepsTheIndexReadsOtherwise: a program that waits for another to read the sessions says so where that one never will as this one
// does, here because of the hours of its days. Once that one is closed it reads them.
func TestWhoKeepsTheIndexReadsOtherwise(t *testing.T) {
	home, own, cache := t.TempDir(), t.TempDir(), t.TempDir()
	writePi(t, home, piSession())
	keeper := residing(t, home, own, cache)
	awaitIndex(t, keeper, "ready", ready(1))
	alike := residing(t, home, own, cache)
	awaitIndex(t, alike, "ready", ready(1))
	others, release := all.Open()
	west := time.FixedZone("west", -8*3600)
	other, err := Open(Options{
		Home: own, UserHome: home, Cache: cache, Sources: others, Release: release, Resident: true, Warn: func(err error) { t.Error(err) },
		Now: func() time.Time { return time.Now().In(west) },
	})
	newsMust(t, err)
	t.Cleanup(other.Close)
	awaitIndex(t, other, "told that it is kept in another way", func(s IndexStatus) bool {
		return s.State == "idle" && s.Waiting == 1 && s.Problem != nil && strings.Contains(*s.Problem, "read again once it is closed")
	})
	if n := hits(t, other, "third"); n == 0 {
		t.Error("what waits is not searched")
	}
	alike.Close()
	keeper.Close()
	awaitIndex(t, other, "ready", func(s IndexStatus) bool { return ready(1)(s) && s.Problem == nil })
}

// TestHowTheIndexIsKeptIsReadWhole: who asks while it is noted anew reads what was noted before, and not that it is kept in no way.
func TestHowTheIndexIsKeptIsReadWhole(t *testing.T) {
	b := scanOf(t, t.TempDir(), t.TempDir(), pi.Source{})
	_, err := b.openIndex()
	newsMust(t, err)
	dir := filepath.Join(b.indexing.dir, lockKeep)
	var before os.FileInfo
	for range 2 {
		unlock, ok, err := b.indexing.stock.keep(dir)
		if newsMust(t, err); !ok {
			t.Fatal("somebody keeps it")
		}
		unlock()
		now, err := os.Stat(filepath.Join(dir, keeperName))
		newsMust(t, err)
		if before != nil && os.SameFile(before, now) {
			t.Error("it was written over")
		}
		before = now
	}
	if b.indexing.stock.keptOtherwise(dir) {
		t.Error("it is not as this one keeps it")
	}
}
