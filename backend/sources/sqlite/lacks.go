package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"net/url"
)

// Key are the columns that tell the rows of a table apart.
type Key struct {
	Table   string
	Columns []string
}

// Lacks tells whether an excerpt lacks rows of these tables that one of before has. Both are files that nobody writes to.
func Lacks(ctx context.Context, now, before string, keys []Key) (lacks bool, err error) {
	still := url.Values{"mode": {"ro"}, "immutable": {"1"}}
	params := url.Values{"_pragma": {"trusted_schema(0)", "query_only(1)"}}
	maps.Copy(params, still)
	db, err := sql.Open("sqlite", address(now, params))
	if err != nil {
		return false, fmt.Errorf("comparing copies: %w", err)
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return false, errors.Join(fmt.Errorf("comparing copies: %w", err), db.Close())
	}
	lacks, err = missing(ctx, conn, address(before, still), keys)
	if err != nil {
		err = fmt.Errorf("comparing copies: %w", err)
	}
	return lacks, errors.Join(err, conn.Close(), db.Close())
}

func missing(ctx context.Context, db *sql.Conn, before string, keys []Key) (bool, error) {
	if _, err := db.ExecContext(ctx, "ATTACH ?1 AS src", before); err != nil {
		return false, fmt.Errorf("opening the earlier one: %w", err)
	}
	all, _, err := tables(ctx, db)
	if err != nil {
		return false, err
	}
	for _, key := range keys {
		if t, there := all[key.Table]; !there || !t.all(key.Columns) {
			continue
		}
		now, err := texts(ctx, db, "SELECT name FROM pragma_table_xinfo(?1, 'main')", key.Table)
		if err != nil {
			return false, err
		}
		has := table{}
		for _, c := range now {
			has.columns = append(has.columns, c[0])
		}
		query := fmt.Sprintf("SELECT %s FROM src.%s", list(key.Columns), Quote(key.Table))
		if has.all(key.Columns) {
			query += fmt.Sprintf(" EXCEPT SELECT %s FROM main.%s", list(key.Columns), Quote(key.Table))
		}
		var lost bool
		if err := db.QueryRowContext(ctx, "SELECT EXISTS ("+query+")").Scan(&lost); err != nil {
			return false, fmt.Errorf("table %s: %w", key.Table, err)
		}
		if lost {
			return true, nil
		}
	}
	return false, nil
}
