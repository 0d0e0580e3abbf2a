package opencode

import (
	"context"
	"database/sql"
)

// questions are those that are asked again for each message of a session: what takes longest of one is that SQL is understood. Nil ones
// are asked anew each time.
type questions map[string]*sql.Stmt

func (q questions) rows(ctx context.Context, db *sql.DB, query string, args ...any) (*sql.Rows, error) {
	if q == nil {
		return db.QueryContext(ctx, query, args...) //nolint:wrapcheck // the caller says what it was for
	}
	one := q[query]
	if one == nil {
		var err error
		if one, err = db.PrepareContext(ctx, query); err != nil {
			return nil, err //nolint:wrapcheck // as above
		}
		q[query] = one
	}
	return one.QueryContext(ctx, args...) //nolint:wrapcheck // as above
}

// close lets go of them: the database stays open for others.
func (q questions) close() {
	for _, one := range q {
		_ = one.Close() // it only reads
	}
}
