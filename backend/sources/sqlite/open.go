package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
)

// hold makes a copy, used once.
func hold(ctx context.Context, temp, path string) (*shared, error) {
	p, err := take(ctx, temp, path, nil)
	if err != nil {
		return nil, fmt.Errorf("reading the database %s: %w", path, err)
	}
	return p.held(ctx, path)
}

// held opens a copy of the database at path, used once.
func (p private) held(ctx context.Context, path string) (*shared, error) {
	db, err := open(ctx, p)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("reading the database %s: %w", path, err), p.remove())
	}
	return &shared{private: p, db: db, uses: 1}, nil
}

// access is how a copy is opened so that nothing is written into its main file, but for a change that a crash left half done.
func (p private) access() url.Values {
	params := url.Values{}
	switch {
	case p.state.journal.size > 0:
		params.Set("mode", "rw")
	case p.state.wal.size > 0:
		params.Set("mode", "ro")
	default:
		params.Set("mode", "ro")
		params.Set("immutable", "1")
	}
	return params
}

// errEmpty is returned where SQLite would find nothing, and throw away what was written last.
var errEmpty = errors.New("its file is empty, and what its log has can't be read without it")

// open opens a copy.
func open(ctx context.Context, p private) (Database, error) {
	if p.state.main.size == 0 && p.state.wal.size > walHeader {
		return Database{}, errEmpty
	}
	missing, of, err := p.cut()
	if err == nil && missing > 0 && missing == of && p.state.wal.size <= walHeader {
		err = errCut(missing, of) // SQLite takes it for an empty one
	}
	if err != nil {
		return Database{}, err
	}
	params := p.access()
	// What a schema of somebody else's calls is not trusted, and nothing is changed by mistake.
	params["_pragma"] = []string{"trusted_schema(0)", "query_only(1)", "busy_timeout(2000)"}
	connect, probe := opened, "SELECT count(*) FROM sqlite_schema"
	if missing > 0 { // SQLite takes nothing out of a file that is too short, unless it is told that the schema may be damaged
		params["_pragma"] = append(params["_pragma"], "writable_schema(1)")
		connect, probe = tolerantly, "SELECT EXISTS (SELECT 1 FROM sqlite_schema)"
	}
	db, err := connect(address(p.path(), params))
	if err != nil {
		return Database{}, err
	}
	db.SetMaxOpenConns(4)
	var counted int
	if err := db.QueryRowContext(ctx, probe).Scan(&counted); err != nil {
		return Database{}, errors.Join(fmt.Errorf("opening its copy: %w", err), db.Close())
	}
	out := Database{DB: db, passes: &passes{}}
	if missing > 0 && p.state.wal.size <= walHeader && p.state.journal.size == 0 { // else the missing pages may be in those
		out.Cut = errCut(missing, of)
	}
	return out, nil
}

func opened(address string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", address)
	if err != nil {
		return nil, fmt.Errorf("opening it: %w", err)
	}
	return db, nil
}

// address is how the driver wants to hear of a file, whatever characters are in its name.
func address(path string, params url.Values) string {
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: params.Encode()}
	return u.String()
}
