package library

import (
	"os"
	"time"

	"palimpsest/backend/sources"
)

// recent is the last reading of a session that takes long to read, while it does. If the session has changed since, another one is made
// afterwards, so that whoever looks at it need not wait for the next change to see this one.
func (l *Library) recent(f *sources.Found) (Reading, bool) {
	ref := Ref{f.Agent, f.ID}
	r, until, ok := l.locks.recent(ref)
	if !ok || !l.isThere(r.ID) {
		return Reading{}, false
	}
	if l.told != nil && idOf(f, l.stampOf(f)) != r.ID && l.locks.plan(ref) {
		l.later(ref, time.Until(until))
	}
	return r, true
}

// later has a session read in the background after a while.
func (l *Library) later(ref Ref, wait time.Duration) {
	end, ok := l.begin()
	if !ok {
		return
	}
	go func() {
		defer end()
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-l.ctx.Done():
			return
		case <-timer.C:
		}
		if l.openings.again(ref) {
			l.readWhole(ref)
		}
	}()
}

func (l *Library) isThere(id string) bool {
	_, err := os.Stat(l.dir(id))
	return err == nil
}
