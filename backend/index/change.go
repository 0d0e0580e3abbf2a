package index

import "context"

// change is a transaction, and what the state is after it.
func (x *Index) change(ctx context.Context, store *store, f func(tx *prepared, st *state) error) (after state, err error) {
	x.writing.Lock()
	defer x.writing.Unlock()
	tx := store.write
	err = tx.within(ctx, func() error {
		if after, err = readState(ctx, tx); err != nil {
			return err
		}
		x.others.found(after.version)
		after.version++
		if err := f(tx, &after); err != nil {
			return err
		}
		return after.save(ctx, tx)
	})
	if err == nil {
		x.others.leave(after.version)
	}
	return after, err
}

// addBlocks writes finished blocks, as loose ones.
func addBlocks(ctx context.Context, tx *prepared, st *state, from base, blocks []block) error {
	var body, bits []byte // used again for each: they are copied when they are written
	for i := range blocks {
		b := &blocks[i]
		b.id = st.give()
		from.on(&b.about)
		body = bodyOf(body[:0], b.id, from, b.body)
		if err := tx.exec(ctx, "INSERT INTO bodies VALUES (?, ?)", b.id, body); err != nil {
			return err
		}
		bits = seal(b.id, append(bits[:0], b.bits...))
		if err := tx.exec(ctx, "INSERT INTO loose VALUES (?, ?, ?, ?)", b.id, gone(b.full), seal(b.id, appendAbout(nil, &b.about)), bits); err != nil {
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
