package backend

import (
	"context"
	"errors"
	"slices"

	"palimpsest/backend/index"
)

// settle brings the second index in line with the rows of the index, once each time that one of them was opened: when the program was
// killed, one may have vanished and not be in it yet, or not as it was last, or be back.
func (s *second) settle(ctx context.Context, from *index.Index, rows map[string]index.Session) error {
	opened, err := s.opened(ctx, from)
	if err != nil {
		return err
	}
	s.mu.Lock()
	done := s.settled == opened
	s.settled = opened
	s.mu.Unlock()
	if done {
		return nil
	}
	to, err := s.open(false) //nolint:contextcheck,nolintlint // it stays open, whoever asked first
	if err != nil {
		return err
	}
	there, bare := map[string]index.Session{}, map[string]bool{}
	if to != nil {
		if there, bare, err = holdings(ctx, to); err != nil {
			return err
		}
	}
	var back []string
	for id := range rows {
		row := rows[id]
		before, known := there[id]
		switch {
		case row.Gone && (!known || outdated(row, before, bare[id])):
			err = errors.Join(err, s.take(ctx, from, id))
		case !row.Gone && known:
			back = append(back, id)
		}
	}
	s.mu.Lock()
	s.back = back
	s.mu.Unlock()
	return err
}

// drop takes out what is back, as the index says and a listing, too: the index may be one of before, as where its log of writes was lost.
func (s *second) drop(ctx context.Context, there func(id string) bool) error {
	s.mu.Lock()
	back := slices.DeleteFunc(s.back, func(id string) bool { return !there(id) })
	s.back = nil
	s.mu.Unlock()
	if len(back) == 0 {
		return nil
	}
	x, err := s.open(false) //nolint:contextcheck,nolintlint // it stays open, whoever asked first
	if x == nil || err != nil {
		return err
	}
	return x.Remove(ctx, back...)
}

// returned notes that a session that was taken is back: it may have another end now, and vanish with that.
func (s *second) returned(ctx context.Context, id string) error {
	x, err := s.open(false) //nolint:contextcheck,nolintlint // it stays open, whoever asked first
	if x == nil || err != nil {
		return err
	}
	return s.alone(func() error {
		row, there, err := x.Session(ctx, id)
		if err != nil || !there || !row.Gone {
			return err
		}
		row.Gone = false
		return x.Touch(ctx, row)
	})
}

// outdated tells whether a session was read since it was taken, or could be read back only in part. A row without a stamp is itself what
// could be read of a damaged index: it takes the place of nothing.
func outdated(row, before index.Session, bare bool) bool {
	if bare {
		return !row.Updated.Equal(before.Updated)
	}
	return row.Stamp != "" && row.Stamp != before.Stamp
}
