package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// A database may lack pages: its file was cut, or a part of it was written over. Where one of an index is missing the rows may still be
// in the table, and where one of the table is, those on either side of it.

// Each visits the rows of a query, until one can't be read.
func Each(ctx context.Context, db Asked, visit func(scan func(...any) error) error, query string, args ...any) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return fmt.Errorf("reading rows: %w", err)
	}
	for err == nil && rows.Next() {
		err = visit(rows.Scan)
	}
	return errors.Join(err, rows.Err(), rows.Close())
}

// EachText is [Each] of rows with so many columns, all of them texts.
func EachText(ctx context.Context, db Asked, columns int, visit func(row []string), query string, args ...any) error {
	return Each(ctx, db, func(scan func(...any) error) error {
		texts, into := make([]Text, columns), make([]any, columns)
		for i := range texts {
			into[i] = &texts[i]
		}
		if err := scan(into...); err != nil {
			return err
		}
		row := make([]string, columns)
		for i, text := range texts {
			row[i] = string(text)
		}
		visit(row)
		return nil
	}, query, args...)
}

// FromEnds visits rows of a table in the order they stand in and, if one can't be read, once more in the other order; query is without
// an order. What it returns then is why: rows between those that it comes to from either end are not visited.
func FromEnds(ctx context.Context, db *sql.DB, visit func(scan func(...any) error) error, query string, args ...any) error {
	err := Each(ctx, db, visit, query+" ORDER BY rowid", args...)
	if err != nil && ctx.Err() == nil {
		_ = Each(ctx, db, visit, query+" ORDER BY rowid DESC", args...) // it ends where the first one did, or before
	}
	return err
}
