package library

import (
	"context"
	"slices"
	"sync"
)

// slots bound how much is done at once. Who came last goes first: what was asked for before it may not be looked at any more.
type slots struct {
	mu      sync.Mutex
	free    int
	waiting []chan struct{}
}

// take waits for its turn. Who got one calls give.
func (s *slots) take(ctx context.Context) error {
	s.mu.Lock()
	if s.free > 0 {
		s.free--
		s.mu.Unlock()
		return nil
	}
	turn := make(chan struct{})
	s.waiting = append(s.waiting, turn)
	s.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
	}
	s.mu.Lock()
	at := slices.Index(s.waiting, turn)
	if at >= 0 {
		s.waiting = slices.Delete(s.waiting, at, at+1)
	}
	s.mu.Unlock()
	if at < 0 { // it came all the same
		s.give()
	}
	return context.Cause(ctx)
}

func (s *slots) give() {
	s.mu.Lock()
	defer s.mu.Unlock()
	last := len(s.waiting) - 1
	if last < 0 {
		s.free++
		return
	}
	close(s.waiting[last])
	s.waiting = s.waiting[:last]
}
