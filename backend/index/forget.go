package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// ErrLeft says that what was forgotten is in no list and found by no search, but not gone from the index's files yet.
var ErrLeft = errors.New("what was forgotten is found by nobody any more, but the file of the index may still have parts of it; they go when the index is next checked, or something else is forgotten")

// forgettingName marks an index from whose files not everything may be gone that was to be forgotten.
const forgettingName = "forgetting"

// Forget takes sessions and their texts out, as [Index.Remove] does, and leaves none of what was ever written of them in the index's files:
// [Index.scrub] says how. That takes as long as to write anew what stands beside it: of each sheet that had something of it, 504 blocks. What
// could not be read of an index before goes, too. One that waits for [Index.Salvage] is an error: it would bring them back. Where they are
// out, but the files could not be written anew, as on a full disk, the error is [ErrLeft]: [Index.Scrub] tries again, also after the program was killed.
// It is so, too, where an index of another version of the program stands beside it, which stays as it is.
func (x *Index) Forget(ctx context.Context, ids ...string) error {
	return x.do(ctx, "forgetting sessions", func(store *store) error {
		if waiting := asides(x.dir); len(waiting) > 0 {
			return fmt.Errorf("%s may have them, too, and was not put back yet; nothing was forgotten", waiting[0])
		}
		if err := remove(filepath.Join(x.dir, unreadName)); err != nil {
			return err
		}
		mark := filepath.Join(x.dir, forgettingName)
		_, unmarked := os.Lstat(mark)
		if err := os.WriteFile(mark, nil, 0o600); err != nil {
			return fmt.Errorf("nothing was forgotten: %w", err)
		}
		if _, err := x.change(ctx, store, func(tx *prepared, st *state) error {
			if _, err := takeOut(ctx, tx, st, ids); err != nil {
				return err
			}
			return x.giveUp(ctx, tx, func(of string, own bool) bool { return own && slices.Contains(ids, of) })
		}); err != nil {
			if unmarked != nil {
				_ = os.Remove(mark) // else it is scrubbed for nothing
			}
			return fmt.Errorf("nothing was forgotten: %w", err)
		}
		if err := x.scrub(ctx, store); err != nil {
			return fmt.Errorf("%w: %w", ErrLeft, err)
		}
		return x.beside(store)
	})
}

// Scrub goes on with a Forget that could not end. Where there is none it does nothing. Nobody else may forget meanwhile.
func (x *Index) Scrub(ctx context.Context) error {
	if _, err := os.Lstat(filepath.Join(x.dir, forgettingName)); err != nil {
		return nil //nolint:nilerr // there is nothing to do, as a rule
	}
	return x.do(ctx, "forgetting sessions", func(store *store) error { return x.scrub(ctx, store) })
}

// scrub renews all in which a text is dead, and sees to it that nothing of what was deleted is left in the files. What is deleted is overwritten
// by the database at once; what that leaves of rows that it moved is wiped. An index of before that is written anew.
func (x *Index) scrub(ctx context.Context, store *store) error {
	for dead := true; dead; {
		var err error
		if dead, err = x.clean(ctx, store); err != nil {
			return err
		}
	}
	x.writing.Lock()
	defer x.writing.Unlock()
	if err := overwrite(ctx, store); err != nil {
		return fmt.Errorf("overwriting what was forgotten: %w", err)
	}
	return os.Remove(filepath.Join(x.dir, forgettingName))
}

// clean renews the loose blocks, or the next sheet, in which a text is dead, and says whether there were any.
func (x *Index) clean(ctx context.Context, store *store) (found bool, err error) {
	_, err = x.change(ctx, store, func(tx *prepared, st *state) error {
		// What another process that was killed wrote may be of what is forgotten, and nobody knows which was killed. One that was not finds out.
		if err := x.giveUp(ctx, tx, func(_ string, own bool) bool { return !own }); err != nil {
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

// giveUp marks some writes as ones that never go on. It tells which are of this process, and of which session these are.
func (x *Index) giveUp(ctx context.Context, tx *prepared, some func(of string, own bool) bool) error {
	var numbers []int64
	err := eachPair(ctx, tx, "SELECT number, at FROM pending WHERE at > 0", func(number, _ int64) {
		if one, own := x.going[number]; some(one.of, own) {
			numbers = append(numbers, number)
		}
	})
	for _, number := range numbers {
		if err == nil {
			err = tx.exec(ctx, "UPDATE pending SET at = 0 WHERE number = ?", number)
		}
	}
	return err
}

// errReading says that somebody reads all the time.
var errReading = errors.New("another process is reading")

// overwrite leaves nothing of what is in no row any more in the database and its log of writes.
func overwrite(ctx context.Context, store *store) error {
	var overwrites int
	if err := store.write.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE name = 'overwrites'").Scan(&overwrites); err != nil {
		return scanned(err)
	}
	if overwrites == 0 {
		if err := patient(ctx, func() error { return store.write.exec(ctx, "VACUUM") }); err != nil {
			return err
		}
		if err := store.write.exec(ctx, overwritesTable); err != nil {
			return err
		}
	} else {
		if err := store.write.within(ctx, func() error { return wipe(ctx, store.write) }); err != nil {
			return err
		}
		// What became free is given back.
		if err := store.write.exec(ctx, "PRAGMA incremental_vacuum"); err != nil && damaged(err) {
			return err
		}
	}
	var busy, pages, moved int
	if err := store.write.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved); err != nil {
		return fmt.Errorf("emptying the log of writes: %w", err)
	}
	if busy != 0 {
		return errReading
	}
	return nil
}
