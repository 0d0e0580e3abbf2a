package scan

import "time"

// State is how far the index is.
type State struct {
	// Scanning tells that a scan is under way, Paused that it waits to be resumed, Cancelled that it was ended and none begins until it is
	// resumed, Elsewhere that another process scans, so that this one waits or does nothing.
	Scanning, Paused, Cancelled, Elsewhere bool
	// Sessions are all that there are, Waiting those that are still to be read.
	Sessions, Waiting int
	// BytesDone and BytesTotal are of those that were to be read in this scan.
	BytesDone, BytesTotal int64
	// Problem is why the last scan failed, empty if it did not.
	Problem string

	resting int
	// kept tells that another process keeps the index in step, while this one waits for that to end.
	kept bool
}

// State tells how far the index is.
func (s *Scanner) State() State {
	paused, cancelled := s.gate.paused(), s.gate.cancelled()
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.state
	state.Paused, state.Cancelled = paused, cancelled
	state.Elsewhere = state.Elsewhere || state.kept && !state.Scanning
	return state
}

// Busy tells that this process scans, or was told not to.
func (s *Scanner) Busy() bool {
	state := s.State()
	return state.Scanning || state.Paused
}

func (s *Scanner) set(change func(*State)) {
	s.mu.Lock()
	change(&s.state)
	s.mu.Unlock()
	s.opts.Changed()
}

// begin notes what is to be read, of all sessions or of some.
func (s *Scanner) begin(p plan) {
	bytes := int64(0)
	for _, item := range p.todo {
		bytes += item.Bytes
	}
	s.set(func(t *State) {
		if p.all {
			t.Sessions, t.resting = len(p.items), 0
		}
		t.Waiting, t.resting = len(p.todo)+p.resting, max(p.resting, t.resting)
		t.BytesDone, t.BytesTotal = 0, bytes
	})
}

// ended notes that a session was read. One that takes long rests for nine times as long before it is read again.
func (s *Scanner) ended(item Item, took time.Duration) {
	const long, times = 100 * time.Millisecond, 9
	s.set(func(t *State) {
		t.Waiting--
		t.BytesDone += item.Bytes
		if took >= long {
			s.rest[item.ID] = s.opts.Now().Add(times * took)
		}
	})
}

// Pause stops reading at the next text; what was read of a session up to there is kept. Resume goes on. Meanwhile others may read.
func (s *Scanner) Pause() {
	s.gate.set(closed)
	s.endTurn()
	s.opts.Changed()
}

// Resume goes on after a pause, or scans again after a cancel.
func (s *Scanner) Resume() {
	s.gate.set(open)
	s.opts.Changed()
	s.Want()
}

// Cancel ends the scan, and nothing is read until it is resumed or rebuilt.
func (s *Scanner) Cancel() {
	s.gate.set(ended)
	s.opts.Changed()
}

// Rebuild clears the index, and reads everything again.
func (s *Scanner) Rebuild() {
	s.mu.Lock()
	s.clear = true
	scanning := s.state.Scanning
	s.mu.Unlock()
	if scanning {
		s.gate.again()
	} else {
		s.gate.set(open)
	}
	s.Want()
}
