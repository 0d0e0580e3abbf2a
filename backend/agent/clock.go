package agent

import (
	"context"
	"time"
)

// clock measures how long a turn is at work: from when its message is on disk until it is done, without the time in which
// the user was asked.
type clock struct {
	now    func() time.Time
	begun  time.Time
	paused time.Duration // belongs to who asks
}

func (c *clock) start() { c.begun = c.now() }

// pause stops it until resume is called.
func (c *clock) pause() (resume func()) {
	from := c.now()
	return func() { c.paused += c.now().Sub(from) }
}

// book writes down what a turn took. One that leaves nothing in the conversation leaves no time either.
func (t *Turn) book() {
	if t.message.NoHistory {
		return
	}
	err := t.log.Spent(context.WithoutCancel(t.ctx), t.clock.now().Sub(t.clock.begun)-t.clock.paused)
	if err != nil && t.agent.deps.Warn != nil {
		t.agent.deps.Warn(err)
	}
}
