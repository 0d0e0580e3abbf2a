package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// tidy does what has become due: one step each, so that no write waits long.
func (x *Index) tidy(ctx context.Context, store *store, after state) error {
	if err := x.pack(ctx, store, after); err != nil {
		return err
	}
	if after.small >= int64(x.shape.small) {
		if err := x.join(ctx, store); err != nil {
			return err
		}
	}
	if dead := after.text - after.live; dead*3 > after.text && dead > int64(x.shape.block)*16 {
		return x.shrink(ctx, store)
	}
	return nil
}

// pack makes sheets of full loose blocks while there are enough.
func (x *Index) pack(ctx context.Context, store *store, after state) error {
	columns := int64(x.shape.columns)
	for after.loose-after.small >= columns {
		var err error
		after, err = x.change(ctx, store, func(tx *sql.Tx, st *state) error {
			if st.loose-st.small < columns { // another process was faster
				return nil
			}
			return x.packSheet(ctx, tx, st)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (x *Index) packSheet(ctx context.Context, tx *sql.Tx, st *state) error {
	blocks, err := readLoose(ctx, tx, "WHERE full = 1 ORDER BY block LIMIT ?", x.shape.columns)
	if err != nil {
		return err
	}
	if len(blocks) != x.shape.columns {
		return fmt.Errorf("%w: there are fewer blocks than it says", errDamaged)
	}
	sheet := st.give()
	var abouts []byte
	filters := make([][]byte, len(blocks))
	for i := range blocks {
		abouts = appendAbout(abouts, &blocks[i].about)
		filters[i] = blocks[i].bits
	}
	if err := exec(ctx, tx, "INSERT INTO sheets VALUES (?, ?)", sheet, seal(sheet, abouts)); err != nil {
		return err
	}
	insert, err := tx.PrepareContext(ctx, "INSERT INTO planes VALUES (?, ?)")
	if err != nil {
		return fmt.Errorf("writing a sheet: %w", err)
	}
	defer insert.Close()
	buffer := make([]byte, 0, perPlane*rowBytes+4)
	for i, plane := range sheetOf(filters, x.shape.log) {
		id := planeID(sheet, int64(i))
		if _, err := insert.ExecContext(ctx, id, seal(id, append(buffer[:0], plane...))); err != nil {
			return fmt.Errorf("writing a sheet: %w", err)
		}
	}
	if err := exec(ctx, tx, "DELETE FROM loose WHERE full = 1 AND block <= ?", blocks[len(blocks)-1].id); err != nil {
		return err
	}
	st.loose -= int64(len(blocks))
	st.sheets++
	st.packs++
	return nil
}

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

// join makes full blocks of those that are not.
func (x *Index) join(ctx context.Context, store *store) error {
	_, err := x.change(ctx, store, func(tx *sql.Tx, st *state) error {
		blocks, err := readLoose(ctx, tx, "WHERE full = 0")
		if err != nil {
			return err
		}
		return x.renew(ctx, tx, st, abouts(blocks))
	})
	return err
}

func abouts(blocks []looseBlock) []about {
	out := make([]about, len(blocks))
	for i := range blocks {
		out[i] = blocks[i].about
	}
	return out
}

// shrink renews the sheet with the largest part of dead text, or the loose blocks, if that gains something.
func (x *Index) shrink(ctx context.Context, store *store) error {
	_, err := x.change(ctx, store, func(tx *sql.Tx, st *state) error {
		if err := exec(ctx, tx, "UPDATE pending SET at = 0 WHERE at < ?", time.Now().Add(-pendingMost).Unix()); err != nil {
			return err
		}
		live, err := readLive(ctx, tx)
		if err != nil {
			return err
		}
		loose, err := readLoose(ctx, tx, "")
		if err != nil {
			return err
		}
		sheets, err := readSheets(ctx, tx)
		if err != nil {
			return err
		}
		var worst sheet
		most := 0.0
		for _, s := range append(sheets, sheet{blocks: abouts(loose)}) {
			if part := live.deadPart(s.blocks); part > most {
				worst, most = s, part
			}
		}
		if most < 0.25 {
			return nil
		}
		if worst.id != 0 {
			if err := exec(ctx, tx, "DELETE FROM sheets WHERE sheet = ?", worst.id); err != nil {
				return err
			}
			if err := exec(ctx, tx, "DELETE FROM planes WHERE plane >= ? AND plane < ?", planeID(worst.id, 0), planeID(worst.id+1, 0)); err != nil {
				return err
			}
			st.sheets--
		}
		return x.renew(ctx, tx, st, worst.blocks)
	})
	if err != nil {
		return err
	}
	// What became free is given back in small parts; that it is not is no failure.
	_, err = store.write.ExecContext(ctx, "PRAGMA incremental_vacuum(2000)")
	if err != nil && damaged(err) {
		return fmt.Errorf("giving back space: %w", err)
	}
	return nil
}

// pendingMost is after what time a write that has not gone on is taken for one that never will.
const pendingMost = time.Hour

// renew writes the live texts of blocks into new ones. Where the blocks are listed is the caller's, but for loose ones.
func (x *Index) renew(ctx context.Context, tx *sql.Tx, st *state, blocks []about) error {
	live, err := readLive(ctx, tx)
	if err != nil {
		return err
	}
	b := newBuilder(x.shape)
	for i := range blocks {
		id := blocks[i].id
		chunks, err := readBody(ctx, tx, id)
		if err != nil {
			return err
		}
		for j := range chunks {
			if live.hasText(&chunks[j]) {
				b.put(chunks[j])
			}
		}
		if err := exec(ctx, tx, "DELETE FROM bodies WHERE block = ?", id); err != nil {
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
func forget(ctx context.Context, tx *sql.Tx, st *state, id int64) error {
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

func readBody(ctx context.Context, q querier, id int64) ([]chunk, error) {
	var body []byte
	err := q.QueryRowContext(ctx, "SELECT body FROM bodies WHERE block = ?", id).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errMissing
	}
	if err != nil {
		return nil, fmt.Errorf("reading a block of the index: %w", scanned(err))
	}
	return unpack(id, body)
}
