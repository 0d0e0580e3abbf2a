package index

import (
	"context"
	"fmt"
)

// looseBlock is a block that is in no sheet yet.
type looseBlock struct {
	about
	bits []byte
}

func readLoose(ctx context.Context, q querier, where string, args ...any) ([]looseBlock, error) {
	rows, err := q.QueryContext(ctx, "SELECT block, about, bits FROM loose "+where, args...)
	if err != nil {
		return nil, fmt.Errorf("reading blocks of the index: %w", err)
	}
	defer rows.Close()
	var out []looseBlock
	for rows.Next() {
		var b looseBlock
		var id int64
		var about []byte
		if err := rows.Scan(&id, &about, &b.bits); err != nil {
			return nil, scanned(err)
		}
		if b.about, err = readAbout(id, about); err != nil {
			return nil, err
		}
		if b.bits, err = unseal(id, b.bits); err != nil {
			return nil, err
		}
		if n := len(b.bits); n < 1<<least/8 || n&(n-1) != 0 {
			return nil, errDamaged
		}
		out = append(out, b)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("reading blocks of the index: %w", err)
	}
	return out, nil
}

func readAbout(id int64, data []byte) (about, error) {
	data, err := unseal(id, data)
	if err != nil {
		return about{}, err
	}
	r := reader{data: data}
	a := r.about()
	if r.bad || a.id != id {
		return about{}, errDamaged
	}
	return a, nil
}

func abouts(blocks []looseBlock) []about {
	out := make([]about, len(blocks))
	for i := range blocks {
		out[i] = blocks[i].about
	}
	return out
}
