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
	reading     Reading
	made, until time.Time
	// planned tells that another one will be made by then.
	planned bool
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

// times is how much longer a reading does than it took, so that no more than so much of the time is spent on reading a session again.
const times = 5

// remember keeps a reading that took long, for a while and no shorter than least if that is given. One that can be read on from need not do
// any longer: what is appended takes no time. That it could not be read on from the one before says that it may be so again. Nor need one
// that follows on none: a session that changes once in a while is read when it does. A program that has nothing done in the background asks
// once, and gets what is there.
func (l *Library) remember(ref Ref, r Reading, least time.Duration) {
	if l.told == nil {
		return
	}
	const long = 200 * time.Millisecond
	took := time.Duration(r.Took) * time.Millisecond
	switch {
	case r.Grew == "" && !r.anew && l.growing.has(ref):
		l.locks.remember(ref, r, 0)
	case least > 0:
		l.locks.remember(ref, r, max(least, times*took))
	case took >= long && l.locks.follows(ref, 2*times*took):
		l.locks.remember(ref, r, times*took)
	case took >= long:
		l.locks.remember(ref, r, 0)
	default:
		l.locks.forget(ref)
	}
}

// follows tells whether there was a reading within that time.
func (l *locks) follows(ref Ref, within time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	one, ok := l.slow[ref]
	return ok && time.Since(one.made) < within
}

func (l *locks) forget(ref Ref) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.slow, ref)
}

func (l *locks) remember(ref Ref, r Reading, rest time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.slow == nil {
		l.slow = map[Ref]remembered{}
	}
	now := time.Now()
	l.slow[ref] = remembered{reading: r, made: now, until: now.Add(rest)}
}

// recent is a reading that does, and until when.
func (l *locks) recent(ref Ref) (r Reading, until time.Time, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	one, ok := l.slow[ref]
	return one.reading, one.until, ok && time.Now().Before(one.until)
}

// expire has a reading not do any more.
func (l *locks) expire(ref Ref) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if one, ok := l.slow[ref]; ok {
		one.until = time.Time{}
		l.slow[ref] = one
	}
}

// previous is a reading that did once.
func (l *locks) previous(ref Ref) (Reading, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	one, ok := l.slow[ref]
	return one.reading, ok
}

// plan notes that another reading will be made of a session; mine tells that the caller has to.
func (l *locks) plan(ref Ref) (mine bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	one, ok := l.slow[ref]
	if !ok || one.planned {
		return false
	}
	one.planned = true
	l.slow[ref] = one
	return true
}
