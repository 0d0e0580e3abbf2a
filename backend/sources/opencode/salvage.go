package opencode

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/sources/sqlite"
)

// Where the index of messages or of parts is damaged, the table is looked through for those of a session: see [sqlite.FromEnds].

// place is where a row stands.
type place struct {
	row  int64
	id   string
	time float64
}

// places are those of rows, by what they belong to: as an index has them or, if that is damaged, as the table does.
type places struct {
	by   map[string][]place
	seen map[int64]bool
}

func newPlaces() places { return places{map[string][]place{}, map[int64]bool{}} }

// add takes a row of four columns: its number, what it belongs to, its id, and its time.
func (p places) add(scan func(...any) error) error {
	var here place
	var of, id, at sqlite.Text
	if err := scan(&here.row, &of, &id, &at); err != nil {
		return fmt.Errorf("reading rows: %w", err)
	}
	if here.id, here.time = string(id), gjson.Parse(string(at)).Num; !p.seen[here.row] {
		p.seen[here.row] = true
		p.by[string(of)] = append(p.by[string(of)], here)
	}
	return nil
}

// of are the places of what belongs to one, in opencode's order.
func (p places) of(id string) []place {
	slices.SortFunc(p.by[id], func(a, b place) int { return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.id, b.id)) })
	return p.by[id]
}

// at visits the row at a place; one that can't be read is visited with its error.
func (t *tables) at(ctx context.Context, p place, table string, visit func(row) error) error {
	there := false
	err := t.rows(ctx, func(r row) error { there = true; return visit(r) }, "SELECT id, "+data+" FROM "+table+" WHERE rowid = ?", p.row)
	if err == nil || there || ctx.Err() != nil {
		return err
	}
	return visit(row{id: p.id, err: err})
}

// messagesInPlace visits those messages of the session that were not visited, one by one.
func (t *tables) messagesInPlace(ctx context.Context, visited *many.IDs, visit func(row) error) error {
	all, lost := t.locate(ctx)
	for _, p := range all {
		if _, was := visited.Get(p.id); was {
			continue
		}
		if err := t.at(ctx, p, "message", visit); err != nil {
			return err
		}
	}
	return lost
}

// locate finds where the messages of the session stand, in their order, and says why there may be more.
func (t *tables) locate(ctx context.Context) ([]place, error) {
	columns := "SELECT rowid, '', id, 0 FROM message WHERE "
	if t.order != "id" {
		columns = "SELECT rowid, '', id, time_created FROM message WHERE "
	}
	all := newPlaces()
	lost := sqlite.Each(ctx, t.db.DB, all.add, columns+"session_id = ? ORDER BY "+t.order, t.id)
	if lost != nil {
		lost = t.owned(ctx, all, columns, "message", "session_id", t.id)
	}
	t.messagesAt = map[string]place{}
	for _, p := range all.of("") {
		t.messagesAt[p.id] = p
	}
	return all.of(""), lost
}

// owned adds the rows of a table that belong to one, and says why there may be more. columns are what is asked of each.
func (t *tables) owned(ctx context.Context, to places, columns, table, column, owner string) error {
	rows := t.db.Owned(ctx, table, column)
	lost := rows.Lost
	for _, row := range rows.Of(owner) {
		if err := sqlite.Each(ctx, t.db.DB, to.add, columns+"rowid = ? AND "+column+" = ?", row, owner); lost == nil {
			lost = err
		}
	}
	return lost
}

// messageInPlace visits one where no index leads to it.
func (t *tables) messageInPlace(ctx context.Context, id string, visit func(row) error) error {
	if t.messagesAt == nil {
		_, _ = t.locate(ctx) // that there may be more is told where all are visited
	}
	p, is := t.messagesAt[id]
	if !is {
		return nil
	}
	return t.at(ctx, p, "message", visit)
}

// partsInPlace visits those parts of a message that were not visited, one by one.
func (t *tables) partsInPlace(ctx context.Context, message string, visited *many.IDs, visit func(row) error) error {
	all := newPlaces()
	lost := sqlite.Each(ctx, t.db.DB, all.add, partPlaces+"message_id = ? ORDER BY id", message)
	switch {
	case lost == nil:
	case t.named:
		all, lost = t.partsOfAll(ctx)
	default:
		lost = t.owned(ctx, all, partPlaces, "part", "message_id", message)
	}
	for _, p := range all.of(message) {
		if _, was := visited.Get(p.id); was {
			continue
		}
		if err := t.at(ctx, p, "part", visit); err != nil {
			return err
		}
	}
	return lost
}

const partPlaces = "SELECT rowid, message_id, id, 0 FROM part WHERE "

// partsOfAll are those of the whole session, where they say that they are its.
func (t *tables) partsOfAll(ctx context.Context) (places, error) {
	if t.partsAt.by == nil {
		t.partsAt = newPlaces()
		t.partsLost = t.owned(ctx, t.partsAt, partPlaces, "part", "session_id", t.id)
	}
	return t.partsAt, t.partsLost
}

// withStrays adds to the messages of the session those that only parts name.
func (t *tables) withStrays(ctx context.Context, order *many.Texts) *many.Texts {
	if t.missing["part"] || !t.named {
		return order
	}
	parts, _ := t.partsOfAll(ctx) // that there may be more is told with the messages
	strays := slices.Sorted(maps.Keys(parts.by))
	known := map[string]bool{}
	for i := range order.Len() {
		known[order.At(i)] = true
	}
	strays = slices.DeleteFunc(strays, func(id string) bool { return known[id] })
	var out many.Texts
	for i := range order.Len() {
		for len(strays) > 0 && strays[0] < order.At(i) { // ids are in the order of time
			out.Add(strays[0])
			strays = strays[1:]
		}
		out.Add(order.At(i))
	}
	for _, id := range strays {
		out.Add(id)
	}
	return &out
}

// orphans are the sessions of messages, or of parts, whose own row can't be read.
func (t *tables) orphans(ctx context.Context, known map[string]bool, path string) []sources.Found {
	at := map[string][2]time.Time{}
	visit := func(scan func(...any) error) error {
		var id, when sqlite.Text
		if err := scan(&id, &when); err != nil {
			return fmt.Errorf("reading messages: %w", err)
		}
		now := jsonl.Time(gjson.Parse(string(when)))
		if is, there := at[string(id)]; !there {
			at[string(id)] = [2]time.Time{now, now}
		} else if now.IsZero() {
			return nil
		} else if now.Before(is[0]) {
			at[string(id)] = [2]time.Time{now, is[1]}
		} else if now.After(is[1]) {
			at[string(id)] = [2]time.Time{is[0], now}
		}
		return nil
	}
	// That there may be more is told as of the sessions.
	if !t.missing["message"] {
		created := "NULL"
		if t.order != "id" {
			created = "time_created"
		}
		_ = sqlite.FromEnds(ctx, t.db.DB, visit, "SELECT session_id, "+created+" FROM message NOT INDEXED")
	}
	if !t.missing["part"] && t.named {
		_ = sqlite.FromEnds(ctx, t.db.DB, visit, "SELECT session_id, NULL FROM part NOT INDEXED")
	}
	var out []sources.Found
	for id, times := range at {
		if id != "" && !known[id] {
			f := session{id: id}.found(path)
			f.CreatedAt, f.UpdatedAt = times[0], times[1]
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b sources.Found) int { return cmp.Compare(a.ID, b.ID) })
	return out
}
