package index

import "context"

// Touch stores a session's row anew and leaves its texts as they are. A session that is not there is added, without texts.
func (x *Index) Touch(ctx context.Context, s Session) error {
	return x.do(ctx, "writing session "+s.ID+" into the index", func(store *store) error {
		_, err := x.change(ctx, store, func(tx *prepared, st *state) error {
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
			now.Pieces = nil
			now.Revision = st.version
			return now.save(ctx, tx)
		})
		return err
	})
}

// Anew gives sessions a stamp that says that they are to be read from the beginning, all of them or none: their texts stay until they are put again.
// Those that are not there are no error.
func (x *Index) Anew(ctx context.Context, stamp string, ids ...string) error {
	return x.do(ctx, "having sessions of the index be read again", func(store *store) error {
		_, err := x.change(ctx, store, func(tx *prepared, st *state) error {
			for _, id := range ids {
				now, there, err := rowOf(ctx, tx, id)
				if err != nil {
					return err
				}
				if !there {
					continue
				}
				now.Stamp, now.Offset, now.Revision = stamp, 0, st.version
				if err := now.save(ctx, tx); err != nil {
					return err
				}
			}
			return nil
		})
		return err
	})
}

// Remove takes sessions and their texts out. Those that are not there are no error.
func (x *Index) Remove(ctx context.Context, ids ...string) error {
	return x.do(ctx, "taking sessions out of the index", func(store *store) error {
		moved := int64(0)
		after, err := x.change(ctx, store, func(tx *prepared, st *state) (err error) {
			moved, err = takeOut(ctx, tx, st, ids)
			return err
		})
		if err != nil {
			return err
		}
		return x.tidy(ctx, store, after, moved)
	})
}

// takeOut takes out the rows of sessions, and says how many bytes of text are dead then.
func takeOut(ctx context.Context, tx *prepared, st *state, ids []string) (moved int64, err error) {
	for _, id := range ids {
		now, there, err := rowOf(ctx, tx, id)
		if err != nil {
			return moved, err
		}
		if !there {
			continue
		}
		if err := tx.exec(ctx, "DELETE FROM sessions WHERE row = ?", now.row); err != nil {
			return moved, err
		}
		if err := dropPieces(ctx, tx, now.row); err != nil {
			return moved, err
		}
		st.sessions--
		st.removals++
		st.live -= now.bytes
		moved += now.bytes
	}
	return moved, nil
}
