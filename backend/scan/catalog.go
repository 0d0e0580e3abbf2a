package scan

import (
	"context"
	"time"

	"palimpsest/backend/index"
)

// Item is a session that is there.
type Item struct {
	ID string
	// Stamp says what it is like now. It is read again when this is another one.
	Stamp   string
	Updated time.Time
	Bytes   int64
}

// Listing is all sessions.
type Listing struct {
	Items []Item
	// Vanished tells whether a session that is not among them is gone: not so if it could not be looked for.
	Vanished func(id string) bool
}

// Catalog is where sessions come from, and what is made of them.
type Catalog interface {
	// Rows are what the index has, by id, of all sessions or, if only is not nil, at least of these.
	Rows(ctx context.Context, only []string) (map[string]index.Session, error)
	// List looks for the sessions that there are, all of them. Before each that takes long it asks further whether to go on, and looks at no
	// more of those if not.
	List(ctx context.Context, further func() bool) (Listing, error)
	// Look says what sessions are like now that were listed before. One that is not there any more is left out.
	Look(ctx context.Context, ids []string) ([]Item, error)
	// Read reads a session into the index. It calls pass now and then, and ends with its error.
	Read(ctx context.Context, item Item, pass func() error) error
	// Skip notes that a session could not be read, so that it is tried again only when it has changed.
	Skip(ctx context.Context, item Item, why error) error
	// Settle writes what Read and Skip have put off, so as to write it together.
	Settle(ctx context.Context) error
	// Gone notes that a session vanished, or is back as it was.
	Gone(ctx context.Context, row index.Session, gone bool) error
	// Restore puts back what is left of an index that had to be begun anew, before anything is compared with it. It calls pass before each
	// session, and ends with its error; where nothing is left to put back, it does nothing.
	Restore(ctx context.Context, pass func() error) error
	// Clear has everything be read again, from its beginning.
	Clear(ctx context.Context) error
}
