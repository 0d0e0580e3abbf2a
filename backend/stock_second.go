package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/rogpeppe/go-internal/lockedfile"

	"palimpsest/backend/digest"
	"palimpsest/backend/index"
)

// second is another index beside the index, of sessions whose files are gone: nothing but the index has a copy of those. It is written to
// when one vanishes, and read when the index was begun anew, so what damages one of them hardly damages both.
type second struct {
	dir  string
	warn func(error)
	// most is how large it is at most. Of what vanishes then, only the row is there twice.
	most int64

	mu    sync.Mutex
	index *index.Index
	// settled is how often the two had been opened when they were compared last.
	settled int64
	// back are the sessions in it that were not gone by the index when they were compared.
	back []string
}

const (
	secondName = "gone"
	handName   = "hand.lock"
	secondMost = 1 << 30
)

// whyBare is what is told of a session of which only the row is back.
const whyBare = "the index was damaged, and had its texts alone: there are too many sessions whose files are gone for all to be kept twice"

// open opens it, once. If there is none and none is to be begun, it is nil.
func (s *second) open(begin bool) (*index.Index, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.index != nil {
		return s.index, nil
	}
	if _, err := os.Stat(s.dir); err != nil && !begin {
		return nil, nil //nolint:nilnil // nothing has vanished yet
	}
	opened, err := index.Open(s.dir, index.OpenOptions{Warn: s.warn})
	if err != nil {
		return nil, fmt.Errorf("opening what is kept of sessions whose files are gone: %w", err)
	}
	s.index = opened
	return opened, nil
}

func (s *second) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.index == nil {
		return nil
	}
	return s.index.Close()
}

// disk is how many bytes it takes.
func (s *second) disk(ctx context.Context) (int64, error) {
	x, err := s.open(false) //nolint:contextcheck,nolintlint // it stays open, whoever asked first
	if x == nil || err != nil {
		return 0, err
	}
	size, err := x.Size(ctx)
	return size.Disk, err
}

// handOver hands a session over from one of the two to the other, unless it is forgotten by now. Its caller does so alone.
func handOver(ctx context.Context, from, to *index.Index, id string) error {
	err := from.HandOver(ctx, to, id)
	if errors.Is(err, index.ErrChanged) {
		return nil
	}
	return err
}

// alone does something while no session is handed over, by whatever program: one that is forgotten is not to come back.
func (s *second) alone(do func() error) error {
	unlock, err := lockedfile.MutexAt(filepath.Join(filepath.Dir(s.dir), handName)).Lock()
	if err != nil {
		return fmt.Errorf("locking what is handed over between the indexes: %w", err)
	}
	defer unlock()
	return do()
}

// forget forgets sessions here and in the index.
func (s *second) forget(ctx context.Context, from *index.Index, ids []string) error {
	//nolint:contextcheck,nolintlint // what is opened stays open, whoever asked first
	return s.both(from, func(x *index.Index) error { return x.Forget(ctx, ids...) })
}

// scrub goes on with forgetting that could not end, or was killed.
func (s *second) scrub(ctx context.Context, from *index.Index) error {
	//nolint:contextcheck,nolintlint // as above
	return s.both(from, func(x *index.Index) error { return x.Scrub(ctx) })
}

// both forgets something in this one, then in the index: what is killed in between is still in that, and so is neither forgotten nor back. Only
// if all is out of both is the error [index.ErrLeft].
func (s *second) both(from *index.Index, forget func(*index.Index) error) error {
	other, err := s.open(false)
	if err != nil {
		return err
	}
	return s.alone(func() (left error) {
		for _, x := range []*index.Index{other, from} {
			if x == nil {
				continue
			}
			err := forget(x)
			if err != nil && !errors.Is(err, index.ErrLeft) {
				return err
			}
			if left == nil {
				left = err
			}
		}
		return left
	})
}

// take takes over a session that vanished. Where there is no room for its texts, what was taken of it before stays. If more happened in what
// was taken before, and it was not back since, the index is one of before, and gets that back.
func (s *second) take(ctx context.Context, from *index.Index, id string) error {
	to, err := s.open(true) //nolint:contextcheck,nolintlint // it stays open, whoever asked first
	if err != nil {
		return err
	}
	return s.alone(func() error { return s.takeInto(ctx, to, from, id) })
}

// takeInto is take for who does so alone.
func (s *second) takeInto(ctx context.Context, to, from *index.Index, id string) error {
	row, there, err := from.Whole(ctx, id)
	if err != nil || !there {
		return err
	}
	before, taken, err := to.Session(ctx, id)
	if err != nil {
		return err
	}
	whole := taken && !isBare(&before)
	if whole && before.Gone && before.Stamp != "" && before.Updated.After(row.Updated) {
		return handOver(ctx, to, from, id)
	}
	size, err := to.Size(ctx)
	if err == nil && size.Disk < s.most {
		return handOver(ctx, from, to, id)
	}
	if err != nil || whole {
		return err
	}
	d, err := digest.Recall(row.Digest)
	if err != nil {
		return fmt.Errorf("session %s: %w", id, err)
	}
	d.Skip, d.Why, d.Continue = digest.SkipUnreadable, whyBare, nil
	return to.PutBare(ctx, []index.Session{{ID: id, Updated: row.Updated, Gone: true, Digest: d.Encode(), Pieces: row.Pieces}}, nil)
}

// isBare tells whether only the row of a session was taken.
func isBare(row *index.Session) bool {
	d, err := digest.Recall(row.Digest)
	return err == nil && d.Why == whyBare
}

// holdings says of what there is whether it is bare, with the rows but for their digests.
func holdings(ctx context.Context, x *index.Index) (rows map[string]index.Session, bare map[string]bool, err error) {
	rows, bare = map[string]index.Session{}, map[string]bool{}
	err = x.EachSession(ctx, func(row *index.Session) {
		if isBare(row) {
			bare[row.ID] = true
		}
		kept := *row
		kept.Digest = nil
		rows[row.ID] = kept
	})
	return rows, bare, err
}

// giveBack puts into the index what that lacks, sessions with all of their texts or the others, and says how many. It calls pass before each,
// and ends with its error.
func (s *second) giveBack(ctx context.Context, to *index.Index, whole bool, pass func() error) (back int, err error) {
	from, err := s.open(false) //nolint:contextcheck,nolintlint // it stays open, whoever asked first
	if from == nil || err != nil {
		return 0, err
	}
	if from.Wrecked() {
		if err := from.Salvage(ctx, pass); err != nil {
			return 0, err
		}
	}
	rows, bare, err := holdings(ctx, from)
	for id := range rows {
		if all := rows[id].Stamp != "" && !bare[id]; all != whole { // one that was read back in part has no stamp
			continue
		}
		before, there, failed := to.Session(ctx, id)
		if failed != nil || there && (!whole || before.Stamp != "") { // one without a stamp could be read back only in part
			err = errors.Join(err, failed)
			continue
		}
		if err := pass(); err != nil {
			return back, err
		}
		failed = s.alone(func() error { return handOver(ctx, from, to, id) })
		if err = errors.Join(err, failed); failed == nil {
			back++
		}
	}
	return back, err
}

// opened is how often this one and the index were opened: again where the file of one was damaged, or is another one now.
func (s *second) opened(ctx context.Context, from *index.Index) (int64, error) {
	times, err := from.Opened(ctx)
	if err != nil {
		return 0, err
	}
	x, err := s.open(false) //nolint:contextcheck,nolintlint // it stays open, whoever asked first
	if x == nil || err != nil {
		return times, nil //nolint:nilerr // whoever needs it says why there is none
	}
	mine, err := x.Opened(ctx)
	return times + mine, err
}
