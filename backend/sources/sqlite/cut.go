package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"os"

	sqlite "modernc.org/sqlite"
)

// Database is an open copy.
type Database struct {
	*sql.DB
	// Cut says that the end of the file is missing, and how much; nil if it is whole. What leads to a page that is not there fails then,
	// and nothing else does: rows are whole or an error.
	Cut error

	passes *passes
}

// Why adds to an error that the file was cut.
func (d Database) Why(err error) error {
	if err == nil || d.Cut == nil {
		return err
	}
	return fmt.Errorf("%w; %w", err, d.Cut)
}

// cut takes a page of which only the beginning is there off a copy, for SQLite would fill it with zeros and read rows out of them, and
// tells how many pages are missing.
func (p private) cut() (missing, of int64, err error) {
	page := pageOf(p.state.header)
	if page == 0 {
		return 0, 0, nil // no database: who opens it says so
	}
	if there := p.state.main.size / page * page; there < p.state.main.size {
		if err := os.Truncate(p.path(), there); err != nil {
			return 0, 0, fmt.Errorf("cutting its copy: %w", err)
		}
	}
	missing, of = missingOf(p.state.header, p.state.main.size)
	return missing, of, nil
}

// pageOf is how long the pages of a database are that has this header; 0 if it is none.
func pageOf(header string) int64 {
	if len(header) < headerLength || header[:len(magic)] != magic {
		return 0
	}
	page := int64(binary.BigEndian.Uint16([]byte(header[pageSizeAt:])))
	if page == 1 {
		page = 1 << 16
	}
	if page < 1<<9 || page&(page-1) != 0 {
		return 0
	}
	return page
}

// missingOf says how many pages a database of this header and this size lacks, and how many it should have.
func missingOf(header string, size int64) (missing, of int64) {
	page := pageOf(header)
	if page == 0 {
		return 0, 0
	}
	number := func(at int) int64 { return int64(binary.BigEndian.Uint32([]byte(header[at:]))) }
	there := size / page
	of = (size + page - 1) / page
	// Versions of SQLite before 3.7 don't count the pages, and leave the count of another one as it was.
	if number(changesAt) == number(countedAt) {
		of = max(of, number(pagesAt))
	}
	return of - there, of
}

// errCut says how much is missing.
func errCut(missing, of int64) error {
	return fmt.Errorf("the file was cut: %d of its %d pages are missing; what is left is shown", missing, of)
}

// What is read of the header of a database: how long a page is, how often it was changed, how many pages there are, and at which change
// they were counted.
const (
	magic        = "SQLite format 3\x00"
	pageSizeAt   = 16
	changesAt    = 24
	pagesAt      = 28
	countedAt    = 92
	headerLength = 100
)

// tolerant connects to a database of which a part is missing, so that what is there can be asked for.
type tolerant struct{ driver.Connector }

func tolerantly(address string) (*sql.DB, error) {
	connector, err := sqlite.NewConnector(address)
	if err != nil {
		return nil, fmt.Errorf("opening it: %w", err)
	}
	return sql.OpenDB(tolerant{connector}), nil
}

// Connect is that of [driver.Connector]. If a part of the schema is missing, the first statement of a connection fails, and those after
// it have the rest.
func (t tolerant) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := t.Connector.Connect(ctx)
	if err != nil {
		return nil, err //nolint:wrapcheck // of the same driver, to database/sql
	}
	if first, err := conn.Prepare("SELECT 1 FROM sqlite_schema"); err == nil {
		return conn, first.Close() //nolint:wrapcheck // as above
	}
	return conn, nil
}
