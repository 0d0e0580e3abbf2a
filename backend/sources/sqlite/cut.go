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
	text, err := head(p.path(), headerLength)
	if err != nil || len(text) < headerLength || text[:len(magic)] != magic {
		return 0, 0, err // no database: who opens it says so
	}
	number := func(at int) int64 { return int64(binary.BigEndian.Uint32([]byte(text[at:]))) }
	page := int64(binary.BigEndian.Uint16([]byte(text[pageSizeAt:])))
	if page == 1 {
		page = 1 << 16
	}
	if page < 1<<9 || page&(page-1) != 0 {
		return 0, 0, nil // as above
	}
	there := p.state.main.size / page
	if p.state.main.size%page != 0 {
		if err := os.Truncate(p.path(), there*page); err != nil {
			return 0, 0, fmt.Errorf("cutting its copy: %w", err)
		}
		of = there + 1
	}
	// Versions of SQLite before 3.7 don't count the pages, and leave the count of another one as it was.
	if number(changesAt) == number(countedAt) {
		of = max(of, number(pagesAt))
	}
	return max(0, of-there), of, nil
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
		return nil, fmt.Errorf("opening its copy: %w", err)
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
