package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// Columns are the names of a table's columns; none if there is no such table. A view is none: what it does is not known.
func Columns(ctx context.Context, db *sql.DB, table string) ([]string, error) {
	rows, err := db.QueryContext(ctx, "SELECT c.name FROM sqlite_schema s JOIN pragma_table_info(s.name) c WHERE s.type = 'table' AND s.name = ?", table)
	if err != nil {
		return nil, fmt.Errorf("reading what table %s has: %w", table, err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, fmt.Errorf("reading what table %s has: %w", table, err)
		}
		out = append(out, name)
	}
	if len(out) > 0 && ctx.Err() == nil {
		return out, nil // other tables may be on a page that can't be read
	}
	return out, rows.Err()
}

// Select is a list of these columns for a query: NULL stands for one that the table has not, and names are quoted. Each is given
// as text or NULL, whatever its type, and NULL if it is longer than most.
func Select(has, want []string, most int) string {
	out := make([]string, len(want))
	for i, name := range want {
		if !slices.Contains(has, name) {
			out[i] = "NULL"
			continue
		}
		quoted := Quote(name)
		out[i] = fmt.Sprintf("CASE WHEN octet_length(%s) <= %d THEN CAST(%s AS TEXT) END", quoted, most, quoted)
	}
	return strings.Join(out, ", ")
}

// Lengths is a list of how many bytes these columns have, 0 for one that is NULL or not there.
func Lengths(has, want []string) string {
	out := make([]string, len(want))
	for i, name := range want {
		out[i] = "0"
		if slices.Contains(has, name) {
			out[i] = "coalesce(octet_length(" + Quote(name) + "), 0)"
		}
	}
	return strings.Join(out, ", ")
}

// Quote is a name as SQL has it.
func Quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// Text is a column that may be NULL: the empty string then.
type Text string

// Scan reads it.
func (t *Text) Scan(value any) error {
	var s sql.NullString
	if err := s.Scan(value); err != nil {
		return fmt.Errorf("reading a column as text: %w", err)
	}
	*t = Text(s.String)
	return nil
}
