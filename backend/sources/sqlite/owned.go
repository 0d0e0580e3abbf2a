package sqlite

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"palimpsest/backend/many"
)

// Owned are the numbers of a table's rows by what they belong to, for a database whose indexes can't be read: one pass over the table finds
// them for all that ask while the copy is open.
type Owned struct {
	mu sync.Mutex
	// last are the last rows of owners, by where they stand in rows.
	last many.IDs
	rows many.List[ownedRow]
	// Lost says why there may be more; nil if all could be read.
	Lost error
}

// ownedRow is a row, with where the one before it of the same owner stands; -1 if there is none.
type ownedRow struct{ row, before int64 }

// Of are the rows of one, in the order they stand in.
func (o *Owned) Of(owner string) (rows []int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	at, is := o.last.Get(owner)
	if !is {
		return nil
	}
	for one := o.rows.At(at); ; one = o.rows.At(int(one.before)) {
		rows = append(rows, one.row)
		if one.before < 0 {
			break
		}
	}
	slices.Sort(rows)
	return rows
}

func (o *Owned) add(owner string, row int64) {
	before, is := o.last.Get(owner)
	if !is {
		before = -1
	}
	o.last.Put(owner, o.rows.Len())
	o.rows.Add(ownedRow{row, int64(before)})
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
	o := &Owned{}
	query := fmt.Sprintf("SELECT rowid, %s FROM %s NOT INDEXED ", Quote(column), Quote(table))
	take := func(scan func(...any) error) error {
		var row int64
		var owner Text
		if err := scan(&row, &owner); err != nil {
			return fmt.Errorf("reading rows: %w", err)
		}
		o.add(string(owner), row)
		return nil
	}
	if o.Lost = Each(ctx, d.DB, take, query+"ORDER BY rowid"); o.Lost != nil && ctx.Err() == nil {
		behind := int64(-1 << 63)
		if n := o.rows.Len(); n > 0 {
			behind = o.rows.At(n - 1).row
		}
		_ = Each(ctx, d.DB, take, query+"WHERE rowid > ? ORDER BY rowid DESC", behind) // it ends where the first one did, or before
	}
	return o
}
