package scan

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"palimpsest/backend/session"
)

// inTurns are scanners of as many processes on one index.
func inTurns(t *testing.T, s *shop, n int) []*Scanner {
	t.Helper()
	dir := t.TempDir()
	all := make([]*Scanner, n)
	for i := range all {
		all[i] = s.scanner()
		all[i].opts.Turn = func() (func(), bool, error) { return session.TryLock(dir) }
	}
	return all
}

// held makes each reading wait: reached tells of it, and passed lets it go on.
func (s *shop) held() (reached chan string, passed chan struct{}) {
	reached, passed = make(chan string), make(chan struct{})
	s.read = func(id string, pass func() error) error {
		reached <- id
		<-passed
		return pass()
	}
	return reached, passed
}

// start brings the index up to date, and tells how that ended.
func start(ctx context.Context, x *Scanner) <-chan error {
	done := make(chan error, 1)
	go func() { done <- x.Once(ctx) }()
	return done
}

// TestWhoComesLaterWaits: it finds what the first has read, reads nothing twice, and may leave before.
func TestWhoComesLaterWaits(t *testing.T) {
	s := newShop("a", "b")
	reached, passed := s.held()
	x := inTurns(t, s, 3)
	first := start(t.Context(), x[0])
	equal(t, <-reached, "b")
	second := start(t.Context(), x[1])
	ctx, leave := context.WithCancel(t.Context())
	third := start(ctx, x[2])
	eventually(t, "both wait", func() bool { return x[1].State().Elsewhere && x[2].State().Elsewhere })
	leave()
	if err := <-third; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	passed <- struct{}{}
	equal(t, <-reached, "a")
	passed <- struct{}{}
	must(t, <-first)
	must(t, <-second)
	equal(t, s.took(), []string{"b", "a"})
	equal(t, x[1].State().Waiting, 0)
	equal(t, x[1].State().Elsewhere, false)
}

// TestManyAtOnce: in one process or several, everything is read once, and all of it is there for each.
func TestManyAtOnce(t *testing.T) {
	s := newShop("a", "b", "c", "d")
	x := inTurns(t, s, 3)
	var wg sync.WaitGroup
	for i := range 9 {
		wg.Go(func() {
			if err := x[i%3].Once(t.Context()); err != nil {
				t.Error(err)
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			equal(t, len(s.rows), 4)
		})
	}
	wg.Wait()
	reads := s.took()
	slices.Sort(reads)
	equal(t, reads, []string{"a", "b", "c", "d"})
}

// TestAPauseLetsOthersRead: who is paused is not waited for.
func TestAPauseLetsOthersRead(t *testing.T) {
	s := newShop("a")
	reached, passed := s.held()
	x := inTurns(t, s, 2)
	first := start(t.Context(), x[0])
	equal(t, <-reached, "a")
	x[0].Pause()
	passed <- struct{}{}
	second := start(t.Context(), x[1])
	equal(t, <-reached, "a")
	passed <- struct{}{}
	must(t, <-second)
	equal(t, len(s.rows), 1)
	x[0].Resume()
	must(t, <-first)
}

// TestThatOneWaitsIsToldOnce, and not each time that one looks whether it is one's turn.
func TestThatOneWaitsIsToldOnce(t *testing.T) {
	const until = 4
	x := newShop("a").scanner()
	tries, told := 0, 0
	x.opts.Now = func() time.Time { return time.Unix(0, 0) }
	x.opts.Turn = func() (func(), bool, error) { tries++; return func() {}, tries == until, nil }
	x.opts.Changed = func() {
		if x.State().Elsewhere {
			told++
		}
	}
	must(t, x.Once(t.Context()))
	equal(t, tries, until)
	equal(t, told, 1)
}

// TestWhoGetsNoFurtherIsNotWaitedFor, and who does is.
func TestWhoGetsNoFurtherIsNotWaitedFor(t *testing.T) {
	const until = 6
	for name, writes := range map[string]int64{"held up": 0, "at work": 1} {
		t.Run(name, func(t *testing.T) {
			s := newShop("a")
			x := s.scanner()
			now, tries, written := time.Unix(0, 0), 0, int64(0)
			x.opts.Now = func() time.Time { now = now.Add(heldUp / 4); return now }
			x.opts.Others = func(context.Context) (int64, error) { written += writes; return written, nil }
			x.opts.Turn = func() (func(), bool, error) { tries++; return func() {}, tries == until, nil }
			must(t, x.Once(t.Context()))
			equal(t, len(s.took()), 1)
			if (tries == until) != (writes > 0) {
				t.Errorf("%d tries", tries)
			}
		})
	}
}

// TestRebuildWaitsForItsTurn: who has no turn keeps the wish to read everything again.
func TestRebuildWaitsForItsTurn(t *testing.T) {
	s := newShop("a")
	x := s.scanner()
	must(t, x.Once(t.Context()))
	failed := errors.New("no locks here")
	had := x.opts.Turn
	x.opts.Turn = func() (func(), bool, error) { return nil, false, failed }
	x.Rebuild()
	if err := x.Once(t.Context()); !errors.Is(err, failed) {
		t.Error(err)
	}
	x.opts.Turn = had
	must(t, x.Once(t.Context()))
	equal(t, s.took(), []string{"a", "a"})
}

// TestOnceHidesNoOther: who has brought the index up to date once still says that another process keeps it so.
func TestOnceHidesNoOther(t *testing.T) {
	s := newShop("a")
	x := s.scanner()
	x.opts.Lock = func() (func(), bool, error) { return nil, false, nil }
	keep(t, x)
	eventually(t, "that another scans", func() bool { return x.State().Elsewhere })
	s.read = func(string, func() error) error {
		equal(t, x.State().Elsewhere, false) // it is this one that reads
		return nil
	}
	must(t, x.Once(t.Context()))
	equal(t, x.State().Elsewhere, true)
}
