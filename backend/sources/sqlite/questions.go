package sqlite

import (
	"context"
	"database/sql"
)

// Asked is what answers questions: a database, or [Questions] of one.
type Asked interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Questions are those that are asked of a database again and again: what takes longest of a small one is that SQL is understood. They are for
// one goroutine.
type Questions struct {
	db    *sql.DB
	known map[string]*sql.Stmt
}

// QuestionsOf are none yet. They are to be closed.
func QuestionsOf(db *sql.DB) *Questions { return &Questions{db, map[string]*sql.Stmt{}} }

// QueryContext is as a database has it.
func (q *Questions) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	one := q.known[query]
	if one == nil {
		var err error
		if one, err = q.db.PrepareContext(ctx, query); err != nil {
			return nil, err //nolint:wrapcheck // who asks says what it was for
		}
		q.known[query] = one
	}
	return one.QueryContext(ctx, args...) //nolint:wrapcheck // as above
}

// Close lets go of them: the database stays open.
func (q *Questions) Close() {
	for _, one := range q.known {
		_ = one.Close() // it only reads
	}
}
