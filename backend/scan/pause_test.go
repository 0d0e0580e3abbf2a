package scan

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestSoonAfterMuchWasRead: what comes while a large session is read is seen soon after that, however long it took.
func TestSoonAfterMuchWasRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop("large")
		const long = time.Minute
		s.read = func(id string, _ func() error) error {
			if id == "large" {
				time.Sleep(long)
			}
			return nil
		}
		x := s.scanner()
		keep(t, x)
		time.Sleep(long / 2)
		s.mu.Lock()
		s.items = append(s.items, Item{ID: "small", Stamp: "1"})
		s.mu.Unlock()
		x.Want()
		time.Sleep(long/2 + 3*time.Second)
		equal(t, s.took(), []string{"large", "small"})
	})
}

// TestPauseWhileLooking: what takes long of finding out what there is waits while paused, too, and is not had after a cancel. The time of the pause is none
// that looking took.
func TestPauseWhileLooking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop("a")
		const long = 100 * time.Millisecond
		var looks atomic.Int32
		s.list = func(further func() bool) {
			for range 3 {
				if !further() {
					return
				}
				looks.Add(1)
				time.Sleep(long)
			}
		}
		x := s.scanner()
		keep(t, x)
		time.Sleep(long / 2)
		x.Pause()
		time.Sleep(time.Hour)
		equal(t, looks.Load(), 1)
		equal(t, s.took(), nil)
		x.Resume()
		time.Sleep(3 * long)
		equal(t, looks.Load(), 3)
		equal(t, s.took(), []string{"a"})
		x.Want()
		time.Sleep(9 * 3 * long)
		if looks.Load() == 3 {
			t.Error("it rested as long as it was paused")
		}
		x.Cancel()
		time.Sleep(time.Second)
		had := looks.Load()
		x.Want()
		time.Sleep(time.Minute)
		equal(t, looks.Load(), had)
		equal(t, x.State().Waiting, 0)
	})
}
