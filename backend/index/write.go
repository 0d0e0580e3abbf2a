package index

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"time"
)

// Put stores a session and its texts in place of all that is there of it. It all becomes visible at once, or not at all.
func (x *Index) Put(ctx context.Context, s Session, texts iter.Seq2[Text, error]) error {
	return x.do(ctx, "putting session "+s.ID+" into the index", func(st *store) error {
		return x.bring(ctx, &writing{store: st, row: row{Session: s}, whole: true}, texts)
	})
}

// Append stores a session's row anew and adds texts to those that are there. It all becomes visible at once, or not at all.
func (x *Index) Append(ctx context.Context, s Session, texts iter.Seq2[Text, error]) error {
	return x.do(ctx, "adding to session "+s.ID+" in the index", func(st *store) error {
		return x.bring(ctx, &writing{store: st, row: row{Session: s}}, texts)
	})
}

// writing is a Put or an Append on its way.
type writing struct {
	store *store
	row   row  // as it is to become; its counts are of what is new
	whole bool // a Put
	names bool // there are names among the texts
	// pending is the number under which blocks were written already, base what they count from, and revision that of the row
	// then.
	pending  int64
	base     base
	revision int64
}

// bring packs the texts and writes them, as they come if they are too many for the memory.
func (x *Index) bring(ctx context.Context, w *writing, texts iter.Seq2[Text, error]) error {
	b := x.builders.Get().(*builder) //nolint:errcheck,forcetypeassert // the pool makes nothing else
	defer x.builders.Put(b)
	b.reset()
	for t, err := range texts {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		text := composed(t.Text)
		w.names = w.names || t.Scope == Name
		b.add(chunk{n: w.row.texts, seq: t.Seq, line: t.Line, time: t.Time, scope: t.Scope, tool: t.Tool, text: []byte(text)})
		w.row.texts++
		w.row.bytes += int64(len(text))
		if b.ready >= x.shape.memory {
			if err := x.flush(ctx, w, b.take()); err != nil {
				return err
			}
		}
	}
	b.flush()
	after, err := x.finish(ctx, w, b.take())
	if err != nil {
		return err
	}
	return x.tidy(ctx, w.store, after)
}

// flush writes blocks that don't show yet.
func (x *Index) flush(ctx context.Context, w *writing, blocks []block) error {
	after, err := x.change(ctx, w.store, func(tx *sql.Tx, st *state) error {
		if w.pending == 0 {
			if err := w.begin(ctx, tx, st); err != nil {
				return err
			}
		}
		if err := exec(ctx, tx, "REPLACE INTO pending VALUES (?, ?)", w.pending, time.Now().Unix()); err != nil {
			return err
		}
		return addBlocks(ctx, tx, st, w.base, blocks)
	})
	if err != nil {
		return err
	}
	return x.pack(ctx, w.store, after)
}

// begin takes the numbers that blocks count from.
func (w *writing) begin(ctx context.Context, tx *sql.Tx, st *state) error {
	if w.whole {
		w.pending = st.give()
		w.base = base{session: w.pending}
		return nil
	}
	now, err := w.current(ctx, tx)
	if err != nil {
		return err
	}
	w.pending = st.give()
	w.base = base{session: now.row, write: w.pending, n: now.texts}
	w.revision = now.Revision
	return nil
}

// current is the row that is appended to, if it is the one it should be.
func (w *writing) current(ctx context.Context, tx *sql.Tx) (row, error) {
	now, there, err := rowOf(ctx, tx, w.row.ID)
	if err != nil {
		return now, err
	}
	for _, expected := range []int64{w.row.Revision, w.revision} {
		if !there || expected != 0 && expected != now.Revision {
			return now, ErrChanged
		}
	}
	return now, nil
}

// finish writes the last blocks and the row, and makes all of it show.
func (x *Index) finish(ctx context.Context, w *writing, blocks []block) (state, error) {
	return x.change(ctx, w.store, func(tx *sql.Tx, st *state) error {
		if w.pending != 0 {
			done, err := tx.ExecContext(ctx, "DELETE FROM pending WHERE number = ? AND at > 0", w.pending)
			if err != nil {
				return fmt.Errorf("finishing a write: %w", err)
			}
			if n, err := done.RowsAffected(); err == nil && n == 0 {
				return fmt.Errorf("%w: it took too long, and its blocks were cleaned up", ErrChanged)
			}
		}
		fresh, err := w.fresh(ctx, tx, st)
		if err != nil {
			return err
		}
		if err := addBlocks(ctx, tx, st, w.base, blocks); err != nil {
			return err
		}
		return fresh.save(ctx, tx)
	})
}

// fresh is the row as it becomes.
func (w *writing) fresh(ctx context.Context, tx *sql.Tx, st *state) (row, error) {
	fresh := w.row
	fresh.Revision = st.version
	if w.whole {
		before, there, err := rowOf(ctx, tx, w.row.ID)
		if err != nil {
			return fresh, err
		}
		if !there {
			st.sessions++
		}
		if w.pending == 0 {
			w.base = base{session: st.give()}
		}
		fresh.row = w.base.session
		st.live += fresh.bytes - before.bytes
		return fresh, nil
	}
	now, err := w.current(ctx, tx)
	if err != nil {
		return fresh, err
	}
	if w.pending == 0 {
		w.base = base{session: now.row, n: now.texts}
	}
	st.live += fresh.bytes
	fresh.row, fresh.named = now.row, now.named
	if w.names {
		fresh.named = now.texts
	}
	fresh.texts += now.texts
	fresh.bytes += now.bytes
	return fresh, nil
}

// Touch stores a session's row anew and leaves its texts as they are. A session that is not there is added, without texts.
func (x *Index) Touch(ctx context.Context, s Session) error {
	return x.do(ctx, "writing session "+s.ID+" into the index", func(store *store) error {
		_, err := x.change(ctx, store, func(tx *sql.Tx, st *state) error {
			now, there, err := rowOf(ctx, tx, s.ID)
			if err != nil {
				return err
			}
			if s.Revision != 0 && (!there || s.Revision != now.Revision) {
				return ErrChanged
			}
			if !there {
				st.sessions++
				now.row = st.give()
			}
			now.Session = s
			now.Revision = st.version
			return now.save(ctx, tx)
		})
		return err
	})
}

// Remove takes sessions and their texts out. Those that are not there are no error.
func (x *Index) Remove(ctx context.Context, ids ...string) error {
	return x.do(ctx, "taking sessions out of the index", func(store *store) error {
		after, err := x.change(ctx, store, func(tx *sql.Tx, st *state) error {
			for _, id := range ids {
				now, there, err := rowOf(ctx, tx, id)
				if err != nil {
					return err
				}
				if !there {
					continue
				}
				if err := exec(ctx, tx, "DELETE FROM sessions WHERE row = ?", now.row); err != nil {
					return err
				}
				st.sessions--
				st.removals++
				st.live -= now.bytes
			}
			return nil
		})
		if err != nil {
			return err
		}
		return x.tidy(ctx, store, after)
	})
}

// change is a transaction, and what the state is after it.
func (x *Index) change(ctx context.Context, store *store, f func(tx *sql.Tx, st *state) error) (after state, err error) {
	x.writing.Lock()
	defer x.writing.Unlock()
	tx, err := store.write.BeginTx(ctx, nil)
	if err != nil {
		return after, fmt.Errorf("beginning to write: %w", err)
	}
	defer func() {
		if undo := tx.Rollback(); undo != nil && !errors.Is(undo, sql.ErrTxDone) {
			err = errors.Join(err, undo)
		}
	}()
	if after, err = readState(ctx, tx); err != nil {
		return after, err
	}
	after.version++
	if err := f(tx, &after); err != nil {
		return after, err
	}
	if err := after.save(ctx, tx); err != nil {
		return after, err
	}
	if err := tx.Commit(); err != nil {
		return after, fmt.Errorf("writing: %w", err)
	}
	return after, nil
}

func exec(ctx context.Context, tx *sql.Tx, statement string, args ...any) error {
	if _, err := tx.ExecContext(ctx, statement, args...); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}

// addBlocks writes finished blocks, as loose ones.
func addBlocks(ctx context.Context, tx *sql.Tx, st *state, from base, blocks []block) error {
	for i := range blocks {
		b := &blocks[i]
		b.id = st.give()
		from.on(&b.about)
		if err := exec(ctx, tx, "INSERT INTO bodies VALUES (?, ?)", b.id, bodyOf(b.id, from, b.body)); err != nil {
			return err
		}
		if err := exec(ctx, tx, "INSERT INTO loose VALUES (?, ?, ?, ?)", b.id, gone(b.full), seal(b.id, appendAbout(nil, &b.about)), seal(b.id, b.bits)); err != nil {
			return err
		}
		st.loose++
		if !b.full {
			st.small++
		}
		st.text += int64(b.bytes())
	}
	return nil
}
