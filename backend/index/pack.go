package index

import (
	"context"
	"fmt"
)

// pack makes sheets of full loose blocks while there are enough.
func (x *Index) pack(ctx context.Context, store *store, after state) error {
	columns := int64(x.shape.columns)
	for after.loose-after.small >= columns {
		var err error
		after, err = x.change(ctx, store, func(tx *prepared, st *state) error {
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

func (x *Index) packSheet(ctx context.Context, tx *prepared, st *state) error {
	blocks, err := readLoose(ctx, tx, "WHERE full = 1 ORDER BY block LIMIT ?", x.shape.columns)
	if err != nil {
		return err
	}
	if len(blocks) != x.shape.columns {
		return fmt.Errorf("%w: there are fewer blocks than it says", errDamaged)
	}
	// They go first: the sheet has their pages then, which else would be written twice, empty and with something else.
	if err := tx.exec(ctx, "DELETE FROM loose WHERE full = 1 AND block <= ?", blocks[len(blocks)-1].id); err != nil {
		return err
	}
	sheet := st.give()
	var abouts []byte
	filters := make([][]byte, len(blocks))
	for i := range blocks {
		abouts = appendAbout(abouts, &blocks[i].about)
		filters[i] = blocks[i].bits
	}
	if err := tx.exec(ctx, "INSERT INTO sheets VALUES (?, ?)", sheet, seal(sheet, abouts)); err != nil {
		return err
	}
	buffer := make([]byte, 0, perPlane*rowBytes+4)
	for i, plane := range planesOf(filters, x.shape.log) {
		id := planeID(sheet, i)
		if err := tx.exec(ctx, "INSERT INTO planes VALUES (?, ?)", id, seal(id, append(buffer[:0], plane...))); err != nil {
			return err
		}
	}
	st.loose -= int64(len(blocks))
	st.sheets++
	st.packs++
	return nil
}
