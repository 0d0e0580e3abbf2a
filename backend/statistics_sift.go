package backend

import (
	"iter"
	"slices"

	"palimpsest/backend/digest"
)

// sift parts what nobody counts yet from what somebody does. Where an agent gave other ids to the rows that it copied, only answers are
// known again: what was asked before one that was copied was copied, too, and so were the results of its calls.
type sift struct {
	// counted are the names of what is counted, and names those that matter; nil for all, also those that only hold for copies.
	counted, names map[digest.Said]bool
	// kept are the figures of what is not counted elsewhere, left of what is.
	kept, left []digest.Day
	// compacted are the compactions that are not counted elsewhere.
	compacted compactions
	// asked waits for its answer; again tells that the last answer was counted before.
	asked []sifted
	again bool
	// also are further names of the next one.
	also []digest.Said
}

// sifted is one, with its further names.
type sifted struct {
	digest.Copy
	also []digest.Said
}

// all takes what is counted of each record, in order.
func (s *sift) all(each iter.Seq[digest.Copy]) {
	for one := range each {
		if one.Also {
			s.also = append(s.also, one.Said)
			continue
		}
		next := sifted{one, s.also}
		s.also = nil
		switch {
		case one.Answers > 0 || one.Untold > 0:
			s.again = s.known(&next)
			s.settle(s.again)
			s.put(&next, s.again)
		case one.Prompts > 0 || one.Messages == 0:
			s.again = false
			s.asked = append(s.asked, next)
		default:
			s.put(&next, s.again || s.known(&next))
		}
	}
	s.settle(false)
}

// settle puts what was asked where its answer is.
func (s *sift) settle(again bool) {
	for i := range s.asked {
		s.put(&s.asked[i], again || s.known(&s.asked[i]))
	}
	s.asked = s.asked[:0]
}

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

// known tells whether one is counted by any of its names.
func (s *sift) known(one *sifted) bool {
	counted := func(name digest.Said) bool { return s.matters(one, name) && s.counted[name] }
	return counted(one.Said) || slices.ContainsFunc(one.also, counted)
}

func (s *sift) matters(one *sifted, name digest.Said) bool {
	return s.names == nil || !one.Loose && s.names[name]
}

func (s *sift) put(one *sifted, again bool) {
	to := &s.kept
	if again {
		to = &s.left
	} else {
		s.compacted.add(&one.Copy)
	}
	count := func(name digest.Said) {
		if s.matters(one, name) {
			s.counted[name] = true
		}
	}
	count(one.Said)
	for _, name := range one.also {
		count(name)
	}
	const many = 1000 // there are as many as days and models, once they are added up
	if *to = append(*to, one.Day); len(*to) >= many {
		*to = digest.MergeDays(*to)
	}
}
