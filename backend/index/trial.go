package index

import (
	"context"
	"iter"
)

// Trial is what a call of [Index.Try] added and the next one may take back, while nothing else changed the session.
type Trial struct {
	// of is the database that it was added to: in another one its numbers say something else.
	of              *store
	revision, write int64
	// bytes are those of its texts, and pieces how many the row had before it.
	bytes, pieces int64
}

// Revision is that of the row which the call left.
func (t *Trial) Revision() int64 {
	if t == nil {
		return 0
	}
	return t.revision
}

// Try is [Index.Append] that first takes back what the last one added, if last is not nil: its texts, its pieces, and all names, of which those
// that are to stand are told again. trial says that this one may be taken back too. If the session was changed by somebody else since, the error
// is [ErrChanged] and nothing is taken back. What it returns takes back nothing if it is of no trial.
func (x *Index) Try(ctx context.Context, s Session, last *Trial, trial bool, texts iter.Seq2[Text, error]) (Trial, error) {
	return x.append(ctx, &writing{row: row{Session: s}, back: last, trial: trial}, texts)
}

// trialOf is what the write added to the row, which it leaves like this.
func (w *writing) trialOf(fresh *row) Trial {
	added := Trial{of: w.store, revision: fresh.Revision}
	if w.trial {
		added.write, added.bytes, added.pieces = w.base.write, w.row.bytes, fresh.pieces
	}
	return added
}

// takeBack makes texts dead that nobody is to see any more, as those of a write that was given up, and takes what came with them out of the row.
func (w *writing) takeBack(ctx context.Context, tx *prepared, st *state, now *row) error {
	t := w.back
	if t == nil || t.write == 0 {
		return nil
	}
	if t.of != w.store {
		return ErrChanged
	}
	if err := tx.exec(ctx, "INSERT INTO pending VALUES (?, 0)", t.write); err != nil {
		return err
	}
	if err := tx.exec(ctx, "DELETE FROM pieces WHERE piece >= ? AND piece < ?", pieceID(now.row, t.pieces), pieceID(now.row, now.pieces)); err != nil {
		return err
	}
	now.pieces, now.named = t.pieces, now.texts
	now.bytes -= t.bytes
	st.live -= t.bytes
	return nil
}

// dropGivenUp forgets writes that were given up, or taken back, and of which no text is left.
func dropGivenUp(ctx context.Context, tx *prepared) error {
	over := map[int64]bool{}
	if err := eachPair(ctx, tx, "SELECT number, at FROM pending WHERE at = 0", func(number, _ int64) { over[number] = true }); err != nil || len(over) == 0 {
		return err
	}
	sheets, err := readAllSheets(ctx, tx)
	if err != nil {
		return err
	}
	for _, s := range sheets {
		for i := range s.blocks {
			for _, p := range s.blocks[i].parts {
				delete(over, p.session)
				delete(over, p.write)
			}
		}
	}
	for number := range over {
		if err := tx.exec(ctx, "DELETE FROM pending WHERE number = ?", number); err != nil {
			return err
		}
	}
	return nil
}
