package scan

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"palimpsest/backend/index"
)

// pass is a scan whose failure is told as part of the state; again is when to scan again, 0 for when it is wanted. After a cancel it finds out
// what there is to read, which is told, and reads nothing.
func (s *Scanner) pass(ctx context.Context) (again time.Duration) {
	only, due := s.due()
	if !due {
		return 0
	}
	leave, err := s.enter(ctx)
	if err == nil {
		if s.gate.cancelled() {
			_, err = s.plan(ctx, nil)
		} else {
			err = s.scan(ctx, only)
		}
		leave()
	}
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

// scan compares, reads what changed, the newest first, and marks what vanished: of all sessions, or only of some. No other scan of this
// process is under way.
func (s *Scanner) scan(ctx context.Context, only []string) error {
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
	if only == nil {
		if err := s.restore(ctx); err != nil {
			return err
		}
	}
	found, err := s.plan(ctx, only)
	if err != nil || len(found.todo) == 0 {
		return err
	}
	if found.todo, err = s.inTurn(ctx, found.todo, found.rows); err != nil {
		return err
	}
	s.begin(found)
	return s.readAll(ctx, found.todo)
}

// plan is what a scan has found, of all sessions or of some: those that there are, what the index has, and what is to be read.
type plan struct {
	all     bool
	items   []Item
	rows    map[string]index.Session
	todo    []Item
	resting int
}

// plan finds out what there is to read, and notes what vanished.
func (s *Scanner) plan(ctx context.Context, only []string) (p plan, err error) {
	p.all = only == nil
	began, held := time.Now(), time.Duration(0)
	if p.rows, err = s.opts.Catalog.Rows(ctx, only); err != nil {
		return p, fmt.Errorf("asking the index what it has: %w", err)
	}
	var listing Listing
	if p.all {
		listing, err = s.opts.Catalog.List(ctx, func() bool {
			reached := time.Now()
			defer func() { held += time.Since(reached) }()
			return s.gate.pass(ctx) == nil
		})
	} else {
		listing.Items, err = s.opts.Catalog.Look(ctx, only)
	}
	if err != nil {
		return p, fmt.Errorf("looking for sessions: %w", err)
	}
	p.items = listing.Items
	if p.todo, p.resting, err = s.compare(ctx, p.rows, listing); err != nil {
		return p, fmt.Errorf("noting what vanished: %w", err)
	}
	s.looks(time.Since(began) - held)
	s.begin(p)
	return p, nil
}

// restore has the index hold again what it held, as one that reads.
func (s *Scanner) restore(ctx context.Context) error {
	err := s.opts.Catalog.Restore(ctx, func() error {
		if err := s.gate.pass(ctx); err != nil {
			return err
		}
		return s.takeTurn(ctx)
	})
	if err != nil {
		return fmt.Errorf("putting back what the index had: %w", err)
	}
	return nil
}

func (s *Scanner) looks(took time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looked = took
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
	unnoted := 0
	note := func(row index.Session, gone bool) {
		failed := s.opts.Catalog.Gone(ctx, row, gone)
		if failed == nil {
			return
		}
		if unnoted++; err == nil {
			err = failed // a full disk is the same for all
		}
	}
	for _, item := range listing.Items {
		there[item.ID] = true
		row, known := rows[item.ID]
		switch {
		case known && row.Stamp == item.Stamp && row.Gone:
			note(row, false)
		case known && row.Stamp == item.Stamp:
		case s.rests(item.ID):
			resting++
		default:
			todo = append(todo, item)
		}
	}
	for id, row := range rows {
		if listing.Vanished != nil && !there[id] && !row.Gone && listing.Vanished(id) {
			note(row, true)
		}
	}
	if unnoted > 1 {
		err = fmt.Errorf("%w (and %d more)", err, unnoted-1)
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
