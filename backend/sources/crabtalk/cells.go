package crabtalk

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/sqlite"
)

// value is that of a key, at most so long.
func (t *tables) value(ctx context.Context, key string, most int64) ([]byte, error) {
	c, is := t.at.get(key)
	if !is || c.of == ofSessions {
		return t.fromRow(key)
	}
	var length sql.NullInt64
	var value []byte
	table, column := streams[c.of].table, sqlite.Quote(streams[c.of].column)
	err := t.db.QueryRowContext(ctx, fmt.Sprintf("SELECT octet_length(%s), CASE WHEN octet_length(%s) <= ? THEN CAST(%s AS BLOB) END FROM %s WHERE rowid = ?",
		column, column, column, table), most, c.row).Scan(&length, &value)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fmt.Errorf("%s can't be read: %w", key, err)
	case length.Int64 > most:
		return nil, &glean.LargeError{Name: key, Bytes: length.Int64}
	}
	return value, nil
}

// start is the beginning of a key's value.
func (t *tables) start(ctx context.Context, key string, most int64) ([]byte, error) {
	c, is := t.at.get(key)
	if !is || c.of == ofSessions {
		return t.fromRow(key)
	}
	var value []byte
	query := fmt.Sprintf("SELECT substr(CAST(%s AS BLOB), 1, ?) FROM %s WHERE rowid = ?", sqlite.Quote(streams[c.of].column), streams[c.of].table)
	if err := t.db.QueryRowContext(ctx, query, most, c.row).Scan(&value); err != nil {
		return nil, fmt.Errorf("%s can't be read: %w", key, err)
	}
	return value, nil
}

// fromRow is what the row of a session has for a key.
func (t *tables) fromRow(key string) ([]byte, error) {
	handle, below, _ := ofSession(key)
	row, is := t.rows[idOf(handle)]
	if !is {
		return nil, errNotThere
	}
	if below == archiveName {
		return glean.Quote(row[archiveName]), nil
	}
	text, err := json.Marshal(row)
	if err != nil {
		return nil, fmt.Errorf("writing the row of a session as JSON: %w", err)
	}
	return text, nil
}

func (t *tables) keyed(ctx context.Context) keyed {
	k := keyed{
		key:   t.at.key,
		value: func(key string, most int64) ([]byte, error) { return t.value(ctx, key, most) },
		start: func(key string, most int64) ([]byte, error) { return t.start(ctx, key, most) }, named: true,
	}
	if t.lost != nil {
		k.missing = "more of the session may be in the database: " + t.lost.Error()
	}
	return k
}
