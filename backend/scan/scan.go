package scan

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Options of [New].
type Options struct {
	Catalog Catalog
	// Workers is how many sessions are read at once; 1 if it is 0.
	Workers int
	// Lock takes the right to keep the index in step, if nobody has it, and Turn that to read into it.
	Lock, Turn func() (end func(), ok bool, err error)
	// Others is a number that becomes another one when other processes have written to the index.
	Others func(ctx context.Context) (int64, error)
	// Watch has the system tell of what other processes do there from now on, or no more. What it returns has a sign when they did something;
	// it is nil where the system does not tell. May be nil.
	Watch func(on bool) <-chan struct{}
	// Changed is told that the state is another one; may be nil.
	Changed func()
	// Read is told which sessions a scan has read, once they are in the index; may be nil.
	Read func(ids []string)
	// Begin is told when a scan begins, and what it returns when that has ended; may be nil.
	Begin func() (end func())
	// Now is the clock; time.Now if nil.
	Now func() time.Time
}

// Scanner keeps an index in step. It may be used by several goroutines.
type Scanner struct {
	opts Options
	gate gate

	// under holds one while a scan is under way.
	under chan struct{}

	mu    sync.Mutex
	state State
	// looked is how long the last scan took to find out what there is to read.
	looked time.Duration
	// turn ends the turn of this process; nil while it has none.
	turn func()
	// rest says until when a session is not read again that changes all the time and takes long.
	rest map[string]time.Time
	// wanted holds a sign when there is something to do: all of it, or only to look at hints.
	wanted chan struct{}
	all    bool
	hints  map[string]bool
	clear  bool
	// others is what opts.Others said last, and heeded that it was asked.
	others int64
	heeded bool
}

// New returns a scanner that does nothing yet.
func New(opts Options) *Scanner {
	if opts.Workers < 1 {
		opts.Workers = 1
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Watch == nil {
		opts.Watch = func(bool) <-chan struct{} { return nil }
	}
	if opts.Changed == nil {
		opts.Changed = func() {}
	}
	if opts.Begin == nil {
		opts.Begin = func() func() { return func() {} }
	}
	return &Scanner{
		opts: opts, rest: map[string]time.Time{}, hints: map[string]bool{}, all: true, wanted: make(chan struct{}, 1), under: make(chan struct{}, 1),
	}
}

// Want asks for a scan: something may have changed.
func (s *Scanner) Want() {
	s.mu.Lock()
	s.all = true
	s.mu.Unlock()
	s.wake()
}

// Hint asks for a look at sessions that have changed.
func (s *Scanner) Hint(ids ...string) {
	s.mu.Lock()
	for _, id := range ids {
		s.hints[id] = true
	}
	s.mu.Unlock()
	s.wake()
}

func (s *Scanner) wake() {
	select {
	case s.wanted <- struct{}{}:
	default:
	}
}

// due takes what is to be done: only some sessions, or nil for all.
func (s *Scanner) due() (only []string, some bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.all || s.clear
	for id := range s.hints {
		only = append(only, id)
	}
	s.all = false
	clear(s.hints)
	if all {
		return nil, true
	}
	slices.Sort(only)
	return only, len(only) > 0
}

// Keep scans whenever that is wanted, until ctx is done. While another process does, it waits for that one to end.
func (s *Scanner) Keep(ctx context.Context) {
	unlock := s.wait(ctx)
	if unlock == nil {
		return
	}
	defer unlock()
	l := newLookout()
	for {
		began := time.Now()
		again := s.pass(ctx)
		if !sleep(ctx, s.pause(time.Since(began))) {
			return
		}
		var rested <-chan time.Time
		if again > 0 {
			rested = time.After(again)
		}
		if !s.idle(ctx, l, rested) {
			return
		}
	}
}

// idle waits until something is wanted, and heeds other processes; not ok means that ctx is done. What is written meanwhile by this process is
// none of their doing, so the system is asked to tell for only so long, and what happened while it was not is looked for.
func (s *Scanner) idle(ctx context.Context, l *lookout, rested <-chan time.Time) (ok bool) {
	defer s.opts.Watch(false)
	for l.expect(takeOver); ; {
		told := s.opts.Watch(true)
		wanted, ok := s.await(ctx, l, rested, told)
		if wanted || !ok {
			return ok
		}
		s.heed(ctx)
		l.looked(told != nil)
	}
}

// breath is the least time between two scans.
const breath = 200 * time.Millisecond

// pause is how long it is to the next scan after one that took so long. However often something changes, looking takes no more than a tenth
// of the time. What was read had to be read, and what came meanwhile does not wait much longer for that.
func (s *Scanner) pause(took time.Duration) time.Duration {
	const most = 2 * time.Second
	s.mu.Lock()
	defer s.mu.Unlock()
	looked := min(s.looked, took) // nothing was due if that was of an earlier one
	return max(breath, 9*looked, min(took-looked, most))
}

func sleep(ctx context.Context, d time.Duration) bool {
	const most = 30 * time.Second
	timer := time.NewTimer(min(d, most))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// wait takes the lock, and returns nil if ctx ends before. While another process has it, what may have changed is looked for, and not read.
func (s *Scanner) wait(ctx context.Context) (unlock func()) {
	s.wake() // what there is now is known then, whoever reads it
	defer s.opts.Watch(false)
	// What changes for both of them the other one notes in a moment. That it goes on writing is no reason to ask more often.
	wrote := false
	for l := newLookout(); ; {
		told := s.opts.Watch(true)
		unlock, ok, err := s.opts.Lock()
		if ok {
			s.set(func(t *State) { t.kept, t.Problem = false, "" })
			s.Want() // what was looked for while another read was not read here
			return unlock
		}
		s.notKeeping(err)
		wanted, ok := s.await(ctx, l, nil, told)
		switch {
		case !ok:
			return nil
		case !wanted:
			wrote = s.heed(ctx)
			l.looked(told != nil)
			continue
		}
		s.look(ctx)
		if !wrote {
			l.expect(breath)
		}
		wrote = false
	}
}

// Once brings all of the index up to date, whoever keeps it in step: somebody waits for it, so no session rests. What another process reads at
// the time it waits for, and reads what is left.
func (s *Scanner) Once(ctx context.Context) error {
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	s.mu.Lock()
	clear(s.rest)
	s.mu.Unlock()
	return s.scan(ctx, nil)
}
