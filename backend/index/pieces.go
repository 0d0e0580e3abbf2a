package index

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
)

// pieceBits are those of a piece's number that say which of its row it is.
const pieceBits = 24

func pieceID(row, n int64) int64 { return row<<pieceBits | n }

// addPieces writes pieces behind those that the row has.
func (r *row) addPieces(ctx context.Context, tx *prepared) error {
	if r.Early != nil {
		for piece := range r.Early {
			if err := r.addPiece(ctx, tx, piece); err != nil {
				return err
			}
		}
	}
	for _, piece := range r.Pieces {
		if err := r.addPiece(ctx, tx, piece); err != nil {
			return err
		}
	}
	return nil
}

func (r *row) addPiece(ctx context.Context, tx *prepared, piece []byte) error {
	id := pieceID(r.row, r.pieces)
	r.pieces++
	return tx.exec(ctx, "INSERT INTO pieces VALUES (?, ?, ?)", id, r.row, seal(id, slices.Clip(piece)))
}

// pieceRows are pieces in their order, which is that of their rows. They are asked for before the rows are read: who asks while a row is held
// waits for ever if the reading is called off meanwhile.
type pieceRows struct{ *sql.Rows }

// piecesOf asks for those of rows from one up to another, from where these are read at the same time.
func piecesOf(ctx context.Context, q querier, from, to int64) (pieceRows, error) {
	rows, err := q.QueryContext(ctx, "SELECT piece, data FROM pieces WHERE piece >= ? AND piece < ? ORDER BY piece", from, to)
	if err != nil {
		return pieceRows{}, fmt.Errorf("reading what is beside a session: %w", err)
	}
	return pieceRows{rows}, nil
}

// take reads those of a row, which stands behind the ones before.
func (p pieceRows) take(r *row) error {
	for int64(len(r.Pieces)) < r.pieces && p.Next() {
		var id int64
		var data []byte
		if err := p.Scan(&id, &data); err != nil {
			return scanned(err)
		}
		if id < pieceID(r.row, 0) { // of what is not there
			continue
		}
		data, err := unseal(id, data)
		if err != nil {
			return err
		}
		if id != pieceID(r.row, int64(len(r.Pieces))) {
			break
		}
		r.Pieces = append(r.Pieces, data)
	}
	if err := p.Err(); err != nil {
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
	return x.do(ctx, "reading the index", func(st *store) error { return eachSession(ctx, st, true, f) })
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
	r, there, err = rowOf(ctx, tx, id)
	if err != nil || r.pieces == 0 {
		return r, there, err
	}
	pieces, err := piecesOf(ctx, tx, pieceID(r.row, 0), pieceID(r.row, r.pieces))
	if err != nil {
		return r, there, err
	}
	defer pieces.Close()
	return r, there, pieces.take(&r)
}
