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

// unread tells that nothing was ever read of it: what its figures say is not known, and not 0.
func (d *digested) unread() bool {
	return d.Lines == 0 && (d.Skip == digest.SkipUnreadable || d.Skip == digest.SkipTooLarge)
}

// digests are those of all sessions. They are read once, those again that this process has written, and all when others have.
type digests struct {
	mu     sync.Mutex
	all    map[string]digested
	read   time.Time
	others int64
	opened int64 // how often the index had been opened: another file has what it has, and not what that before it had
	// changed are those that this process has written since.
	changed map[string]bool
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
	opened, err := x.Opened(ctx)
	if err != nil {
		return nil, fmt.Errorf("asking the index: %w", err)
	}
	others, err := x.Others(ctx)
	if err != nil {
		return nil, fmt.Errorf("asking the index: %w", err)
	}
	if c.known.all == nil || opened != c.known.opened || others != c.known.others && time.Since(c.known.read) > staleAfter {
		all, err := readDigests(ctx, x, nil, nil)
		if err != nil {
			return nil, fmt.Errorf("asking the index: %w", err)
		}
		c.known.all, c.known.changed, c.known.read, c.known.others, c.known.opened = all, map[string]bool{}, time.Now(), others, opened
	}
	if err := c.known.catchUp(ctx, x); err != nil {
		return nil, fmt.Errorf("asking the index: %w", err)
	}
	return maps.Clone(c.known.all), nil
}

// catchUp reads those again that changed.
func (k *digests) catchUp(ctx context.Context, x *index.Index) error {
	for id := range k.changed {
		row, there, err := x.Whole(ctx, id)
		if err != nil {
			return err
		}
		delete(k.all, id)
		if d, err := digestOf(&row); err == nil && there {
			k.all[id] = digested{d, id, row.Updated, row.Gone}
		}
		delete(k.changed, id)
	}
	return nil
}

// readDigests are those of the sessions that are wanted, of all if there is no such rule, without what cut takes out of each, if it is not nil.
// They make as much garbage as a scan does.
func readDigests(ctx context.Context, x *index.Index, wanted func(id string) bool, cut func(*digest.Digest)) (map[string]digested, error) {
	defer leanly()()
	all := map[string]digested{}
	err := x.EachWhole(ctx, func(row *index.Session) {
		if wanted != nil && !wanted(row.ID) {
			return
		}
		if d, err := digestOf(row); err == nil {
			if cut != nil {
				cut(d)
			}
			all[row.ID] = digested{d, row.ID, row.Updated, row.Gone}
		}
	})
	return all, err
}

// digestOf is all that a row says.
func digestOf(row *index.Session) (*digest.Digest, error) {
	decode := digest.Decode
	if row.Gone {
		decode = digest.Recall
	}
	d, err := decode(row.Digest)
	if err == nil {
		d.Rejoin(row.Pieces)
	}
	return d, err
}

// changes notes that the row of a session was written.
func (c *stock) changes(id string) {
	c.known.mu.Lock()
	defer c.known.mu.Unlock()
	if c.known.all != nil {
		c.known.changed[id] = true
	}
}

// forgetAll is for an index that is empty.
func (c *stock) forgetAll() {
	c.known.mu.Lock()
	defer c.known.mu.Unlock()
	c.known.all = nil
}

func (c *stock) forget(id string) {
	c.unrelate(id)
	c.known.mu.Lock()
	defer c.known.mu.Unlock()
	delete(c.known.all, id)
	delete(c.known.changed, id)
}
