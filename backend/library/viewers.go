package library

import (
	"context"
	"errors"
	"sync"
)

// viewers are those who look at sessions that are read in the background for them.
type viewers struct {
	mu sync.Mutex
	of map[Ref]map[string]bool
}

// errLeft ends a reading that nobody waits for any more.
var errLeft = errors.New("nobody waits for it any more")

// Attend notes that somebody looks at a session, before [Library.Open].
func (l *Library) Attend(ref Ref, viewer string) {
	v := &l.viewers
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.of == nil {
		v.of = map[Ref]map[string]bool{}
	}
	if v.of[ref] == nil {
		v.of[ref] = map[string]bool{}
	}
	if !v.of[ref][viewer] {
		v.of[ref][viewer] = true
		l.sure.doubt(ref)
	}
}

// Leave notes that somebody who attended left. If that was the last one, and nobody waits for the reading of the session, it ends.
func (l *Library) Leave(ref Ref, viewer string) {
	v := &l.viewers
	v.mu.Lock()
	defer v.mu.Unlock()
	if !v.of[ref][viewer] {
		return
	}
	if delete(v.of[ref], viewer); len(v.of[ref]) > 0 {
		return
	}
	delete(v.of, ref)
	if !l.locks.awaited(ref) {
		l.openings.stop(ref)
	}
}

// awaited tells whether somebody waits while a session is being read.
func (l *locks) awaited(ref Ref) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := l.held[ref]
	return one != nil && one.uses > 1
}

// stoppable is a context for a reading in the background, which ends when that is stopped.
func (l *Library) stoppable(ref Ref) (context.Context, context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(l.ctx)
	x := &l.openings
	x.mu.Lock()
	defer x.mu.Unlock()
	if one := x.of[ref]; one != nil {
		one.cancel = cancel
	}
	return ctx, cancel
}

func (x *openings) stop(ref Ref) {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch one := x.of[ref]; {
	case one == nil:
	case !one.reading:
		one.left = true
	case one.cancel != nil:
		one.cancel(errLeft)
	}
}
