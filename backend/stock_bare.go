package backend

import (
	"context"
	"iter"
	"sync"
	"time"

	"palimpsest/backend/digest"
	"palimpsest/backend/index"
)

// bare are sessions without texts that were read and are not in the index yet: some agents leave a file for each time they were opened,
// and a transaction for each takes longer than to read it.
type bare struct {
	mu    sync.Mutex
	rows  []index.Session
	of    []*digest.Digest
	since time.Time
}

const (
	// bareMost is how many wait, and bareTime how long the first of them does.
	bareMost = 500
	bareTime = time.Second / 2
)

// putOff has a session written with others.
func (c *stock) putOff(ctx context.Context, row index.Session, d *digest.Digest) error {
	x := &c.bare
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.rows) == 0 {
		x.since = time.Now()
	}
	x.rows, x.of = append(x.rows, row), append(x.of, d)
	if len(x.rows) < bareMost && time.Since(x.since) < bareTime {
		return nil
	}
	return c.settle(ctx)
}

// Settle writes what was put off, and which of what was read are copies. What can't be is read again another time.
func (c *stock) Settle(ctx context.Context) error {
	c.bare.mu.Lock()
	defer c.bare.mu.Unlock()
	if err := c.settle(ctx); err != nil {
		return err
	}
	return c.relate(ctx)
}

// settleBare writes what was put off.
func (c *stock) settleBare(ctx context.Context) error {
	c.bare.mu.Lock()
	defer c.bare.mu.Unlock()
	return c.settle(ctx)
}

// settle is settleBare for who holds the lock.
func (c *stock) settle(ctx context.Context) error {
	rows, of := c.bare.rows, c.bare.of
	c.bare.rows, c.bare.of = nil, nil
	if len(rows) == 0 {
		return nil
	}
	put := map[string]bool{}
	if err := c.index.PutBare(ctx, rows, func(id string) bool { put[id] = c.wanted(ctx, id); return put[id] }); err != nil {
		return faulty(err)
	}
	for i := range rows {
		if !put[rows[i].ID] {
			continue
		}
		if len(of[i].Parts) > 0 {
			c.related.Store(false)
		}
		c.changes(rows[i].ID)
	}
	return nil
}

// begun is a sequence of texts of which the first was asked for; there is none if it is not any.
func begun(texts iter.Seq2[index.Text, error]) (all iter.Seq2[index.Text, error], some bool, stop func()) {
	next, stop := iter.Pull2(texts)
	first, err, some := next()
	return func(yield func(index.Text, error) bool) {
		for some && yield(first, err) {
			first, err, some = next()
		}
	}, some, stop
}
