package backend

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"

	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// Page is a piece of a transcript, at most [PageBytes] long.
type Page struct {
	SessionID string `json:"sessionId"`
	First     int    `json:"first"`
	Count     int    `json:"count"`
	Total     int    `json:"total"`
	// Next is the seq of the first record behind the page, NextIndex the position there: in a damaged log only that leads
	// to every line. Both are nil at the end.
	Next      *int64            `json:"next"`
	NextIndex *int              `json:"nextIndex"`
	Records   []json.RawMessage `json:"records"`
	Entries   []Entry           `json:"entries"`
	Damage    []PageDamage      `json:"damage"`
	Truncated bool              `json:"truncated"`
}

// Entry says where a page's record stands and what became of it.
type Entry struct {
	Index  int    `json:"index"`
	Line   int    `json:"line"`
	Offset int64  `json:"offset"`
	Bytes  int64  `json:"bytes"`
	State  State  `json:"state"`
	Reason string `json:"reason"`
}

// PageDamage is damage at a line's index.
type PageDamage struct {
	Index int `json:"index"`
	session.Damage
}

// PageBytes bounds a page: what the window is sent at once.
const PageBytes = 1 << 20

const (
	pageDefault = 100
	pageMost    = 500
	// entryBytes is what a record costs beside itself, generously.
	entryBytes = 400
	// shortest is the room below which a record's strings are not cut any more before it is decoded: its fields must stay.
	shortest = 4 << 10
	// pageRoom leaves room for what stands around the records.
	pageRoom = PageBytes - 32<<10
)

// PageOptions of [Backend.Page].
type PageOptions struct {
	// FromSeq starts the page at the last record that has this seq; 0 starts it at Position.
	FromSeq  int64
	Position int
	Limit    int
	// Model counts only lines that the model sees.
	Model bool
	// AsOf has states be those as of the last record that has this seq; 0 for now.
	AsOf int64
}

// Page reads a piece of a transcript by seek.
func (b *Backend) Page(id string, opts PageOptions) (Page, error) {
	v, err := b.glance(id)
	if err != nil {
		return Page{}, err
	}
	defer v.close()
	if err := v.asOf(opts.AsOf); err != nil {
		return Page{}, err
	}
	if opts.FromSeq != 0 {
		i, err := v.index.Find(opts.FromSeq)
		if err != nil {
			return Page{}, fmt.Errorf("session %s: %w", id, err)
		}
		opts.Position = i
		if opts.Model {
			opts.Position = v.states.Model.Before(i)
		}
	}
	limit := opts.Limit
	if limit <= 0 {
		limit = pageDefault
	}
	page, err := v.page(opts, min(limit, pageMost), pageRoom)
	if err != nil {
		return Page{}, fmt.Errorf("session %s: %w", id, err)
	}
	return page, nil
}

// page is of up to limit records, which take no more than most together.
func (v *view) page(opts PageOptions, limit, most int) (Page, error) {
	total, at := v.index.Lines.Len(), func(position int) int { return position }
	if opts.Model {
		total, at = v.states.Model.Len(), v.states.Model.At
	}
	first := min(max(opts.Position, 0), total)
	p := Page{
		SessionID: v.id, First: first, Total: total,
		Records: []json.RawMessage{}, Entries: []Entry{}, Damage: []PageDamage{},
	}
	size := 0
	for position := first; position < total && p.Count < limit; position++ {
		i := at(position)
		room := most - size
		if p.Count > 0 && int(min(v.index.Lines.At(i).Length, int64(most)))+entryBytes > room {
			break
		}
		n, err := v.put(&p, i, room)
		if err != nil {
			return Page{}, err
		}
		size += n
		p.Count++
	}
	if first+p.Count < total {
		next := first + p.Count
		p.Next, p.NextIndex = v.seqFrom(at, next, total), &next
	}
	return p, nil
}

// seqFrom is the seq of the first record from a position on.
func (v *view) seqFrom(at func(int) int, position, total int) *int64 {
	for ; position < total; position++ {
		if seq := v.index.Lines.At(at(position)).Seq; seq > 0 {
			return &seq
		}
	}
	return nil
}

// put adds line i to the page, cut to room, and returns what it takes.
func (v *view) put(p *Page, i, room int) (int, error) {
	damage := v.damageAt(i)
	p.Damage = append(p.Damage, damage...)
	size := len(damage) * entryBytes
	line := v.index.Lines.At(i)
	if line.Kind == session.LineDamaged {
		return size, nil
	}
	shown, err := v.shown(line, room-entryBytes)
	if why, damaged := errors.AsType[*record.Error](err); damaged && v.rough {
		p.Damage = append(p.Damage, PageDamage{Index: i, Damage: session.Damage{
			Offset: line.Offset, Line: int(line.Number), Kind: session.DamageCorrupt, Reason: why.Reason,
		}})
		return size + entryBytes, nil
	}
	if err != nil {
		return 0, err
	}
	p.Truncated = p.Truncated || shown.cut
	state, reason := v.states.Of(&v.index, i)
	p.Records = append(p.Records, json.RawMessage(shown.json))
	p.Entries = append(p.Entries, Entry{
		Index: i, Line: int(line.Number), Offset: line.Offset, Bytes: line.Length, State: state, Reason: reason,
	})
	return size + len(shown.json) + len(reason) + entryBytes, nil
}

// piece is a record as a page shows it.
type piece struct {
	json string
	cut  bool
}

// shown reads a record, cut to room. Of a line far longer than that the long strings are cut before it is decoded.
func (v *view) shown(line session.Line, room int) (piece, error) {
	text, shortened, err := v.text(line, max(room, shortest))
	if err != nil {
		return piece{}, err
	}
	rec, err := record.Decode(trimmed(text, line.Offset))
	if err != nil {
		return piece{}, fmt.Errorf("line %d changed on disk: %w", line.Number, err)
	}
	if !shortened && len(rec.JSON) <= room {
		return piece{json: rec.JSON}, nil
	}
	return piece{json: rec.Cut(room, line.Length), cut: true}, nil
}

// text reads a line. One that is far longer than a page is not held: of its strings no more is read than longest bytes each.
func (v *view) text(line session.Line, longest int) (text []byte, shortened bool, err error) {
	if line.Length > 4*PageBytes {
		text, shortened, err = record.Shorten(io.NewSectionReader(v.log, line.Offset, line.Length), longest)
	} else {
		text = make([]byte, line.Length)
		_, err = v.log.ReadAt(text, line.Offset)
	}
	if err != nil {
		return nil, false, fmt.Errorf("reading line %d: %w", line.Number, err)
	}
	return text, shortened, nil
}

func (v *view) damageAt(i int) []PageDamage {
	all := v.index.Damage
	var at []PageDamage
	for k := sort.Search(len(all), func(k int) bool { return all[k].Index >= i }); k < len(all) && all[k].Index == i; k++ {
		at = append(at, PageDamage{Index: i, Damage: all[k].Lost(v.theirs)})
	}
	return at
}

// RawRecord opens the line of the last record that has seq, as it is in the file, from a byte of it on. The caller
// closes it.
func (b *Backend) RawRecord(id string, seq, from, limit int64) (body io.ReadCloser, size int64, err error) {
	v, err := b.glance(id)
	if err != nil {
		return nil, 0, err
	}
	i, err := v.index.Find(seq)
	if err != nil {
		v.close()
		return nil, 0, fmt.Errorf("session %s: %w", id, err)
	}
	line := v.index.Lines.At(i)
	from = min(max(from, 0), line.Length)
	n := line.Length - from
	if limit > 0 {
		n = min(n, limit)
	}
	return struct {
		io.Reader
		io.Closer
	}{io.NewSectionReader(v.log, line.Offset+from, n), v.log}, line.Length, nil
}
