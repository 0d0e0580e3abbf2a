package index

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
)

// Forget takes sessions and their texts out, as [Index.Remove] does, and leaves none of what was ever written of them in the index's files:
// a database keeps what was deleted until something else needs the room. That takes as long as to write the index anew. What could not be
// read of an index before goes, too. One that waits for [Index.Salvage] is an error: it would bring them back.
func (x *Index) Forget(ctx context.Context, ids ...string) error {
	return x.do(ctx, "forgetting sessions", func(store *store) error {
		if waiting := asides(x.dir); len(waiting) > 0 {
			return fmt.Errorf("%s may have them, too, and was not put back yet; nothing was forgotten", waiting[0])
		}
		if err := remove(filepath.Join(x.dir, unreadName)); err != nil {
			return err
		}
		if _, err := x.change(ctx, store, func(tx *prepared, st *state) error {
			_, err := takeOut(ctx, tx, st, ids)
			return err
		}); err != nil {
			return err
		}
		for dead := true; dead; {
			var err error
			if dead, err = x.clean(ctx, store); err != nil {
				return err
			}
		}
		return x.scrub(ctx, store)
	})
}

// clean renews the loose blocks, or the next sheet, in which a text is dead, and says whether there were any.
func (x *Index) clean(ctx context.Context, store *store) (found bool, err error) {
	_, err = x.change(ctx, store, func(tx *prepared, st *state) error {
		if err := giveUp(ctx, tx); err != nil {
			return err
		}
		live, err := readLive(ctx, tx)
		if err != nil {
			return err
		}
		all, err := readAllSheets(ctx, tx)
		if err != nil {
			return err
		}
		for _, s := range all {
			if live.deadPart(s.blocks) > 0 {
				found = true
				return x.renewSheet(ctx, tx, st, s)
			}
		}
		return nil
	})
	return found, err
}

// errBusy says that somebody reads all the time.
var errBusy = errors.New("another process is reading; what was forgotten is found by no search, and gone from the files when something else is forgotten")

// scrub writes the database anew, and empties its log of writes: what is in no row any more is in neither then.
func (x *Index) scrub(ctx context.Context, store *store) error {
	x.writing.Lock()
	defer x.writing.Unlock()
	if err := store.write.exec(ctx, "VACUUM"); err != nil {
		return fmt.Errorf("overwriting what was forgotten: %w", err)
	}
	var busy, pages, moved int
	if err := store.write.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved); err != nil {
		return fmt.Errorf("overwriting what was forgotten: %w", err)
	}
	if busy != 0 {
		return fmt.Errorf("overwriting what was forgotten: %w", errBusy)
	}
	return nil
}
