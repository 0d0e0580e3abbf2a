package backend

import "time"

// restPoll is how often is looked for what the system does not tell of even where it tells of changes: that a folder above those which are
// watched was moved, say, and another one has its name.
const restPoll = time.Minute

// pace is a ticker that is set anew whenever it is to tick more often, or more seldom.
type pace struct {
	*time.Ticker
	every time.Duration
}

func newPace(every time.Duration) *pace { return &pace{time.NewTicker(every), every} }

func (p *pace) set(every time.Duration) {
	if every != p.every {
		p.every = every
		p.Reset(every)
	}
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
