package index

import (
	"context"
	"time"
)

// tidy does what has become due, but no more than is fair to a write that brought or took so many bytes.
func (x *Index) tidy(ctx context.Context, store *store, after state, moved int64) error {
	if err := x.pack(ctx, store, after); err != nil {
		return err
	}
	if after.small >= int64(x.shape.small) {
		if err := x.join(ctx, store); err != nil {
			return err
		}
	}
	for done := int64(-1); done < 2*moved; {
		dead := after.text - after.live - x.unseen()
		if dead*4 <= after.text || dead <= int64(x.shape.block)*16 {
			return nil
		}
		before := after
		var err error
		if after, err = x.shrink(ctx, store); err != nil {
			return err
		}
		if after.text >= before.text {
			return nil // what is dead is still being written
		}
		done += before.text - after.text
	}
	return nil
}

// unseen is how much text writes of this process have written that does not show yet: it is not dead, and to look for what is takes reading all
// that is known of blocks.
func (x *Index) unseen() (text int64) {
	x.writing.Lock()
	defer x.writing.Unlock()
	for _, one := range x.going {
		text += one.text
	}
	return text
}

// join makes full blocks of those that are not.
func (x *Index) join(ctx context.Context, store *store) error {
	_, err := x.change(ctx, store, func(tx *prepared, st *state) error {
		blocks, err := readLoose(ctx, tx, "WHERE full = 0")
		if err != nil {
			return err
		}
		if err := x.renew(ctx, tx, st, abouts(blocks)); err != nil {
			return err
		}
		return dropGivenUp(ctx, tx)
	})
	return err
}

// shrink renews the sheet with the largest part of dead text, or the loose blocks, if that gains something.
func (x *Index) shrink(ctx context.Context, store *store) (state, error) {
	after, err := x.change(ctx, store, func(tx *prepared, st *state) error {
		if err := giveUp(ctx, tx); err != nil {
			return err
		}
		live, err := readLive(ctx, tx)
		if err != nil {
			return err
		}
		sheets, err := readAllSheets(ctx, tx)
		if err != nil {
			return err
		}
		var worst sheet
		most := 0.0
		for _, s := range sheets {
			if part := live.deadPart(s.blocks); part > most {
				worst, most = s, part
			}
		}
		if most < 0.25 {
			return nil
		}
		return x.renewSheet(ctx, tx, st, worst)
	})
	if err != nil {
		return after, err
	}
	// What became free is given back in small parts; that it is not is no failure.
	x.writing.Lock()
	defer x.writing.Unlock()
	if err := store.write.exec(ctx, "PRAGMA incremental_vacuum(2000)"); err != nil && damaged(err) {
		return after, err
	}
	return after, nil
}

// readAllSheets are the sheets, and the loose blocks as one more, without a number.
func readAllSheets(ctx context.Context, tx *prepared) ([]sheet, error) {
	sheets, err := readSheets(ctx, tx)
	if err != nil {
		return nil, err
	}
	loose, err := readLoose(ctx, tx, "")
	return append(sheets, sheet{blocks: abouts(loose)}), err
}

// renewSheet is renew of the blocks of a sheet, which goes.
func (x *Index) renewSheet(ctx context.Context, tx *prepared, st *state, s sheet) error {
	if s.id != 0 {
		if err := tx.exec(ctx, "DELETE FROM sheets WHERE sheet = ?", s.id); err != nil {
			return err
		}
		if err := tx.exec(ctx, "DELETE FROM planes WHERE plane >= ? AND plane < ?", planeID(s.id, 0), planeID(s.id+1, 0)); err != nil {
			return err
		}
		st.sheets--
	}
	return x.renew(ctx, tx, st, s.blocks)
}

// giveUp marks writes that have not gone on for long as ones that never will.
func giveUp(ctx context.Context, tx *prepared) error {
	return tx.exec(ctx, "UPDATE pending SET at = 0 WHERE at < ?", time.Now().Add(-pendingMost).Unix())
}

// pendingMost is after what time a write that has not gone on is taken for one that never will.
const pendingMost = time.Hour
