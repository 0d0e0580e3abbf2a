package backend

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// TestRestIsRest: where the system tells of all that changes, a program that nobody uses does nothing for minutes, and what it looks at then
// it looks at together. Where it does not tell, it looks ever more seldom as long as nothing comes.
func TestRestIsRest(t *testing.T) {
	home := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		b := newsBackend(t, home)
		time.Sleep(7 * time.Second) // nothing begins with the clock
		w := b.newWatcher(nil)
		ids, woken := w.ids, map[time.Time]int{}
		w.viewed = func() []string { woken[time.Now()]++; return nil } // asked whenever something happens
		w.ids = func() ([]string, error) { woken[time.Now()]++; return ids() }
		w.watches.tells = true
		w.begin(t.Context())
		go w.run(t.Context())
		time.Sleep(time.Hour) // a list looks a few times at first
		synctest.Wait()
		clear(woken)
		time.Sleep(time.Hour)
		synctest.Wait()
		if most := int(time.Hour / restPoll); len(woken) == 0 || len(woken) > most {
			t.Errorf("woken %d times in an hour, not %d", len(woken), most)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		looks, comes := 0, false
		d := &deskWatch{dir: filepath.Join(home, "desk"), look: func() bool { looks++; return comes }}
		go d.run(t.Context(), d.arm())
		time.Sleep(time.Minute)
		synctest.Wait()
		looks = 0
		time.Sleep(time.Minute)
		synctest.Wait()
		if most := int(time.Minute/deskPollMost) + 1; looks > most { // one may fall on the minute
			t.Errorf("looked %d times in a minute in which nothing came", looks)
		}
		comes = true
		time.Sleep(deskPollMost)
		synctest.Wait()
		looks = 0
		time.Sleep(time.Minute)
		synctest.Wait()
		if looks < 50 {
			t.Errorf("looked %d times in a minute in which something came all the time", looks)
		}
	})
}
