package index

import (
	"context"
	"fmt"
	"math"
	"os"
)

// EachSession calls f for all rows, in no order. The digest is valid during the call. After an error, not all of what f was told counts.
func (x *Index) EachSession(ctx context.Context, f func(*Session)) error {
	return x.do(ctx, "reading the index", func(st *store) error { return eachSession(ctx, st, false, f) })
}

// Stamps are all rows without their digests, by ID.
func (x *Index) Stamps(ctx context.Context) (map[string]Session, error) {
	var out map[string]Session
	err := x.do(ctx, "reading the index", func(st *store) error {
		out = map[string]Session{}
		return eachSession(ctx, st, false, func(s *Session) {
			s.Digest = nil
			out[s.ID] = *s
		})
	})
	return out, err
}

// eachSession calls f for all rows, which have their pieces if they are to be whole, and checks that these are all.
func eachSession(ctx context.Context, st *store, whole bool, f func(*Session)) error {
	tx, err := st.reads.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("beginning to read: %w", err)
	}
	defer tx.Rollback() //nolint:errcheck // nothing was written
	now, err := readState(ctx, tx)
	if err != nil {
		return err
	}
	take := func(*row) error { return nil }
	if whole {
		pieces, err := piecesOf(ctx, tx, 0, math.MaxInt64)
		if err != nil {
			return err
		}
		defer pieces.Close()
		take = pieces.take
	}
	n := int64(0)
	err = eachRow(ctx, tx, func(r row) error {
		n++
		if err := take(&r); err != nil {
			return err
		}
		f(&r.Session)
		return nil
	}, "ORDER BY row")
	if err != nil {
		return err
	}
	if n != now.sessions {
		return fmt.Errorf("%w: it has %d of %d sessions", errDamaged, n, now.sessions)
	}
	return nil
}

// Session is the row of one session, if it is there.
func (x *Index) Session(ctx context.Context, id string) (Session, bool, error) {
	var found row
	var there bool
	err := x.do(ctx, "reading the index", func(st *store) (err error) {
		found, there, err = rowOf(ctx, st.read, id)
		return err
	})
	if err != nil || !there {
		return Session{}, false, err
	}
	return found.Session, true, nil
}

// Size says how much there is.
func (x *Index) Size(ctx context.Context) (Size, error) {
	var size Size
	err := x.do(ctx, "reading the index", func(st *store) error {
		now, err := readState(ctx, st.read)
		if err != nil {
			return err
		}
		size = Size{Text: now.live, Sessions: int(now.sessions)}
		for _, suffix := range []string{"", "-wal", "-shm"} {
			if info, err := os.Stat(st.path + suffix); err == nil {
				size.Disk += info.Size()
			}
		}
		return nil
	})
	return size, err
}
