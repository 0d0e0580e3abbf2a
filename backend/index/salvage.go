package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
)

// What can be read of an index that was set aside is put back into the new one: rows and texts of sessions whose files are gone are nowhere
// else.

// Salvage puts back what can be read of indexes that had to be set aside, sessions that are not here yet. It calls pass before each and ends
// with its error; what is left waits for the next call. One that can't be read does not keep others from being put back.
func (x *Index) Salvage(ctx context.Context, pass func() error) error {
	var unread []error
	for _, path := range slices.Backward(asides(x.dir)) { // what the newest has is the newest
		w, err := wreckAt(ctx, path)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist): // put back by another program
			continue
		case err != nil:
			unread = append(unread, explained("reading what "+path+" still has", err))
			continue
		}
		if err := x.putBack(ctx, w, path, pass); err != nil {
			return explained("putting back what "+path+" still has", err)
		}
	}
	return errors.Join(unread...)
}

func (x *Index) putBack(ctx context.Context, w *wreck, path string, pass func() error) error {
	back, lost, err := w.into(ctx, x, pass)
	if err = errors.Join(err, w.close()); err != nil {
		return err
	}
	if lost == 0 {
		x.warn(fmt.Errorf("of the index that was begun anew, everything is back: %d sessions", back))
		return remove(path)
	}
	unread := filepath.Join(x.dir, unreadName)
	x.warn(fmt.Errorf("of the index that was begun anew, %d sessions are back; %d could not be read, or not wholly, and are read again where their files are still there: the file of before is %s",
		back, lost, unread))
	if err := remove(unread); err != nil {
		return err
	}
	return renamed(path, unread)
}

// into puts everything back that is not there yet, the newest first.
func (w *wreck) into(ctx context.Context, x *Index, pass func() error) (back, lost int, err error) {
	found, _ := w.version()
	current := found == version
	whole := w.now != nil && w.free != nil && w.text == w.now.text
	if w.now != nil {
		lost = max(0, int(w.now.sessions)-len(w.rows))
	} else if len(w.rows) == 0 || !current {
		lost = 1 // nobody knows how many
	}
	ids := make([]string, 0, len(w.rows))
	for id := range w.rows {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int {
		return cmp.Or(w.rows[b].updated.Compare(w.rows[a].updated), cmp.Compare(a, b))
	})
	for _, id := range ids {
		if err := pass(); err != nil {
			return back, lost, err
		}
		if _, there, err := x.Session(ctx, id); err != nil || there {
			if err != nil {
				return back, lost, err
			}
			continue
		}
		r, ok := w.read(w.rows[id].cell)
		if !ok {
			lost++
			continue
		}
		t := &rowTexts{row: r, live: live{named: map[int64]int64{r.row: r.named}}, of: w.of[r.row], read: w.chunks}
		missing, told := false, int64(0)
		err := x.Fill(ctx, id, counted(t.all(), &told), func() Session {
			missing = t.seen < r.texts && !whole || int64(len(r.Pieces)) < r.pieces || told > r.bytes // of what was taken back nobody may know any more
			s := r.Session
			s.Revision = 0
			if missing || !current { // it is read from its files again, if they are there
				s.Stamp, s.Offset = "", 0
			}
			return s
		}, nil)
		if err != nil {
			return back, lost, err
		}
		back++
		if missing {
			lost++
		}
	}
	return back, lost, nil
}

// counted are texts, whose bytes are counted.
func counted(texts iter.Seq2[Text, error], bytes *int64) iter.Seq2[Text, error] {
	return func(yield func(Text, error) bool) {
		for t, err := range texts {
			if *bytes += int64(len(t.Text)); !yield(t, err) {
				return
			}
		}
	}
}
