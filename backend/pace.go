package backend

import "time"

// restPoll is how often is looked for what the system does not tell of even where it tells of changes: that a folder above those which are
// watched was moved, say, and another one has its name.
const restPoll = 5 * time.Minute

// pace is a timer that is set anew when it has run out, and whenever it is to run out earlier, or later.
type pace struct {
	*time.Timer
	every time.Duration
}

func newPace(every time.Duration) *pace { return &pace{time.NewTimer(untilNext(every)), every} }

// set has it run out every so often from now on.
func (p *pace) set(every time.Duration) {
	if every != p.every {
		p.next(every)
	}
}

// again sets it after it has run out, and next does, to run out every so often from then on.
func (p *pace) again() { p.next(p.every) }

func (p *pace) next(every time.Duration) {
	p.every = every
	p.Reset(untilNext(every))
}

// untilNext is how long it is until something happens again that happens every so often. What is seldom happens at the same time as all else
// that is, so that the machine is woken once for it.
func untilNext(every time.Duration) time.Duration {
	if every < restPoll {
		return every
	}
	return min(time.Until(time.Now().Truncate(restPoll).Add(every)), every)
}

// signs are of something that is to be looked at; one is enough.
type signs chan struct{}

func newSigns() signs { return make(signs, 1) }

func (s signs) give() {
	select {
	case s <- struct{}{}:
	default: // one that nobody saw yet, or nobody looks
	}
}
