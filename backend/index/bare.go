package index

import "context"

// PutBare is [Index.Put] of sessions without texts, all at once: thousands of files in which nothing was said take a transaction each else. Those
// that are not wanted by then are left out: see [Index.Fill].
func (x *Index) PutBare(ctx context.Context, all []Session, wanted func(id string) bool) error {
	return x.do(ctx, "putting sessions without texts into the index", func(store *store) error {
		after, err := x.change(ctx, store, func(tx *prepared, st *state) error {
			for _, s := range all {
				if wanted != nil && !wanted(s.ID) {
					continue
				}
				w := writing{store: store, row: row{Session: s}, whole: true}
				fresh, err := w.fresh(ctx, tx, st)
				if err != nil {
					return err
				}
				if err := fresh.save(ctx, tx); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		return x.tidy(ctx, store, after, 0)
	})
}
