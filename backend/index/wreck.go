package index

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
)

// wreck is what can be read of an index that can't be used.
type wreck struct {
	*carving
	now    *state
	rows   map[string]wreckRow
	blocks map[int64]cell
	pieces map[int64]cell
	of     map[int64][]rowBlock // by the number of a session's row
	dead   map[int64]bool       // writes that never came to their end
	text   int64                // bytes in all blocks
}

// wreckRow is where a session's row stands, and its number and revision.
type wreckRow struct {
	cell
	row, revision int64
	updated       time.Time
}

// wreckAt takes down where everything is that can be read of a database.
func wreckAt(ctx context.Context, path string) (*wreck, error) {
	c, err := carve(path)
	if err != nil {
		return nil, err
	}
	w := &wreck{carving: c, rows: map[string]wreckRow{}, blocks: map[int64]cell{}, pieces: map[int64]cell{}, of: map[int64][]rowBlock{}, dead: map[int64]bool{}}
	if err := w.each(ctx, w.note); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return w, nil
}

// note takes down what a row is, by its shape and its checksum.
func (w *wreck) note(at cell, id int64, payload []byte) {
	cols := values(payload)
	switch {
	case len(cols) == 2 && cols[1].kind == number && id > 0:
		w.dead[id] = true
	case len(cols) == 2 && cols[1].kind == blob:
		w.noteBlock(at, id, cols[1].data)
	case len(cols) == 3 && cols[2].kind == blob:
		if _, err := unseal(id, cols[2].data); err == nil {
			w.pieces[id] = at
		}
	case len(cols) == 12 && cols[1].kind == number:
		var s state
		for i, f := range s.fields() {
			*f = cols[1+i].n
		}
		if s.sum() == cols[11].n && (w.now == nil || s.version > w.now.version) {
			w.now = &s
		}
	case len(cols) > 2 && cols[1].kind == text:
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
		w.of[p.session] = append(w.of[p.session], rowBlock{id, p.first, p.last})
	}
}

// chunks are those of a block, none if it can't be read any more.
func (w *wreck) chunks(block int64) ([]chunk, error) {
	id, payload, err := w.at(w.blocks[block])
	if err != nil {
		return nil, nil //nolint:nilerr // the texts that are missing are counted
	}
	cols := values(payload)
	if len(cols) != 2 {
		return nil, nil
	}
	all, err := unpack(id, cols[1].data)
	if err != nil {
		return nil, nil //nolint:nilerr // as above
	}
	return slices.DeleteFunc(all, func(c chunk) bool { return w.dead[c.write] }), nil
}

// read reads a session's row once more, with its pieces if they are all there.
func (w *wreck) read(at cell) (row, bool) {
	id, payload, err := w.at(at)
	if err != nil {
		return row{}, false
	}
	r, ok := rowFrom(id, values(payload))
	for n := int64(0); ok && n < r.pieces; n++ {
		piece, there := w.piece(pieceID(r.row, n))
		if !there {
			r.Pieces = nil
			break
		}
		r.Pieces = append(r.Pieces, piece)
	}
	return r, ok
}

func (w *wreck) piece(number int64) ([]byte, bool) {
	id, payload, err := w.at(w.pieces[number])
	cols := values(payload)
	if err != nil || id != number || len(cols) != 3 {
		return nil, false
	}
	data, err := unseal(id, cols[2].data)
	return data, err == nil
}

// rowFrom is a session's row; not ok if it is not what was written. One of an older version does not say how many pieces it has: none.
func rowFrom(id int64, cols []value) (row, bool) {
	const all = 13
	if len(cols) == all-1 {
		cols = slices.Insert(cols, 10, value{})
	}
	if len(cols) != all {
		return row{}, false
	}
	r := row{row: id, texts: cols[6].n, named: cols[7].n, bytes: cols[8].n, pieces: cols[10].n, Session: Session{
		ID: string(cols[1].data), Stamp: string(cols[2].data), Updated: fromNano(cols[3].n), Offset: cols[4].n, Gone: cols[5].n != 0,
		Revision: cols[9].n, Digest: cols[12].data,
	}}
	return r, r.sum() == cols[11].n
}
