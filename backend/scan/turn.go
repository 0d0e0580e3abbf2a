package scan

import (
	"context"
	"time"
)

// Whoever scans reads in turn, so that nothing is read twice: the scans of a process one after the other, and of all processes one at a
// time. Who comes later waits, and then finds what the others have read. That is a courtesy, which the index does not need: one that is
// paused gives its turn away, and nobody waits for one that gets no further.

const (
	// lookAgain is how often one looks whether it is one's turn.
	lookAgain = 50 * time.Millisecond
	// heldUp is how long nothing is written by one that gets no further: it was stopped, or its machine sleeps.
	heldUp = 30 * time.Second
)

// enter waits until no other scan of this process is under way.
func (s *Scanner) enter(ctx context.Context) (leave func(), err error) {
	select {
	case s.under <- struct{}{}:
		return func() { <-s.under }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// takeTurn waits until no other process reads, unless it is this one's turn already.
func (s *Scanner) takeTurn(ctx context.Context) error {
	if s.hasTurn() {
		return nil
	}
	var before int64
	var told time.Time
	since := s.opts.Now()
	for {
		written, err := s.opts.Others(ctx)
		if err != nil {
			return err
		}
		if written != before {
			before, since = written, s.opts.Now()
		}
		end, ok, err := s.opts.Turn()
		if err != nil {
			return err
		}
		if !ok && s.opts.Now().Sub(since) > heldUp {
			end, ok = func() {}, true
		}
		if ok {
			s.keepTurn(end)
			return nil
		}
		if now := s.opts.Now(); now.Sub(told) >= takeOver { // who shows it looks for all sessions then
			told = now
			s.set(func(t *State) { t.Elsewhere = true })
		}
		if err := s.lookLater(ctx); err != nil {
			return err
		}
	}
}

// lookLater waits a moment, and ends the scan if that is wanted.
func (s *Scanner) lookLater(ctx context.Context) error {
	timer := time.NewTimer(lookAgain)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
	}
	if s.gate.over() {
		return errCancelled
	}
	return nil
}

func (s *Scanner) hasTurn() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.turn != nil
}

// keepTurn notes that it is this one's turn, and gives it away again where work waits at the gate.
func (s *Scanner) keepTurn(end func()) {
	s.mu.Lock()
	s.turn = end
	elsewhere := s.state.Elsewhere
	s.mu.Unlock()
	if elsewhere {
		s.set(func(t *State) { t.Elsewhere = false })
	}
	if s.gate.paused() {
		s.endTurn()
	}
}

// endTurn lets others read.
func (s *Scanner) endTurn() {
	s.mu.Lock()
	end := s.turn
	s.turn = nil
	s.mu.Unlock()
	if end != nil {
		end()
	}
}
