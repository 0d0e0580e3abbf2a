package backend

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"palimpsest/backend/index"
	"palimpsest/backend/library"
	"palimpsest/backend/scan"
)

// stock is what there is to be scanned: sessions of ours, and those of other agents.
type stock struct {
	b     *Backend
	index *index.Index

	mu sync.Mutex
	// theirs are the sessions of other agents in the last listing, and own is when something was said last in each of ours, nil before the first.
	theirs map[string]listed
	own    map[string]time.Time
	// forgets is how often something had been taken away when that was begun, and went the same of the last listing that had a session of another
	// agent which is not there any more.
	forgets int64
	went    map[string]int64
	// vanished are those whose files were gone when all rows were last asked for, and asked tells that they were.
	vanished []string
	asked    bool
	// watching is how many folders of theirs the system tells of.
	watching atomic.Int64
	// listed counts listings.
	listed int
	known  digests
	// related tells that nothing was read since it was looked which sessions are copies that may change that, and akin are those that were
	// copied, or are copies.
	related atomic.Bool
	akin    map[string]bool
	// followed are the sessions of other agents that were appended to lately, and grown those of ours.
	followed, grown followed
	bare            bare
	// turn tells other programs that this one gets further.
	turn   *turnMark
	second second
	// restored is how often the indexes had been opened when what one lacked was put back, and unrestored says that this could not be. One scan
	// at a time looks at them.
	restored   int64
	unrestored bool
	// large holds one while a large session is read.
	large chan struct{}
}

// largeFrom is the size from which on a session is large.
const largeFrom = 4 << 20

var _ scan.Catalog = (*stock)(nil)

// indexFault is a failure of the index itself: no session is to be blamed for it.
type indexFault struct{ err error }

func (f *indexFault) Error() string { return f.err.Error() }
func (f *indexFault) Unwrap() error { return f.err }

func faulty(err error) error {
	if err == nil {
		return nil
	}
	return &indexFault{err}
}

// Rows are what the index has. To ask for many one by one takes longer than to ask for all.
func (c *stock) Rows(ctx context.Context, only []string) (map[string]index.Session, error) {
	const many = 100
	if only == nil {
		rows, err := c.index.Stamps(ctx)
		if err != nil {
			return nil, err
		}
		if err := c.second.settle(ctx, c.index, rows); err != nil {
			c.b.warn(err)
		}
		c.noteVanished(rows)
		return c.allHere(rows), nil
	}
	if len(only) > many {
		rows, err := c.index.Stamps(ctx)
		return c.allHere(rows), err
	}
	rows := map[string]index.Session{}
	for _, id := range only {
		row, there, err := c.index.Session(ctx, id)
		if err != nil {
			return nil, err
		}
		if there {
			rows[id] = row
		}
	}
	return c.allHere(rows), nil
}

// Look says what sessions are like now. One of another agent has to have been listed before.
func (c *stock) Look(_ context.Context, ids []string) ([]scan.Item, error) {
	var items []scan.Item
	for _, id := range ids {
		if item, ok := c.look(id); ok {
			items = append(items, item)
		}
	}
	return items, nil
}

func (c *stock) look(id string) (scan.Item, bool) {
	if library.IsRef(id) {
		c.mu.Lock()
		one := c.theirs[id]
		c.mu.Unlock()
		if one.found == nil || one.outlived {
			return scan.Item{}, false
		}
		f := one.found
		return scan.Item{ID: id, Stamp: c.stampTheirs(f), Updated: lastChange(f), Bytes: f.Bytes}, true
	}
	summary, err := c.b.store.Get(id)
	if err != nil {
		return scan.Item{}, false // it is gone, and the next listing says so
	}
	stamp, bytes, ok := c.stampOf(&summary)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.own != nil {
		c.own[id] = summary.LastMessageAt
	}
	return scan.Item{ID: id, Stamp: stamp, Updated: summary.LastMessageAt, Bytes: bytes}, ok
}
