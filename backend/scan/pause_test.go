package scan

import (
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
