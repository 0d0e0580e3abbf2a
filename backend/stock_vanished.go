package backend

import (
	"context"
	"errors"
	"slices"

	"palimpsest/backend/digest"
	"palimpsest/backend/index"
	"palimpsest/backend/library"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// noteVanished takes in which sessions are gone by the index, and tells what another program found out of that: that one is gone, that it is
// back, or that it was forgotten.
func (c *stock) noteVanished(rows map[string]index.Session) {
	var vanished []string
	for id := range rows {
		if rows[id].Gone {
			vanished = append(vanished, id)
		}
	}
	c.mu.Lock()
	before, again := c.vanished, c.asked
	c.vanished, c.asked = vanished, true
	c.mu.Unlock()
	was := make(map[string]bool, len(before))
	for _, id := range before {
		was[id] = true
		row, there := rows[id]
		if !there {
			c.forgotten(id)
		} else if !row.Gone {
			c.b.news.publish(EventChanged, id)
		}
	}
	for _, id := range vanished {
		if again && !was[id] {
			c.b.news.publish(EventChanged, id)
		}
	}
}

// vanishes notes what this program found out itself.
func (c *stock) vanishes(id string, gone bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.vanished = slices.DeleteFunc(c.vanished, func(other string) bool { return other == id })
	if gone {
		c.vanished = append(c.vanished, id)
	}
}

// outlived tells which of the copies that are left of sessions have less than the index, as was found when they were to be read: their rows are
// those of sessions that vanished.
func (c *stock) outlived(ctx context.Context) func(id, stamp string) (bool, error) {
	c.mu.Lock()
	gone := make(map[string]bool, len(c.vanished))
	for _, id := range c.vanished {
		gone[id] = true
	}
	c.mu.Unlock()
	return func(id, stamp string) (bool, error) {
		if !gone[id] {
			return false, nil
		}
		row, there, err := c.index.Session(ctx, id)
		if err != nil || !there {
			return false, err
		}
		return outlives(&row, stamp), nil
	}
}

// outlives tells whether a row has more than the copy with that stamp.
func outlives(row *index.Session, stamp string) bool {
	d, err := digest.Recall(row.Digest)
	return err == nil && row.Gone && d.Outlives != "" && sameStamp(d.Outlives, stamp)
}

// staysBeside has the index keep what it has of a session of which only a copy is left that has less: what was said after that was made is nowhere
// else. The session is one that vanished, then.
func (c *stock) staysBeside(ctx context.Context, row *index.Session, found *sources.Found) (stays bool, err error) {
	before, err := digest.Recall(row.Digest)
	if err != nil || before.Lines == 0 {
		return false, nil //nolint:nilerr // nothing is known of it
	}
	less, err := c.hasLess(ctx, found, before)
	if err != nil || !less {
		return false, err
	}
	whole, there, err := c.index.Session(ctx, row.ID)
	if err != nil || !there {
		return false, faulty(err)
	}
	before.Outlives = row.Stamp
	whole.Digest = before.Encode()
	if err := c.index.Touch(ctx, whole); errors.Is(err, index.ErrChanged) {
		return true, nil // another program is at it, and the next look tells what became of it
	} else if err != nil {
		return false, faulty(err)
	}
	return true, faulty(c.Gone(ctx, whole, true))
}

// hasLess tells whether a copy has less of a session than was known of that.
func (c *stock) hasLess(ctx context.Context, found *sources.Found, before *digest.Digest) (less bool, err error) {
	err = c.b.library.Pass(ctx, *found, nil, func(p library.Pass) error {
		if at := before.Continue; at != nil {
			if begins, err := at.Begins(p.Log, p.Size); err != nil || begins {
				return err
			}
		}
		// It may have been read by another version, in other words.
		now, err := digest.Read(p.Log, p.Size, digest.Options{About: aboutTheirs(found)}, nil)
		if err == nil {
			less = now.Lines < before.Lines || now.Messages < before.Messages || before.About.Updated.After(now.About.Updated)
		}
		return err
	})
	return less, err
}

// wanted tells whether what was read of a session is still to be stored: it is not if that was forgotten since it was listed, and is not back.
// One that vanished meanwhile is: nothing else has its texts.
func (c *stock) wanted(ctx context.Context, id string) bool {
	ref, err := library.ParseRef(id)
	if err != nil || !library.IsRef(id) || c.b.library == nil {
		return true
	}
	c.mu.Lock()
	since := c.forgets
	if c.theirs[id].found == nil {
		since = c.went[id]
	}
	c.mu.Unlock()
	return !c.b.lastList.forgets.Since(since, id) || !errors.Is(c.b.library.Readable(ctx, ref), session.ErrNotFound)
}

// forgotten follows this program or another one that forgot a session, and tells of it.
func (c *stock) forgotten(id string) {
	c.forget(id)
	c.followed.take(id)
	c.b.news.publish(EventRemoved, id)
}
