package backend

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	"palimpsest/backend/digest"
	"palimpsest/backend/index"
)

// digested is a session as the index knows it.
type digested struct {
	*digest.Digest
	ID      string
	Updated time.Time
	Gone    bool
}

// outlived tells that the texts are of what is not there any more, as far as anybody can read: the files are gone, or nothing can be read of
// them since they changed, as when one was emptied.
func (d *digested) outlived() bool {
	return d.Gone || d.Skip == digest.SkipUnreadable && d.Lines > 0
}

// digests are those of all sessions. They are read once, kept in step with what this process writes, and read again when others have
// written.
type digests struct {
	mu     sync.Mutex
	all    map[string]digested
	read   time.Time
	others int64
}

// staleAfter is how old digests may be that another process changes.
const staleAfter = 2 * time.Second

// digests are what the index knows of all sessions, by id. The map is the caller's, the digests are not to be changed.
func (b *Backend) digests(ctx context.Context) (map[string]digested, error) {
	x, err := b.openIndex() //nolint:contextcheck,nolintlint // it stays open, whoever asked first
	if err != nil {
		return nil, err
	}
	c := b.indexing.stock
	c.known.mu.Lock()
	defer c.known.mu.Unlock()
	others, err := x.Others(ctx)
	if err != nil {
		return nil, fmt.Errorf("asking the index: %w", err)
	}
	if c.known.all == nil || others != c.known.others && time.Since(c.known.read) > staleAfter {
		all, err := readDigests(ctx, x)
		if err != nil {
			return nil, fmt.Errorf("asking the index: %w", err)
		}
		c.known.all, c.known.read, c.known.others = all, time.Now(), others
	}
	return maps.Clone(c.known.all), nil
}

// readDigests makes as much garbage as a scan does.
func readDigests(ctx context.Context, x *index.Index) (map[string]digested, error) {
	defer leanly()()
	all := map[string]digested{}
	err := x.EachSession(ctx, func(row *index.Session) {
		decode := digest.Decode
		if row.Gone {
			decode = digest.Recall
		}
		if d, err := decode(row.Digest); err == nil {
			all[row.ID] = digested{d, row.ID, row.Updated, row.Gone}
		}
	})
	return all, err
}

func (c *stock) learn(row index.Session, d *digest.Digest) {
	c.known.mu.Lock()
	defer c.known.mu.Unlock()
	if c.known.all != nil {
		c.known.all[row.ID] = digested{d, row.ID, row.Updated, row.Gone}
	}
}

// forgetAll is for an index that is empty.
func (c *stock) forgetAll() {
	c.known.mu.Lock()
	defer c.known.mu.Unlock()
	c.known.all = nil
}

func (c *stock) forget(id string) {
	c.known.mu.Lock()
	defer c.known.mu.Unlock()
	delete(c.known.all, id)
}
