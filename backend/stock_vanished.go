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

// outlives tells whether the index has more of a session than the copy that is left of it: what was said after that was made, and is nowhere else.
// Then that is not read in its place, and the session is one that vanished for the index.
func (c *stock) outlives(ctx context.Context, id string, f *sources.Found) bool {
	if !f.FromCopy || f.EarlierOf != "" {
		return false
	}
	row, there, err := c.index.Session(ctx, id)
	if err != nil || !there {
		return false
	}
	d, err := digest.Recall(row.Digest)
	return err == nil && (d.Skip == "" || d.Lines > 0) && d.About.Updated.After(lastOf(f))
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
