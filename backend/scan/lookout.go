package scan

import (
	"context"
	"time"
)

const (
	// takeOver is how often one looks whether who scanned has ended, and whether another process has written to the index, and takeOverTold
	// how often where the system tells of it: who was killed lets go of its lock and writes nothing.
	takeOver     = 3 * time.Second
	takeOverTold = 5 * time.Minute
)

// lookout says when to look next what other processes did: soon after a sign of it, ever more seldom from then on.
type lookout struct {
	timer *time.Timer
	// every is how long it was to be until the next look when the last one was set, and last when it was looked.
	every     time.Duration
	last, due time.Time
}

func newLookout() *lookout {
	l := &lookout{timer: time.NewTimer(takeOver)}
	l.expect(takeOver)
	return l
}

// expect has it looked after so long.
func (l *lookout) expect(every time.Duration) {
	l.every, l.due = every, time.Now().Add(every)
	l.timer.Reset(every)
}

// sign notes that something happened. What goes on and on is no reason to look more often than where nothing is told.
func (l *lookout) sign() {
	soon := max(breath, takeOver-time.Since(l.last))
	if time.Until(l.due) > soon {
		l.expect(soon)
	}
}

// looked notes that it was looked.
func (l *lookout) looked(told bool) {
	l.last = time.Now()
	switch {
	case l.every < takeOver:
		l.expect(min(2*l.every, takeOver)) // of what is written at the moment, the sign comes first
	case told:
		l.expect(takeOverTold)
	default:
		l.expect(takeOver)
	}
}

// await waits until something is wanted, or until it is time to look; not ok means that ctx is done. A session that rested is wanted.
func (s *Scanner) await(ctx context.Context, l *lookout, rested <-chan time.Time, told <-chan struct{}) (wanted, ok bool) {
	for {
		select {
		case <-ctx.Done():
			return false, false
		case <-s.wanted:
			return true, true
		case <-rested:
			s.Want()
		case <-told:
			l.sign()
		case <-l.timer.C:
			return false, true
		}
	}
}
