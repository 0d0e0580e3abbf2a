package index

import (
	"context"
	"fmt"
	"slices"
)

// pieceBits are those of a piece's number that say which of its row it is.
const pieceBits = 24

func pieceID(row, n int64) int64 { return row<<pieceBits | n }

// addPieces writes pieces behind those that the row has.
func (r *row) addPieces(ctx context.Context, tx *prepared) error {
	for _, piece := range r.Pieces {
		id := pieceID(r.row, r.pieces)
		if err := tx.exec(ctx, "INSERT INTO pieces VALUES (?, ?, ?)", id, r.row, seal(id, slices.Clip(piece))); err != nil {
			return err
		}
		r.pieces++
	}
	return nil
}

// readPieces reads those of a row, from where that was read at the same time.
func (r *row) readPieces(ctx context.Context, q querier) error {
	if r.pieces == 0 {
		return nil
	}
	rows, err := q.QueryContext(ctx, "SELECT piece, data FROM pieces WHERE piece >= ? AND piece < ? ORDER BY piece", pieceID(r.row, 0), pieceID(r.row, r.pieces))
	if err != nil {
		return fmt.Errorf("reading what is beside a session: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var data []byte
		if err := rows.Scan(&id, &data); err != nil {
			return scanned(err)
		}
		if data, err = unseal(id, data); err != nil {
			return err
		}
		r.Pieces = append(r.Pieces, data)
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("reading what is beside a session: %w", err)
	}
	if int64(len(r.Pieces)) != r.pieces {
		return fmt.Errorf("%w: %d of %d pieces", errDamaged, len(r.Pieces), r.pieces)
	}
	return nil
}

// dropPieces takes out those of a row.
func dropPieces(ctx context.Context, tx *prepared, row int64) error {
	return tx.exec(ctx, "DELETE FROM pieces WHERE piece >= ? AND piece < ?", pieceID(row, 0), pieceID(row+1, 0))
}

// EachWhole is [Index.EachSession] with the pieces.
func (x *Index) EachWhole(ctx context.Context, f func(*Session)) error {
	return x.do(ctx, "reading the index", func(st *store) error {
		return eachSession(ctx, st, func(q querier, r row) error {
			if err := r.readPieces(ctx, q); err != nil {
				return err
			}
			f(&r.Session)
			return nil
		})
	})
}

// Whole is [Index.Session] with the pieces.
func (x *Index) Whole(ctx context.Context, id string) (s Session, there bool, err error) {
	err = x.do(ctx, "reading the index", func(st *store) error {
		found, is, err := wholeRow(ctx, st, id)
		s, there = found.Session, is
		return err
	})
	return s, there, err
}

// wholeRow is the row of a session with its pieces.
func wholeRow(ctx context.Context, st *store, id string) (r row, there bool, err error) {
	tx, err := st.reads.BeginTx(ctx, nil)
	if err != nil {
		return r, false, fmt.Errorf("beginning to read: %w", err)
	}
	defer tx.Rollback() //nolint:errcheck // nothing was written
	if r, there, err = rowOf(ctx, tx, id); err == nil {
		err = r.readPieces(ctx, tx)
	}
	return r, there, err
}
