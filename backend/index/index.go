// Package index is the disposable index: what the library knows of sessions, and a search through their texts.
package index

import (
	"context"
	"iter"
)

// Index is an open index. It may be used by several goroutines, and by several processes at once.
type Index struct {
	dir  string
	opts OpenOptions
}

// Open opens the index in a directory of its own. What is not there is made, and what can't be read, or is of another version,
// is made anew, empty.
func Open(dir string, opts OpenOptions) (*Index, error) {
	return &Index{dir: dir, opts: opts}, nil
}

// Close ends the use of the index.
func (x *Index) Close() error { return nil }

// Put stores a session and its texts in place of all that is there of it. It all becomes visible at once, or not at all.
func (x *Index) Put(ctx context.Context, s Session, texts iter.Seq2[Text, error]) error { return nil }

// Append stores a session's row anew and adds texts to those that are there. It all becomes visible at once, or not at all.
func (x *Index) Append(ctx context.Context, s Session, texts iter.Seq2[Text, error]) error {
	return nil
}

// Touch stores a session's row anew and leaves its texts as they are.
func (x *Index) Touch(ctx context.Context, s Session) error { return nil }

// Remove takes sessions and their texts out. Those that are not there are no error.
func (x *Index) Remove(ctx context.Context, ids ...string) error { return nil }

// Sessions are all rows, with their digests, in no order.
func (x *Index) Sessions(ctx context.Context) ([]Session, error) { return nil, nil }

// Stamps are all rows without their digests, by ID.
func (x *Index) Stamps(ctx context.Context) (map[string]Session, error) { return nil, nil }

// Session is the row of one session, if it is there.
func (x *Index) Session(ctx context.Context, id string) (Session, bool, error) {
	return Session{}, false, nil
}

// Size says how much there is.
func (x *Index) Size(ctx context.Context) (Size, error) { return Size{}, nil }

// Search looks for a query.
func (x *Index) Search(ctx context.Context, q Query, opts Options) (Found, error) {
	return Found{}, nil
}
