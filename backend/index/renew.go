package index

import (
	"context"
	"errors"
	"fmt"
)

// renew writes the live texts of blocks into new ones. Where the blocks are listed is the caller's, but for loose ones.
func (x *Index) renew(ctx context.Context, tx *prepared, st *state, blocks []about) error {
	live, err := readLive(ctx, tx)
	if err != nil {
		return err
	}
	b := newBuilder(x.shape)
	for i := range blocks {
		id := blocks[i].id
		if live.deadPart(blocks[i:i+1]) < 1 {
			chunks, err := readBody(ctx, tx, id)
			if errors.Is(err, errMissing) {
				err = fmt.Errorf("%w: %w", errDamaged, err)
			}
			if err != nil {
				return err
			}
			for j := range chunks {
				if live.hasText(&chunks[j]) {
					b.put(chunks[j])
				}
			}
		}
		if err := tx.exec(ctx, "DELETE FROM bodies WHERE block = ?", id); err != nil {
			return err
		}
		if err := forget(ctx, tx, st, id); err != nil {
			return err
		}
		st.text -= int64(blocks[i].bytes())
	}
	b.flush()
	st.packs++
	return addBlocks(ctx, tx, st, base{}, b.take())
}

// forget takes a block out of the loose ones, if it is one.
func forget(ctx context.Context, tx *prepared, st *state, id int64) error {
	var full int64
	rows, err := tx.QueryContext(ctx, "DELETE FROM loose WHERE block = ? RETURNING full", id)
	if err != nil {
		return fmt.Errorf("taking out a block: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := rows.Scan(&full); err != nil {
			return scanned(err)
		}
		st.loose--
		st.small -= 1 - full
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("taking out a block: %w", err)
	}
	return nil
}

// errMissing says that a block is not there: it was moved meanwhile.
var errMissing = errors.New("a block is not there any more")

func readBody(ctx context.Context, q *prepared, id int64) ([]chunk, error) {
	body, err := q.blob(ctx, "SELECT body FROM bodies WHERE block = ?", id)
	if err != nil {
		return nil, err
	}
	return unpack(id, body)
}
