package backend

import "palimpsest/backend/digest"

// compactions are how many of each name count in a session.
type compactions map[digest.Said]int

func (c *compactions) add(one *digest.Copy) {
	if one.Compactions == 0 {
		return
	}
	if *c == nil {
		*c = compactions{}
	}
	(*c)[one.Said] += one.Compactions
}

// takes tells whether one of a name counts that was not asked for yet.
func (c compactions) takes(name digest.Said) bool {
	counts := c[name] > 0
	if counts {
		c[name]--
	}
	return counts
}
