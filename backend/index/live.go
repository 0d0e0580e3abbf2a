package index

import (
	"context"
	"fmt"
)

// live says which texts are to be kept: those of rows as they are, and those that are still being written.
type live struct {
	named   map[int64]int64 // of each row
	pending map[int64]bool  // whether somebody may still finish it
}

func readLive(ctx context.Context, q querier) (live, error) {
	l := live{named: map[int64]int64{}, pending: map[int64]bool{}}
	if err := eachPair(ctx, q, "SELECT row, named FROM sessions", func(row, named int64) { l.named[row] = named }); err != nil {
		return l, err
	}
	err := eachPair(ctx, q, "SELECT number, at FROM pending", func(number, at int64) { l.pending[number] = at > 0 })
	return l, err
}

func eachPair(ctx context.Context, q querier, query string, f func(a, b int64)) error {
	rows, err := q.QueryContext(ctx, query)
	if err != nil {
		return fmt.Errorf("reading the index: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var a, b int64
		if err := rows.Scan(&a, &b); err != nil {
			return scanned(err)
		}
		f(a, b)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("reading the index: %w", err)
	}
	return nil
}

func (l live) has(session, write int64) bool {
	if _, there := l.named[session]; !there && !l.pending[session] {
		return false
	}
	goesOn, listed := l.pending[write]
	return !listed || goesOn
}

func (l live) hasText(c *chunk) bool {
	return l.has(c.session, c.write) && (c.scope != Name || c.n >= l.named[c.session])
}

func (l live) deadPart(blocks []about) float64 {
	dead, all := 0, 0
	for i := range blocks {
		for _, p := range blocks[i].parts {
			all += p.bytes
			if !l.has(p.session, p.write) {
				dead += p.bytes
			}
		}
	}
	if all == 0 {
		return 0
	}
	return float64(dead) / float64(all)
}
