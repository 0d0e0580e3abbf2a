package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// Rows say which rows of a database are those of one session.
type Rows struct {
	// ID is what the session is called there.
	ID string
	// Own are the columns that have the id in the rows that are about the session. Of other tables, rows that refer to one of these
	// columns by a foreign key are the session's, too.
	Own []Column
	// Names are columns that say which session a row belongs to, in whatever table they are.
	Names []string
	// Links lead to rows that say nothing of the session and belong to it all the same.
	Links []Link
	// Begins are columns that have texts or bytes with this beginning in the rows of the session.
	Begins []Beginning
	// Not are tables whose rows name the session and are none of it.
	Not []string
}

// Column is one of a table.
type Column struct{ Table, Name string }

// Link is a column that has what another one has in the rows of the session.
type Link struct{ Column, To Column }

// Beginning is how what a column has begins.
type Beginning struct {
	Column Column
	With   string
}

// is the condition for it.
func (b Beginning) is() string {
	return fmt.Sprintf("substr(CAST(%s AS BLOB), 1, %d) = X'%x'", Quote(b.Column.Name), len(b.With), b.With)
}

// table is one of the database that rows are taken of.
type table struct {
	name string
	// withoutRowid tells that its rows have no other key than that of the table.
	withoutRowid bool
	columns      []string
	// key are the columns of its primary key.
	key []string
}

// of is the condition for the rows of a table, with the id as parameter 1; empty if it has none of them.
func (r Rows) of(ctx context.Context, db *sql.Conn, all map[string]table, t table) (string, error) {
	if slices.Contains(r.Not, t.name) {
		return "", nil
	}
	var named []string
	own := false
	for _, c := range r.Own {
		if c.Table == t.name {
			own = true
			named = append(named, t.is(c.Name)...)
		}
	}
	for _, name := range r.Names {
		named = append(named, t.is(name)...)
	}
	if !own && len(named) == 0 {
		refers, err := r.refers(ctx, db, all, t)
		if err != nil {
			return "", err
		}
		named = append(named, refers...)
	}
	for _, b := range r.Begins {
		if b.Column.Table == t.name && t.has(b.Column.Name) {
			named = append(named, b.is())
		}
	}
	for _, link := range r.Links {
		to, there := all[link.To.Table]
		if link.Column.Table != t.name || !t.has(link.Column.Name) || !there || !to.has(link.To.Name) {
			continue
		}
		theirs, err := r.of(ctx, db, all, to)
		if err != nil {
			return "", err
		}
		if theirs != "" {
			named = append(named, fmt.Sprintf("%s IN (SELECT %s FROM src.%s WHERE %s)", Quote(link.Column.Name), Quote(link.To.Name), Quote(to.name), theirs))
		}
	}
	return strings.Join(named, " OR "), nil
}

func (t table) has(column string) bool { return slices.Contains(t.columns, column) }

// is the condition that a column has the id.
func (t table) is(column string) []string {
	if !t.has(column) {
		return nil
	}
	return []string{Quote(column) + " = ?1"}
}

// refers are the conditions of a table's foreign keys.
func (r Rows) refers(ctx context.Context, db *sql.Conn, all map[string]table, t table) ([]string, error) {
	keys, err := texts(ctx, db, `SELECT "from", "table", coalesce("to", '') FROM pragma_foreign_key_list(?1, 'src') ORDER BY 1, 2, 3`, t.name)
	var named []string
	for _, key := range keys {
		to := key[2]
		if primary := all[key[1]].key; to == "" && len(primary) == 1 {
			to = primary[0]
		}
		if slices.Contains(r.Own, Column{key[1], to}) {
			named = append(named, t.is(key[0])...)
		}
	}
	return named, err
}

// tables are those that rows can be taken of, by their names: no views, nothing virtual, and not what belongs to that.
func tables(ctx context.Context, db *sql.Conn) (map[string]table, []string, error) {
	listed, err := texts(ctx, db, `SELECT name, wr FROM pragma_table_list WHERE schema = 'src' AND type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name`)
	if err != nil {
		return nil, nil, err
	}
	all, names := map[string]table{}, []string{}
	for _, row := range listed {
		t := table{name: row[0], withoutRowid: row[1] != "0"}
		columns, err := texts(ctx, db, "SELECT name, pk FROM pragma_table_xinfo(?1, 'src') WHERE hidden <> 1 ORDER BY cid", t.name)
		if err != nil {
			return nil, nil, err
		}
		keys := map[string]string{}
		for _, c := range columns {
			t.columns = append(t.columns, c[0])
			if c[1] != "0" {
				t.key, keys[c[0]] = append(t.key, c[0]), fmt.Sprintf("%9s", c[1])
			}
		}
		slices.SortFunc(t.key, func(a, b string) int { return strings.Compare(keys[a], keys[b]) })
		all[t.name], names = t, append(names, t.name)
	}
	return all, names, nil
}

// texts are the rows of a query.
func texts(ctx context.Context, db *sql.Conn, query string, args ...any) ([][]string, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("reading the tables: %w", err)
	}
	defer rows.Close()
	columns, _ := rows.Columns() // of rows that are open
	var out [][]string
	for rows.Next() {
		row := make([]string, len(columns))
		into := make([]any, len(row))
		for i := range row {
			into[i] = (*Text)(&row[i])
		}
		if err := rows.Scan(into...); err != nil {
			return nil, fmt.Errorf("reading the tables: %w", err)
		}
		out = append(out, row)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("reading the tables: %w", err)
	}
	return out, nil
}
