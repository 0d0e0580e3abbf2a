package scan

import (
	"context"
	"time"
)

// heed looks whether other processes have written to the index since it did so before: what they read, and what they forgot, is otherwise
// here, too. It says whether they have.
func (s *Scanner) heed(ctx context.Context) (wrote bool) {
	now, err := s.opts.Others(ctx)
	if err != nil {
		return false // whoever needs the index says why
	}
	s.mu.Lock()
	news := s.heeded && now != s.others
	s.others, s.heeded = now, true
	s.mu.Unlock()
	if news {
		s.Want()
		s.opts.Changed()
	}
	return news
}

// look looks for all sessions, as a scan does, but reads none: another process does.
func (s *Scanner) look(ctx context.Context) {
	leave, err := s.enter(ctx)
	if err != nil {
		return
	}
	began := time.Now()
	if _, some := s.due(); some {
		_, _ = s.opts.Catalog.Rows(ctx, nil) // each says of itself why it fails
		_, _ = s.opts.Catalog.List(ctx, nil)
	}
	took := time.Since(began)
	s.looks(took)
	leave()
	sleep(ctx, s.pause(took))
}

// notKeeping notes that another process keeps the index in step, or why that is not known. It is told once: whoever shows it looks for all
// sessions then.
func (s *Scanner) notKeeping(err error) {
	problem := ""
	if err != nil {
		problem = err.Error()
	}
	s.mu.Lock()
	same := s.state.kept == (err == nil) && (err == nil || s.state.Problem == problem)
	s.mu.Unlock()
	if same {
		return
	}
	s.set(func(t *State) {
		if t.kept = err == nil; err != nil {
			t.Problem = problem
		}
	})
}
