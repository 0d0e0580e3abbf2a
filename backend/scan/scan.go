package scan

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"palimpsest/backend/index"
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
	// Changed is told that the state is another one; may be nil.
	Changed func()
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
	// turn ends the turn of this process; nil while it has none.
	turn func()
	// rest says until when a session is not read again that changes all the time and takes long.
	rest map[string]time.Time
	// wanted holds a sign when there is something to do: all of it, or only to look at hints.
	wanted chan struct{}
	all    bool
	hints  map[string]bool
	clear  bool
}

// New returns a scanner that does nothing yet.
func New(opts Options) *Scanner {
	if opts.Workers < 1 {
		opts.Workers = 1
	}
	if opts.Now == nil {
		opts.Now = time.Now
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

// takeOver is how often one looks whether who scanned has ended.
const takeOver = 3 * time.Second

// Keep scans whenever that is wanted, until ctx is done. While another process does, it waits for that one to end.
func (s *Scanner) Keep(ctx context.Context) {
	unlock := s.wait(ctx)
	if unlock == nil {
		return
	}
	defer unlock()
	for {
		began := time.Now()
		again := s.pass(ctx)
		// However often something changes, looking takes no more than a tenth of the time.
		if !sleep(ctx, max(breath, 9*time.Since(began))) {
			return
		}
		var timer <-chan time.Time
		if again > 0 {
			timer = time.After(again)
		}
		select {
		case <-ctx.Done():
			return
		case <-s.wanted:
		case <-timer:
			s.Want()
		}
	}
}

// breath is the least time between two scans.
const breath = 200 * time.Millisecond

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

// wait takes the lock, and returns nil if ctx ends before.
func (s *Scanner) wait(ctx context.Context) (unlock func()) {
	for {
		unlock, ok, err := s.opts.Lock()
		if ok {
			s.set(func(t *State) { t.Elsewhere, t.Problem = false, "" })
			return unlock
		}
		s.set(func(t *State) {
			if t.Elsewhere = err == nil; err != nil {
				t.Problem = err.Error()
			}
		})
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(takeOver):
		}
	}
}

// Once brings the index up to date, whoever keeps it in step. What another process reads at the time it waits for, and reads the rest.
func (s *Scanner) Once(ctx context.Context) error { return s.scan(ctx, nil) }

// pass is a scan whose failure is told as part of the state; again is when to scan again, 0 for when it is wanted.
func (s *Scanner) pass(ctx context.Context) (again time.Duration) {
	if s.gate.cancelled() {
		return 0
	}
	only, due := s.due()
	if !due {
		return 0
	}
	err := s.scan(ctx, only)
	s.set(func(t *State) {
		t.Problem = ""
		if err != nil && ctx.Err() == nil && !errors.Is(err, errCancelled) {
			t.Problem = err.Error()
		}
	})
	return s.nextRest()
}

// nextRest is how long it is until a session that rests may be read again.
func (s *Scanner) nextRest() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.opts.Now()
	var next time.Duration
	for id, until := range s.rest {
		left := until.Sub(now)
		if left <= 0 {
			delete(s.rest, id)
			continue
		}
		if next == 0 || left < next {
			next = left
		}
	}
	if s.state.resting == 0 {
		return 0
	}
	return next
}

// scan compares, reads what changed, the newest first, and marks what vanished: of all sessions, or only of some.
func (s *Scanner) scan(ctx context.Context, only []string) error {
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	s.gate.begin()
	defer s.opts.Begin()()
	defer s.endTurn()
	s.set(func(t *State) { t.Scanning = true })
	defer s.set(func(t *State) { t.Scanning, t.Elsewhere = false, false })
	if s.takeClear() {
		if err := s.takeTurn(ctx); err != nil {
			s.mu.Lock()
			s.clear = true
			s.mu.Unlock()
			return err
		}
		if err := s.opts.Catalog.Clear(ctx); err != nil {
			return fmt.Errorf("clearing the index: %w", err)
		}
	}
	rows, err := s.opts.Catalog.Rows(ctx, only)
	if err != nil {
		return fmt.Errorf("asking the index what it has: %w", err)
	}
	var listing Listing
	if only == nil {
		listing, err = s.opts.Catalog.List(ctx)
	} else {
		listing.Items, err = s.opts.Catalog.Look(ctx, only)
	}
	if err != nil {
		return fmt.Errorf("looking for sessions: %w", err)
	}
	todo, resting, err := s.compare(ctx, rows, listing)
	if err != nil {
		return fmt.Errorf("noting what vanished: %w", err)
	}
	s.begin(listing.Items, todo, resting, only == nil)
	if len(todo) == 0 {
		return nil
	}
	if todo, err = s.inTurn(ctx, todo, rows); err != nil {
		return err
	}
	s.begin(listing.Items, todo, resting, only == nil)
	return s.readAll(ctx, todo)
}

// inTurn waits for this one's turn, and leaves out what somebody else has read since.
func (s *Scanner) inTurn(ctx context.Context, todo []Item, before map[string]index.Session) ([]Item, error) {
	if err := s.takeTurn(ctx); err != nil {
		return nil, err
	}
	ids := make([]string, 0, len(todo))
	for _, item := range todo {
		ids = append(ids, item.ID)
	}
	now, err := s.opts.Catalog.Rows(ctx, ids)
	if err != nil {
		return nil, fmt.Errorf("asking the index what it has: %w", err)
	}
	return slices.DeleteFunc(todo, func(item Item) bool {
		row, there := now[item.ID]
		return there && row.Stamp != before[item.ID].Stamp
	}), nil
}

// compare finds out what is to be read, the newest first, and notes what vanished and what came back.
func (s *Scanner) compare(ctx context.Context, rows map[string]index.Session, listing Listing) (todo []Item, resting int, err error) {
	there := make(map[string]bool, len(listing.Items))
	for _, item := range listing.Items {
		there[item.ID] = true
		row, known := rows[item.ID]
		switch {
		case known && row.Stamp == item.Stamp && row.Gone:
			err = errors.Join(err, s.opts.Catalog.Gone(ctx, row, false))
		case known && row.Stamp == item.Stamp:
		case s.rests(item.ID):
			resting++
		default:
			todo = append(todo, item)
		}
	}
	for id, row := range rows {
		if listing.Vanished != nil && !there[id] && !row.Gone && listing.Vanished(id) {
			err = errors.Join(err, s.opts.Catalog.Gone(ctx, row, true))
		}
	}
	slices.SortFunc(todo, func(a, b Item) int {
		if c := b.Updated.Compare(a.Updated); c != 0 {
			return c
		}
		return strings.Compare(b.ID, a.ID)
	})
	return todo, resting, err
}

func (s *Scanner) takeClear() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	wanted := s.clear
	s.clear = false
	if wanted {
		clear(s.rest)
	}
	return wanted
}

func (s *Scanner) rests(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opts.Now().Before(s.rest[id])
}

func (s *Scanner) readAll(ctx context.Context, todo []Item) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	next := make(chan Item)
	var wg sync.WaitGroup
	for range min(s.opts.Workers, len(todo)) {
		wg.Go(func() {
			for item := range next {
				if err := s.one(ctx, item); err != nil {
					stop(err)
				}
			}
		})
	}
	for _, item := range todo {
		if err := s.gate.pass(ctx); err != nil {
			stop(err)
		}
		if ctx.Err() != nil {
			break
		}
		select {
		case next <- item:
		case <-ctx.Done():
		}
	}
	close(next)
	wg.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// one reads a session. One that can't be read holds up no other: only what makes all others fail, too, is an error.
func (s *Scanner) one(ctx context.Context, item Item) error {
	began := s.opts.Now()
	err := s.read(ctx, item)
	switch {
	case ctx.Err() != nil:
		return nil //nolint:nilerr // whoever ended it knows why
	case errors.Is(err, errCancelled):
		return err
	case err != nil:
		if err = s.opts.Catalog.Skip(ctx, item, err); err != nil && ctx.Err() == nil {
			return fmt.Errorf("session %s: %w", item.ID, err)
		}
	}
	s.ended(item, s.opts.Now().Sub(began))
	return nil
}

// read turns a panic into an error.
func (s *Scanner) read(ctx context.Context, item Item) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("a mistake in the program: %v\n%s", r, debug.Stack())
		}
	}()
	return s.opts.Catalog.Read(ctx, item, func() error { return s.gate.pass(ctx) })
}
