package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"
)

// view is the index at one moment, but for the texts and the sheets' filters: which sessions there are, and what is in which block.
// It is not changed once it is made; the next one shares what is the same. It takes about 100 bytes for a session and 150 for a
// block, and the filters of loose blocks, which are at most 504 of 16 KiB.
type view struct {
	state    state
	sessions map[int64]*seen  // by row
	rows     map[string]int64 // by ID
	pending  map[int64]bool
	sheets   []sheet
	loose    []looseBlock
	units    []unit
}

// seen is a session in a view.
type seen struct {
	id      string
	row     int64
	updated time.Time
	named   int64
}

// sheet is a list of blocks whose filters were turned.
type sheet struct {
	id     int64
	blocks []about
}

// unit is what is looked at together: a block, or all blocks that hold pieces of one long text.
type unit struct {
	blocks []int // places among all blocks: those of the sheets, then the loose ones
	abouts []*about
}

// Foresee has the next search find what is in the index without reading that first.
func (x *Index) Foresee(ctx context.Context) error {
	return x.do(ctx, "looking at the index", func(st *store) error {
		_, err := x.look(ctx, st)
		return err
	})
}

// look returns the index as it is.
func (x *Index) look(ctx context.Context, st *store) (*view, error) {
	x.seeing.Lock()
	defer x.seeing.Unlock()
	now, err := readState(ctx, st.read)
	if err != nil {
		return nil, err
	}
	if x.view != nil && x.view.state.version == now.version {
		return x.view, nil
	}
	next, err := readView(ctx, st, x.view)
	if err != nil {
		return nil, err
	}
	x.view = next
	return next, nil
}

// readView reads what has changed since a view.
func readView(ctx context.Context, st *store, before *view) (*view, error) {
	tx, err := st.reads.BeginTx(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("beginning to read: %w", err)
	}
	defer tx.Rollback() //nolint:errcheck // nothing was written
	v := &view{}
	if v.state, err = readState(ctx, tx); err != nil {
		return nil, err
	}
	if before == nil {
		before = &view{state: state{version: -1, packs: -1, removals: -1}}
	}
	for _, read := range []func(context.Context, querier, *view) error{v.readSessions, v.readPending, v.readBlocks} {
		if err := read(ctx, tx, before); err != nil {
			return nil, err
		}
	}
	v.units = v.group()
	return v, nil
}

func (v *view) readSessions(ctx context.Context, q querier, before *view) error {
	since := before.state.version
	v.sessions, v.rows = make(map[int64]*seen, v.state.sessions), make(map[string]int64, v.state.sessions)
	if before.state.removals == v.state.removals {
		for row, s := range before.sessions {
			v.sessions[row], v.rows[s.id] = s, row
		}
	} else {
		since = -1
	}
	if err := eachRow(ctx, q, func(r row) error {
		delete(v.sessions, v.rows[r.ID])
		v.sessions[r.row] = &seen{id: r.ID, row: r.row, updated: r.Updated, named: r.named}
		v.rows[r.ID] = r.row
		return nil
	}, "WHERE changed > ?", since); err != nil {
		return err
	}
	if int64(len(v.sessions)) != v.state.sessions {
		return fmt.Errorf("%w: it has %d of %d sessions", errDamaged, len(v.sessions), v.state.sessions)
	}
	return nil
}

func (v *view) readPending(ctx context.Context, q querier, _ *view) error {
	v.pending = map[int64]bool{}
	return eachPair(ctx, q, "SELECT number, at FROM pending", func(number, _ int64) { v.pending[number] = true })
}

func (v *view) readBlocks(ctx context.Context, q querier, before *view) error {
	var err error
	if before.state.packs == v.state.packs {
		v.sheets = before.sheets
		last := int64(-1)
		if n := len(before.loose); n > 0 {
			last = before.loose[n-1].id
		}
		var fresh []looseBlock
		if fresh, err = readLoose(ctx, q, "WHERE block > ? ORDER BY block", last); err != nil {
			return err
		}
		v.loose = slices.Concat(before.loose, fresh)
	} else {
		if v.sheets, err = readSheets(ctx, q); err != nil {
			return err
		}
		if v.loose, err = readLoose(ctx, q, "ORDER BY block"); err != nil {
			return err
		}
	}
	if int64(len(v.loose)) != v.state.loose || int64(len(v.sheets)) != v.state.sheets || v.twice() {
		return fmt.Errorf("%w: there are blocks missing", errDamaged)
	}
	return nil
}

// twice tells whether a sheet or a loose block is there twice, and another is missing then.
func (v *view) twice() bool {
	for i := 1; i < len(v.sheets); i++ {
		if v.sheets[i-1].id >= v.sheets[i].id {
			return true
		}
	}
	for i := 1; i < len(v.loose); i++ {
		if v.loose[i-1].id >= v.loose[i].id {
			return true
		}
	}
	return false
}

func readSheets(ctx context.Context, q querier) ([]sheet, error) {
	rows, err := q.QueryContext(ctx, "SELECT sheet, abouts FROM sheets ORDER BY sheet")
	if err != nil {
		return nil, fmt.Errorf("reading sheets of the index: %w", err)
	}
	defer rows.Close()
	var out []sheet
	for rows.Next() {
		var s sheet
		var data []byte
		if err := rows.Scan(&s.id, &data); err != nil {
			return nil, scanned(err)
		}
		if data, err = unseal(s.id, data); err != nil {
			return nil, err
		}
		r := reader{data: data}
		for len(r.data) > 0 {
			s.blocks = append(s.blocks, r.about())
		}
		if r.bad || len(s.blocks) > width {
			return nil, errDamaged
		}
		out = append(out, s)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("reading sheets of the index: %w", err)
	}
	return out, nil
}

// group makes units of the blocks.
func (v *view) group() []unit {
	var units []unit
	runs := map[textID]int{}
	place := 0
	add := func(a *about) {
		switch at, known := runs[a.long]; {
		case !a.split:
			units = append(units, unit{blocks: []int{place}, abouts: []*about{a}})
		case known:
			u := &units[at]
			u.blocks, u.abouts = append(u.blocks, place), append(u.abouts, a)
		default:
			runs[a.long] = len(units)
			units = append(units, unit{blocks: []int{place}, abouts: []*about{a}})
		}
		place++
	}
	for i := range v.sheets {
		for j := range v.sheets[i].blocks {
			add(&v.sheets[i].blocks[j])
		}
	}
	for i := range v.loose {
		add(&v.loose[i].about)
	}
	for _, at := range runs {
		units[at].sort()
	}
	return units
}

// sort brings the pieces of a long text into their order.
func (u *unit) sort() {
	order := make([]int, len(u.blocks))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(u.abouts[a].piece, u.abouts[b].piece) })
	blocks, abouts := make([]int, len(order)), make([]*about, len(order))
	for i, at := range order {
		blocks[i], abouts[i] = u.blocks[at], u.abouts[at]
	}
	u.blocks, u.abouts = blocks, abouts
}

// shows says that what a write brought to a row is to be seen.
func (v *view) shows(p *part) bool {
	return v.sessions[p.session] != nil && !v.pending[p.write]
}

// blocks is how many there are.
func (v *view) blocks() int {
	n := len(v.loose)
	for i := range v.sheets {
		n += len(v.sheets[i].blocks)
	}
	return n
}
