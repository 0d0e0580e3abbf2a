package library

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestAReadingDoesForAWhile: of one that took long the next change is read at once, and what changes on and on no more than a part of the time.
func TestAReadingDoesForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &Library{told: func(News) {}}
		slow := Reading{slip: slip{Took: 300}}
		rests := func(want bool) {
			t.Helper()
			if _, _, ok := l.locks.recent(one); ok != want {
				t.Errorf("%t", ok)
			}
		}
		l.remember(one, slow, 0)
		rests(false)
		l.remember(one, slow, 0)
		rests(true)
		time.Sleep(times * 300 * time.Millisecond)
		rests(false)
		l.remember(one, slow, 0)
		rests(true)
		time.Sleep(2 * times * 300 * time.Millisecond)
		l.remember(one, slow, 0)
		rests(false)
		l.remember(one, Reading{slip: slip{Took: 100}}, 0)
		l.remember(one, slow, 0)
		rests(false)
		l.remember(one, Reading{}, settled) // somebody waited for it
		rests(true)

		l.told = nil
		l.locks.forget(one)
		l.remember(one, slow, settled)
		rests(false)
	})
}
