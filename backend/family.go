package backend

import (
	"palimpsest/backend/library"
	"palimpsest/backend/sources"
)

// children are the sessions that others started.
type children struct {
	there map[library.Ref]*sources.Found
	of    map[library.Ref]int
}

func childrenOf(some ...[]*sources.Found) children {
	count := 0
	for _, found := range some {
		count += len(found)
	}
	c := children{make(map[library.Ref]*sources.Found, count), map[library.Ref]int{}}
	for _, found := range some {
		for _, f := range found {
			c.there[library.Ref{Agent: f.Agent, ID: f.ID}] = f
		}
	}
	for _, found := range some {
		for _, f := range found {
			if c.hides(f) {
				c.of[library.Ref{Agent: f.Agent, ID: f.Parent}]++
			}
		}
	}
	return c
}

// hides tells that lists leave a session out: it stands below the one that started it. Damaged files may say that sessions started each
// other: those are on lists, or nobody would come to them.
func (c children) hides(found *sources.Found) bool {
	above := c.above(found)
	for at, steps := above, 0; at != nil; at, steps = c.above(at), steps+1 {
		if at.ID == found.ID {
			return false
		}
		if steps > len(c.there) { // into a circle that it is no part of
			break
		}
	}
	return above != nil
}

// descend are the sessions below one, however deep.
func (c children) descend(ref library.Ref) []library.Ref {
	var out []library.Ref
	for one, found := range c.there {
		steps := 0
		for at := c.above(found); at != nil && one != ref && steps <= len(c.there); at, steps = c.above(at), steps+1 {
			if (library.Ref{Agent: at.Agent, ID: at.ID}) == ref {
				out = append(out, one)
				break
			}
		}
	}
	return out
}

// above is the session that started one, nil if none did or it is not there.
func (c children) above(found *sources.Found) *sources.Found {
	if found.Relation != sources.Subagent {
		return nil
	}
	return c.there[library.Ref{Agent: found.Agent, ID: found.Parent}]
}
