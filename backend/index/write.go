package index

import (
	"context"
	"fmt"
	"iter"
	"time"
	"unsafe"
)

// Put stores a session and its texts in place of all that is there of it. It all becomes visible at once, or not at all.
func (x *Index) Put(ctx context.Context, s Session, texts iter.Seq2[Text, error]) error {
	return x.Fill(ctx, s.ID, texts, func() Session { return s }, nil)
}

// Fill is [Index.Put] of a session whose row is known only when its texts are. Before anything is written, and while nobody else can, wanted is
// asked, if it is not nil, whether it is to be there by now: if not, the error is [ErrChanged].
func (x *Index) Fill(ctx context.Context, id string, texts iter.Seq2[Text, error], known func() Session, wanted func() bool) error {
	return x.do(ctx, "putting session "+id+" into the index", func(st *store) error {
		return x.bring(ctx, &writing{store: st, row: row{Session: Session{ID: id}}, whole: true, known: known, wanted: wanted}, texts)
	})
}

// Append stores a session's row anew and adds texts to those that are there. It all becomes visible at once, or not at all.
func (x *Index) Append(ctx context.Context, s Session, texts iter.Seq2[Text, error]) error {
	_, err := x.append(ctx, &writing{row: row{Session: s}}, texts)
	return err
}

func (x *Index) append(ctx context.Context, w *writing, texts iter.Seq2[Text, error]) (trial Trial, err error) {
	err = x.do(ctx, "adding to session "+w.row.ID+" in the index", func(st *store) error {
		w.store = st
		return x.bring(ctx, w, texts)
	})
	return w.added, err
}

// writing is a Put or an Append on its way.
type writing struct {
	store *store
	row   row            // as it is to become; its counts are of what is new
	whole bool           // a Put
	names bool           // there are names among the texts
	known func() Session // the row, once there are no more texts; nil if that is known
	// wanted tells whether it is to be there; nil if it is.
	wanted func() bool
	// pending is the number under which blocks were written already, base what they count from, and revision that of the row
	// then.
	pending  int64
	base     base
	revision int64
	// back is what is taken back, nil for nothing, and added what another one may take back, if it is a trial.
	back  *Trial
	trial bool
	added Trial
}

// going is a write of this process that goes on: of which session, and how much text it has written that does not show yet.
type going struct {
	of   string
	text int64
}

// bring packs the texts and writes them, as they come if they are too many for the memory.
func (x *Index) bring(ctx context.Context, w *writing, texts iter.Seq2[Text, error]) error {
	b := x.builders.Get().(*builder) //nolint:errcheck,forcetypeassert // the pool makes nothing else
	defer x.builders.Put(b)
	defer x.ended(w)
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
		if t.Scope == Name && text == "" {
			continue
		}
		// The bytes are those of the text, which nobody writes to.
		bytes := unsafe.Slice(unsafe.StringData(text), len(text))
		b.add(chunk{n: w.row.texts, seq: t.Seq, line: t.Line, part: t.Part, time: t.Time, scope: t.Scope, tool: t.Tool, text: bytes})
		w.row.texts++
		w.row.bytes += int64(len(text))
		if b.ready >= x.shape.memory {
			if err := x.flush(ctx, w, b.take()); err != nil {
				return err
			}
		}
	}
	b.flush()
	if w.known != nil {
		w.row.Session = w.known()
	}
	after, err := x.finish(ctx, w, b.take())
	if err != nil {
		return err
	}
	x.ended(w) // what it has written shows
	return x.tidy(ctx, w.store, after, w.row.bytes)
}

// flush writes blocks that don't show yet.
func (x *Index) flush(ctx context.Context, w *writing, blocks []block) error {
	after, err := x.change(ctx, w.store, func(tx *prepared, st *state) error {
		if err := x.goOn(ctx, w, tx, st); err != nil {
			return err
		}
		before := st.text
		if err := addBlocks(ctx, tx, st, w.base, blocks); err != nil {
			return err
		}
		x.going[w.pending] = going{w.row.ID, x.going[w.pending].text + st.text - before}
		return nil
	})
	if err != nil {
		return err
	}
	return x.pack(ctx, w.store, after)
}

// goOn notes that a write goes on, unless it was given up meanwhile: then blocks of it may be gone.
func (x *Index) goOn(ctx context.Context, w *writing, tx *prepared, st *state) error {
	now := time.Now().Unix()
	if !w.isWanted() {
		return ErrChanged
	}
	if w.pending == 0 {
		if err := w.begin(ctx, tx, st); err != nil {
			return err
		}
		x.going[w.pending] = going{of: w.row.ID}
		return tx.exec(ctx, "INSERT INTO pending VALUES (?, ?)", w.pending, now)
	}
	n, err := tx.count(ctx, "UPDATE pending SET at = ? WHERE number = ? AND at > 0", now, w.pending)
	if err == nil && n == 0 {
		err = errGivenUp
	}
	return err
}

func (w *writing) isWanted() bool { return w.wanted == nil || w.wanted() }

// errGivenUp says that others took a write for one that goes on no more.
var errGivenUp = fmt.Errorf("%w: others took it for one that goes on no more, and its blocks were cleaned up", ErrChanged)

// ended notes that a write of this process goes on no more.
func (x *Index) ended(w *writing) {
	x.writing.Lock()
	defer x.writing.Unlock()
	delete(x.going, w.pending)
}

// begin takes the numbers that blocks count from.
func (w *writing) begin(ctx context.Context, tx *prepared, st *state) error {
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
func (w *writing) current(ctx context.Context, tx *prepared) (row, error) {
	now, there, err := rowOf(ctx, tx, w.row.ID)
	if err != nil {
		return now, err
	}
	for _, expected := range []int64{w.row.Revision, w.revision, w.back.Revision()} {
		if !there || expected != 0 && expected != now.Revision {
			return now, ErrChanged
		}
	}
	return now, nil
}

// finish writes the last blocks and the row, and makes all of it show.
func (x *Index) finish(ctx context.Context, w *writing, blocks []block) (state, error) {
	return x.change(ctx, w.store, func(tx *prepared, st *state) error {
		if !w.isWanted() {
			return ErrChanged
		}
		if w.pending != 0 {
			n, err := tx.count(ctx, "DELETE FROM pending WHERE number = ? AND at > 0", w.pending)
			if err != nil {
				return err
			}
			if n == 0 {
				return errGivenUp
			}
		}
		fresh, err := w.fresh(ctx, tx, st)
		if err != nil {
			return err
		}
		w.added = w.trialOf(&fresh)
		if err := addBlocks(ctx, tx, st, w.base, blocks); err != nil {
			return err
		}
		return fresh.save(ctx, tx)
	})
}

// fresh is the row as it becomes.
func (w *writing) fresh(ctx context.Context, tx *prepared, st *state) (row, error) {
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
		return fresh, dropPieces(ctx, tx, before.row)
	}
	now, err := w.current(ctx, tx)
	if err != nil {
		return fresh, err
	}
	if w.pending == 0 {
		w.base = base{session: now.row, n: now.texts}
		if w.trial {
			w.base.write = st.give()
		}
	}
	if err := w.takeBack(ctx, tx, st, &now); err != nil {
		return fresh, err
	}
	st.live += fresh.bytes
	fresh.row, fresh.named, fresh.pieces = now.row, now.named, now.pieces
	if w.names {
		fresh.named = now.texts
	}
	fresh.texts += now.texts
	fresh.bytes += now.bytes
	return fresh, nil
}
