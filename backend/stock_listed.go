package backend

import (
	"maps"
	"time"

	"palimpsest/backend/library"
	"palimpsest/backend/sources"
)

// listed is a session of another agent as it was found, and its stamp.
type listed struct {
	found *sources.Found
	stamp string
	// outlived tells that the index has more of it than the copy that is left, and keeps that.
	outlived bool
}

// take takes in what was found, and returns the sessions of other agents in the listing before, nil if there was none.
func (c *stock) take(own map[string]time.Time, theirs map[string]listed, forgets int64) (before map[string]listed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before = c.theirs
	for id := range before {
		if theirs[id].found == nil {
			c.went[id] = c.forgets
		}
	}
	maps.DeleteFunc(c.went, func(id string, _ int64) bool { return theirs[id].found != nil })
	c.own, c.theirs, c.forgets = own, theirs, forgets
	c.listed++
	return before
}

// listing are the sessions of other agents, by the listing with this number, 0 for none; nothing if it is the one that is known.
func (c *stock) listing(known int) ([]*sources.Found, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.listed == known {
		return nil, known
	}
	found := make([]*sources.Found, 0, len(c.theirs))
	for _, one := range c.theirs {
		found = append(found, one.found)
	}
	return found, c.listed
}

// listedAs is the stamp of a session of another agent in the last listing, empty if it is not in that.
func (c *stock) listedAs(id string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.theirs[id].stamp
}

// filesOf are the files of a session of another agent, by the last listing.
func (c *stock) filesOf(id string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found := c.theirs[id].found; found != nil {
		return found.Files
	}
	return nil
}

// holder is the session that a file is named for in which one of another agent stands, as a rule that one itself.
func (c *stock) holder(ref library.Ref) library.Ref {
	c.mu.Lock()
	defer c.mu.Unlock()
	if found := c.theirs[ref.String()].found; found != nil && found.Within != "" {
		ref.ID = found.Parent
	}
	return ref
}

// troubled tells whether a session of another agent could not be read when it was found.
func (c *stock) troubled(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	found := c.theirs[id].found
	return found != nil && found.Problem != ""
}
