package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"slices"
	"sync"
)

// Owned are the numbers of a table's rows by what they belong to, for a database whose indexes can't be read: one pass over the table finds
// them for all that ask while the copy is open. A row takes 16 bytes.
type Owned struct {
	seed maphash.Seed
	rows []ownedRow
	// Lost says why there may be more; nil if all could be read.
	Lost error
}

type ownedRow struct {
	of  uint64
	row int64
}

// Of are the rows of one, in the order they stand in. Some may be another's: who reads them asks whose they are.
func (o *Owned) Of(owner string) (rows []int64) {
	of := maphash.String(o.seed, owner)
	at, _ := slices.BinarySearchFunc(o.rows, of, func(r ownedRow, of uint64) int { return cmp.Compare(r.of, of) })
	for ; at < len(o.rows) && o.rows[at].of == of; at++ {
		rows = append(rows, o.rows[at].row)
	}
	return rows
}

// passes are those that were made over the tables of an open copy.
type passes struct {
	mu   sync.Mutex
	made map[string]*Owned
}

// Owned finds the rows of a table by a column that says what they belong to.
func (d Database) Owned(ctx context.Context, table, column string) *Owned {
	d.passes.mu.Lock() // who asks for the same waits for it
	defer d.passes.mu.Unlock()
	key := table + "." + column
	if o := d.passes.made[key]; o != nil {
		return o
	}
	o := d.owned(ctx, table, column)
	if ctx.Err() == nil {
		if d.passes.made == nil {
			d.passes.made = map[string]*Owned{}
		}
		d.passes.made[key] = o
	}
	return o
}

// owned makes a pass: from the first row on and, if one can't be read, from the last one back.
func (d Database) owned(ctx context.Context, table, column string) *Owned {
	o := &Owned{seed: maphash.MakeSeed()}
	query := fmt.Sprintf("SELECT rowid, %s FROM %s NOT INDEXED ", Quote(column), Quote(table))
	take := func(scan func(...any) error) error {
		var row ownedRow
		var owner Text
		if err := scan(&row.row, &owner); err != nil {
			return fmt.Errorf("reading rows: %w", err)
		}
		row.of = maphash.String(o.seed, string(owner))
		o.rows = append(o.rows, row)
		return nil
	}
	if o.Lost = Each(ctx, d.DB, take, query+"ORDER BY rowid"); o.Lost != nil && ctx.Err() == nil {
		behind := int64(-1 << 63)
		if n := len(o.rows); n > 0 {
			behind = o.rows[n-1].row
		}
		_ = Each(ctx, d.DB, take, query+"WHERE rowid > ? ORDER BY rowid DESC", behind) // it ends where the first one did, or before
	}
	slices.SortFunc(o.rows, func(a, b ownedRow) int { return cmp.Or(cmp.Compare(a.of, b.of), cmp.Compare(a.row, b.row)) })
	return o
}
