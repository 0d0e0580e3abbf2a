package backend

import (
	"slices"

	"palimpsest/backend/index"
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

// forgotten follows this program or another one that forgot a session, and tells of it.
func (c *stock) forgotten(id string) {
	c.forget(id)
	c.followed.take(id)
	c.b.news.publish(EventRemoved, id)
}
