package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
)

// ErrNoRows is returned where a database has nothing of a session.
var ErrNoRows = errors.New("the database has nothing of the session")

// Excerpt writes what the database at path has of one session to a new database: the tables of the original, with these rows alone.
// The same rows give the same bytes. It has no triggers, no views and nothing virtual: nothing that stands in somebody else's schema is
// ever run.
func (c *Cache) Excerpt(ctx context.Context, temp, path, to string, rows Rows) error {
	from, err := c.hold(ctx, temp, path)
	if err != nil {
		return err
	}
	err = excerpt(ctx, from, to, rows)
	if err != nil {
		err = fmt.Errorf("taking one session out of the database %s: %w", path, err)
	}
	if err = errors.Join(err, from.release()); err != nil {
		return errors.Join(err, remove(to))
	}
	return nil
}

func remove(path string) error {
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// page is how long a page of an excerpt is: each table takes one, even if it is empty.
const page = "1024"

func excerpt(ctx context.Context, from *shared, to string, rows Rows) error {
	var encoding string
	var version int
	if err := from.db.QueryRowContext(ctx, "PRAGMA encoding").Scan(&encoding); err != nil {
		return fmt.Errorf("reading how it is encoded: %w", err)
	}
	if err := from.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return fmt.Errorf("reading its version: %w", err)
	}
	out, err := sql.Open("sqlite", address(to, url.Values{"mode": {"rwc"}, "_pragma": {
		"page_size(" + page + ")", "encoding('" + encoding + "')", "journal_mode(memory)", "synchronous(off)", "secure_delete(1)",
		"trusted_schema(0)", "foreign_keys(0)", "busy_timeout(2000)",
	}}))
	if err != nil {
		return fmt.Errorf("making a database: %w", err)
	}
	conn, err := out.Conn(ctx)
	if err != nil {
		return errors.Join(fmt.Errorf("making a database: %w", err), out.Close())
	}
	w := &writer{db: conn, rows: rows}
	err = w.write(ctx, address(from.path(), from.access()), version)
	return errors.Join(err, conn.Close(), out.Close())
}

// writer writes one excerpt. The original is attached as src.
type writer struct {
	db    *sql.Conn
	rows  Rows
	count int64
}

func (w *writer) do(ctx context.Context, statement string, args ...any) (int64, error) {
	result, err := w.db.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, fmt.Errorf("copying rows: %w", err)
	}
	n, _ := result.RowsAffected() // the driver knows
	return n, nil
}

func (w *writer) write(ctx context.Context, from string, version int) error {
	if _, err := w.do(ctx, "ATTACH ?1 AS src", from); err != nil {
		return err
	}
	for _, statement := range []string{"BEGIN", fmt.Sprintf("PRAGMA main.user_version = %d", version)} {
		if _, err := w.do(ctx, statement); err != nil {
			return err
		}
	}
	all, names, err := tables(ctx, w.db)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := w.table(ctx, all, all[name]); err != nil {
			return fmt.Errorf("table %s: %w", name, err)
		}
	}
	if w.count == 0 {
		return ErrNoRows
	}
	_, err = w.do(ctx, "COMMIT")
	return err
}

// table makes a table and copies its rows: as the original was made or, where its rows don't fit that or it can't be trusted, plainly.
func (w *writer) table(ctx context.Context, all map[string]table, t table) error {
	where, err := w.rows.of(ctx, w.db, all, t)
	if err != nil {
		return err
	}
	made, err := texts(ctx, w.db, "SELECT sql FROM src.sqlite_schema WHERE type = 'table' AND name = ?1", t.name)
	if err != nil {
		return err
	}
	// One statement and no more: what stands behind a semicolon is never run.
	if len(made) == 1 && strings.HasPrefix(made[0][0], "CREATE TABLE ") && !strings.ContainsAny(made[0][0], ";\x00") {
		if err = w.fill(ctx, made[0][0], t, where); err == nil || ctx.Err() != nil {
			return err
		}
		if _, err := w.do(ctx, "DROP TABLE IF EXISTS main."+Quote(t.name)); err != nil {
			return err
		}
	}
	return w.fill(ctx, t.plain(), t, where)
}

// plain is a table with nothing but columns. None of them has a type, so that each value stays what it is.
func (t table) plain() string {
	return "CREATE TABLE main." + Quote(t.name) + "(" + list(t.columns) + ")"
}

func list(columns []string) string {
	quoted := make([]string, len(columns))
	for i, c := range columns {
		quoted[i] = Quote(c)
	}
	return strings.Join(quoted, ", ")
}

func (w *writer) fill(ctx context.Context, create string, t table, where string) error {
	if _, err := w.do(ctx, create); err != nil {
		return err
	}
	made, err := texts(ctx, w.db, "SELECT name FROM pragma_table_xinfo(?1, 'main') WHERE hidden = 0 ORDER BY cid", t.name)
	if err != nil || where == "" {
		return err
	}
	columns := make([]string, len(made)) // not those that are worked out
	for i, c := range made {
		columns[i] = c[0]
	}
	n, err := w.do(ctx, fmt.Sprintf("INSERT INTO main.%s (%s) SELECT %s FROM src.%s WHERE %s", Quote(t.name), list(columns), list(columns), Quote(t.name), t.ordered(where)), w.rows.ID)
	if err != nil || n == 0 {
		return err
	}
	w.count += n
	return w.indexes(ctx, t)
}

// ordered has rows come in the order they stand in, whatever index finds them.
func (t table) ordered(where string) string {
	if t.withoutRowid {
		return where + " ORDER BY " + list(t.key)
	}
	for _, rowid := range []string{"rowid", "oid", "_rowid_"} {
		if !t.hasFold(rowid) {
			return fmt.Sprintf("%s IN (SELECT %s FROM src.%s WHERE %s) ORDER BY %s", rowid, rowid, Quote(t.name), where, rowid)
		}
	}
	return where
}

func (t table) hasFold(column string) bool {
	for _, c := range t.columns {
		if strings.EqualFold(c, column) {
			return true
		}
	}
	return false
}

// indexes makes those that a reading may need, of plain columns alone.
func (w *writer) indexes(ctx context.Context, t table) error {
	names, err := texts(ctx, w.db, "SELECT name FROM pragma_index_list(?1, 'src') WHERE origin = 'c' AND partial = 0 ORDER BY name", t.name)
	if err != nil {
		return err
	}
	for _, name := range names {
		rows, err := texts(ctx, w.db, `SELECT coalesce(name, '') FROM pragma_index_xinfo(?1, 'src') WHERE "key" = 1 ORDER BY seqno`, name[0])
		if err != nil {
			return err
		}
		var columns []string
		for _, row := range rows {
			columns = append(columns, row[0])
		}
		if len(columns) == 0 || !t.all(columns) {
			continue // of an expression
		}
		if _, err := w.do(ctx, fmt.Sprintf("CREATE INDEX main.%s ON %s (%s)", Quote(name[0]), Quote(t.name), list(columns))); err != nil {
			return err
		}
	}
	return nil
}

func (t table) all(columns []string) bool {
	for _, c := range columns {
		if !t.has(c) {
			return false
		}
	}
	return true
}
