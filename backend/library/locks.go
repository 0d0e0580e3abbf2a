package library

import (
	"context"
	"sync"
	"time"
)

// locks let one at a time read a session, and remember readings that took long.
type locks struct {
	mu   sync.Mutex
	held map[Ref]*lock
	slow map[Ref]remembered
}

type lock struct {
	turn chan struct{}
	uses int
}

type remembered struct {
	reading Reading
	until   time.Time
}

// lock waits for its turn.
func (l *locks) lock(ctx context.Context, ref Ref) (release func(), err error) {
	l.mu.Lock()
	if l.held == nil {
		l.held = map[Ref]*lock{}
	}
	one := l.held[ref]
	if one == nil {
		one = &lock{turn: make(chan struct{}, 1)}
		l.held[ref] = one
	}
	one.uses++
	l.mu.Unlock()
	if ctx.Err() != nil { // who is free to go must not stay by chance
		l.leave(ref, one)
		return nil, context.Cause(ctx)
	}
	select {
	case one.turn <- struct{}{}:
		return func() { <-one.turn; l.leave(ref, one) }, nil
	case <-ctx.Done():
		l.leave(ref, one)
		return nil, context.Cause(ctx)
	}
}

func (l *locks) leave(ref Ref, one *lock) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if one.uses--; one.uses == 0 {
		delete(l.held, ref)
	}
}

// remember keeps a reading that took long: for as long as not to spend more than a fifth of the time on reading it again.
func (l *locks) remember(ref Ref, r Reading) {
	const long, times = 200 * time.Millisecond, 5
	took := time.Duration(r.Took) * time.Millisecond
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.slow, ref)
	if took < long {
		return
	}
	if l.slow == nil {
		l.slow = map[Ref]remembered{}
	}
	l.slow[ref] = remembered{r, time.Now().Add(times * took)}
}

func (l *locks) recent(ref Ref) (Reading, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r, ok := l.slow[ref]
	return r.reading, ok && time.Now().Before(r.until)
}
