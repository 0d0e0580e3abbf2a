package backend

import (
	"path/filepath"
	"sync"
	"sync/atomic"
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
		ids := w.ids
		var woken moments
		w.viewed = func() []string { woken.note(); return nil } // asked whenever something happens
		w.ids = func() ([]string, error) { woken.note(); return ids() }
		w.watches.tells = true
		w.begin(t.Context())
		go w.run(t.Context())
		time.Sleep(time.Hour) // a list looks a few times at first
		woken.taken()
		time.Sleep(time.Hour)
		if got, most := woken.taken(), int(time.Hour/restPoll); got == 0 || got > most {
			t.Errorf("woken %d times in an hour, not %d", got, most)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		var looks moments
		var comes atomic.Bool
		d := &deskWatch{dir: filepath.Join(home, "desk"), look: func() bool { looks.note(); return comes.Load() }}
		go d.run(t.Context(), d.arm())
		time.Sleep(time.Minute)
		looks.taken()
		time.Sleep(time.Minute)
		if got, most := looks.taken(), int(time.Minute/deskPollMost)+1; got > most { // one may fall on the minute
			t.Errorf("looked %d times in a minute in which nothing came", got)
		}
		comes.Store(true)
		time.Sleep(deskPollMost)
		looks.taken()
		time.Sleep(time.Minute)
		if got := looks.taken(); got < 50 {
			t.Errorf("looked %d times in a minute in which something came all the time", got)
		}
	})
}

// moments are those at which something happened, by whatever goroutine.
type moments struct {
	mu sync.Mutex
	at map[time.Time]bool
}

func (m *moments) note() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.at == nil {
		m.at = map[time.Time]bool{}
	}
	m.at[time.Now()] = true
}

// taken is how many there were since it was asked last.
func (m *moments) taken() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := len(m.at)
	clear(m.at)
	return n
}
