package backend

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"palimpsest/backend/session"
)

// compacting sees to it that a session is compacted by one at a time. A turn that has outgrown its window can't wait, so
// its compaction comes before one that a user asked for, which then has written nothing. A draft that is only being looked
// at is none yet.
type compacting struct {
	mu      sync.Mutex
	running map[string]*compactionRun
}

type compactionRun struct{ cancel context.CancelCauseFunc }

// errOvertaken ends a compaction that a user asked for while a turn needs one.
var errOvertaken = errors.New("a turn had to compact first")

// begin is for one that a user asked for: it is refused while another one is under way. The context ends when a turn needs
// one.
func (c *compacting) begin(ctx context.Context, id string) (alone context.Context, end func(), err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running[id] != nil {
		return nil, nil, fmt.Errorf("session %s: %w: it is being compacted", id, session.ErrBusy)
	}
	alone, cancel := context.WithCancelCause(ctx)
	return alone, c.put(id, &compactionRun{cancel}), nil
}

// turn is for one that a turn needs.
func (c *compacting) turn(id string) (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if other := c.running[id]; other != nil {
		other.cancel(errOvertaken)
	}
	return c.put(id, &compactionRun{func(error) {}})
}

// put notes a run, and returns what takes it away again. The caller holds mu.
func (c *compacting) put(id string, run *compactionRun) (end func()) {
	if c.running == nil {
		c.running = map[string]*compactionRun{}
	}
	c.running[id] = run
	return func() {
		run.cancel(nil)
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.running[id] == run {
			delete(c.running, id)
		}
	}
}
