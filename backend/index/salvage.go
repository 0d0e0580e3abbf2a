package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// An index that can't be used is set aside, and what can be read of it put back into the new one: rows and texts of sessions whose files
// are gone are nowhere else.

const (
	asideName  = "aside-"
	unreadName = "unread.db"
	// asideMost is how many wait at most: whatever damages them, the disk is not to fill.
	asideMost = 3
)

// setAside renames the database at a path, and what belongs to it.
func setAside(path string) error {
	dir := filepath.Dir(path)
	to := begun(path)
	if to == "" {
		to = filepath.Join(dir, fmt.Sprintf("%s%d.db", asideName, time.Now().UnixNano()))
	}
	waiting := asides(dir)
	for _, old := range waiting[:max(0, len(waiting)-asideMost+1)] {
		if err := remove(old); err != nil {
			return err
		}
	}
	for _, suffix := range []string{"-shm", "-journal"} { // of those who have it open
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return renamed(path, to)
}

// begun is the name that a database was being given when the program was killed: only its log of writes has it yet. Empty if there is none.
func begun(path string) string {
	if _, err := os.Lstat(path + "-wal"); err == nil {
		return ""
	}
	for _, log := range namesIn(filepath.Dir(path), asideName+"*.db-wal") {
		to := strings.TrimSuffix(log, "-wal")
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			return to
		}
	}
	return ""
}

// renamed renames a database, the log of writes first: without it, the file may lack the newest.
func renamed(path, to string) error {
	for _, suffix := range []string{"-wal", ""} {
		if err := os.Rename(path+suffix, to+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// asides are the databases that wait to be put back, the oldest first.
func asides(dir string) []string { return namesIn(dir, asideName+"*.db") }

// namesIn are the files in a directory that have such a name.
func namesIn(dir, pattern string) []string {
	found, _ := filepath.Glob(filepath.Join(strings.NewReplacer("[", "\\[", "*", "\\*", "?", "\\?").Replace(dir), pattern))
	slices.Sort(found)
	return found
}

// Wrecked tells whether there is something for [Index.Salvage].
func (x *Index) Wrecked() bool { return len(asides(x.dir)) > 0 }

// Salvage puts back what can be read of indexes that had to be set aside, sessions that are not here yet. It calls pass before each and ends
// with its error; what is left waits for the next call.
func (x *Index) Salvage(ctx context.Context, pass func() error) error {
	waiting := asides(x.dir)
	for _, path := range slices.Backward(waiting) { // what the newest has is the newest
		if err := x.salvage(ctx, path, pass); err != nil {
			return explained("putting back what "+path+" still has", err)
		}
	}
	return nil
}

func (x *Index) salvage(ctx context.Context, path string, pass func() error) error {
	c, err := carve(path)
	if err != nil {
		return err
	}
	w := &wreck{carving: c, rows: map[string]wreckRow{}, blocks: map[int64]cell{}, of: map[int64][]wreckBlock{}, dead: map[int64]bool{}}
	back, lost, err := w.into(ctx, x, pass)
	if err = errors.Join(err, c.close()); err != nil {
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

// wreck is what can be read of an index that can't be used.
type wreck struct {
	*carving
	now    *state
	rows   map[string]wreckRow
	blocks map[int64]cell
	of     map[int64][]wreckBlock // by the number of a session's row
	dead   map[int64]bool         // writes that never came to their end
	text   int64                  // bytes in all blocks
}

// wreckRow is where a session's row stands, and its number and revision.
type wreckRow struct {
	cell
	row, revision int64
	updated       time.Time
}

// wreckBlock is a block with texts of a session, and which.
type wreckBlock struct{ block, first, last int64 }

// into puts everything back that is not there yet, the newest first.
func (w *wreck) into(ctx context.Context, x *Index, pass func() error) (back, lost int, err error) {
	if err := w.each(ctx, w.note); err != nil {
		return 0, 0, err
	}
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
		t := &wreckTexts{wreck: w, row: r, live: live{named: map[int64]int64{r.row: r.named}}}
		missing := false
		err := x.Fill(ctx, id, t.all(), func() Session {
			missing = t.seen < r.texts && !whole
			s := r.Session
			s.Revision = 0
			if missing || !current { // it is read from its files again, if they are there
				s.Stamp, s.Offset = "", 0
			}
			return s
		})
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

// note takes down what a row is, by its shape and its checksum.
func (w *wreck) note(at cell, id int64, payload []byte) {
	cols := values(payload)
	switch {
	case len(cols) == 2 && cols[1].kind == number && id > 0:
		w.dead[id] = true
	case len(cols) == 2 && cols[1].kind == blob:
		w.noteBlock(at, id, cols[1].data)
	case len(cols) == 12 && cols[1].kind == number:
		var s state
		for i, f := range s.fields() {
			*f = cols[1+i].n
		}
		if s.sum() == cols[11].n && (w.now == nil || s.version > w.now.version) {
			w.now = &s
		}
	case len(cols) == 12 && cols[1].kind == text:
		if r, ok := rowFrom(id, cols); ok {
			if before, there := w.rows[r.ID]; !there || r.Revision > before.revision {
				w.rows[strings.Clone(r.ID)] = wreckRow{at, r.row, r.Revision, r.Updated}
			}
		}
	}
}

func (w *wreck) noteBlock(at cell, id int64, body []byte) {
	chunks, err := unpack(id, body)
	if _, twice := w.blocks[id]; err != nil || twice {
		return // of a sheet, or damaged
	}
	w.blocks[id] = at
	a := aboutOf(chunks)
	w.text += int64(a.bytes())
	for _, p := range a.parts {
		w.of[p.session] = append(w.of[p.session], wreckBlock{id, p.first, p.last})
	}
}

// read reads a session's row once more.
func (w *wreck) read(at cell) (row, bool) {
	id, payload, err := w.at(at)
	if err != nil {
		return row{}, false
	}
	return rowFrom(id, values(payload))
}

// rowFrom is a session's row; not ok if it is not what was written.
func rowFrom(id int64, cols []value) (row, bool) {
	if len(cols) != 12 {
		return row{}, false
	}
	r := row{row: id, texts: cols[6].n, named: cols[7].n, bytes: cols[8].n, Session: Session{
		ID: string(cols[1].data), Stamp: string(cols[2].data), Updated: fromNano(cols[3].n), Offset: cols[4].n, Gone: cols[5].n != 0,
		Revision: cols[9].n, Digest: cols[11].data,
	}}
	return r, r.sum() == cols[10].n
}

// wreckTexts are the texts of a session, in order.
type wreckTexts struct {
	*wreck
	row  row
	live live
	// seen is how many there were, names that are not its name any more among them.
	seen int64
}

func (t *wreckTexts) all() iter.Seq2[Text, error] {
	blocks := slices.Clone(t.of[t.row.row])
	slices.SortFunc(blocks, func(a, b wreckBlock) int { return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.block, b.block)) })
	return func(yield func(Text, error) bool) {
		var waiting []chunk
		for i, b := range blocks {
			if i == 0 || b.block != blocks[i-1].block {
				waiting = append(waiting, t.chunks(b.block)...)
			}
			until := t.row.texts
			if i+1 < len(blocks) {
				until = min(until, blocks[i+1].first)
			}
			var ready []chunk
			ready, waiting = split(waiting, until)
			if !t.tell(ready, yield) {
				return
			}
		}
	}
}

// chunks are those of a block that are the session's.
func (t *wreckTexts) chunks(block int64) []chunk {
	id, payload, err := t.at(t.blocks[block])
	if err != nil {
		return nil
	}
	cols := values(payload)
	if len(cols) != 2 {
		return nil
	}
	all, err := unpack(id, cols[1].data)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(all, func(c chunk) bool { return c.session != t.row.row || t.dead[c.write] || c.n >= t.row.texts })
}

// split parts the texts before a number from the others.
func split(chunks []chunk, until int64) (before, behind []chunk) {
	slices.SortStableFunc(chunks, func(a, b chunk) int { return cmp.Or(cmp.Compare(a.n, b.n), cmp.Compare(a.piece, b.piece)) })
	n, _ := slices.BinarySearchFunc(chunks, until, func(c chunk, n int64) int { return cmp.Compare(c.n, n) })
	return chunks[:n], slices.Clone(chunks[n:])
}

// tell hands over whole texts. One of which a piece is missing is not one.
func (t *wreckTexts) tell(chunks []chunk, yield func(Text, error) bool) bool {
	for len(chunks) > 0 {
		n := slices.IndexFunc(chunks, func(c chunk) bool { return c.n != chunks[0].n })
		if n < 0 {
			n = len(chunks)
		}
		c := chunks[0]
		whole := together(chunks[:n])
		chunks = chunks[n:]
		if whole == nil {
			continue
		}
		t.seen++
		if t.live.hasText(&c) && !yield(Text{Seq: c.seq, Line: c.line, Time: c.time, Scope: c.scope, Tool: c.tool, Text: string(whole)}, nil) {
			return false
		}
	}
	return true
}

// together is a text of its pieces; nil if one is missing. A block that was renewed may be there twice, as it was and as it is.
func together(pieces []chunk) []byte {
	pieces = slices.CompactFunc(pieces, func(a, b chunk) bool { return a.piece == b.piece })
	if !pieces[0].split() {
		return append([]byte{}, pieces[0].text...)
	}
	var whole []byte
	for i, p := range pieces {
		if p.piece != i {
			return nil
		}
		whole = append(whole, p.text[:len(p.text)-p.over]...)
	}
	if pieces[len(pieces)-1].more {
		return nil
	}
	return whole
}
