package backend

import (
	"encoding/binary"
	"hash/fnv"
	"iter"
	"slices"

	"palimpsest/backend/digest"
)

// sift parts what nobody counts yet from what somebody does. Where an agent gave other ids to the rows that it copied, only answers are
// known again: what was asked before one and the results of its calls are known by their places beside it, from there.
type sift struct {
	// counted are the names of what is counted, and names those that matter; nil for all, also those that only hold for copies.
	counted, names map[digest.Said]bool
	// kept are the figures of what is not counted elsewhere, left of what is.
	kept, left []digest.Day
	// compacted are the compactions that are not counted elsewhere.
	compacted compactions
	// asked waits for its answer. Of the last answer, answer are the names, and results how many of its results there were.
	asked   []sifted
	answer  []digest.Said
	results int
}

// sifted is one, with its further names. Behind is one of those by what stands before it, by which one that is own is not known.
type sifted struct {
	digest.Copy
	also   []digest.Said
	behind digest.Said
	own    bool
}

func (s *sifted) answers() bool { return s.Answers > 0 || s.Untold > 0 }

func (s *sifted) asks() bool { return s.Prompts > 0 || s.Messages == 0 }

// withNames are the records with all of their names.
func withNames(each iter.Seq[digest.Copy]) iter.Seq[sifted] {
	return func(yield func(sifted) bool) {
		var next sifted
		for one := range each {
			switch {
			case one.Behind:
				next.behind = one.Said
			case one.Also:
				next.also = append(next.also, one.Said)
			default:
				next.Copy = one
				if !yield(next) {
					return
				}
				next = sifted{}
			}
		}
	}
}

// all takes what is counted of each record, in order.
func (s *sift) all(each iter.Seq[digest.Copy]) {
	for one := range withNames(each) {
		switch {
		case one.answers():
			s.answered(&one)
		case one.asks():
			s.asked, s.answer = append(s.asked, one), nil
		default:
			s.results++
			one.also = append(one.also, places(s.answer, ofResult, s.results)...)
			s.put(&one, s.known(&one))
		}
	}
	s.settle(false)
}

// answered takes an answer, and what was asked before.
func (s *sift) answered(one *sifted) {
	s.answer, s.results = nil, 0
	for _, name := range append([]digest.Said{one.Said}, one.also...) {
		if s.matters(one, name) {
			s.answer = append(s.answer, name)
		}
	}
	count := [ofResult]int{}
	for i := range slices.Backward(s.asked) {
		what := ofCompaction
		if s.asked[i].Prompts > 0 {
			what = ofPrompt
		}
		count[what]++
		s.asked[i].also = append(s.asked[i].also, places(s.answer, what, count[what])...)
	}
	again := s.known(one)
	s.settle(!again)
	s.put(one, again)
}

// settle puts what was asked. The question of an answer that nobody counts yet is no copy, though another one may have been asked in the same
// words behind what was copied.
func (s *sift) settle(own bool) {
	for i := range slices.Backward(s.asked) {
		if own && s.asked[i].Prompts > 0 {
			s.asked[i].own = true
			break
		}
	}
	for i := range s.asked {
		s.put(&s.asked[i], s.known(&s.asked[i]))
	}
	s.asked = s.asked[:0]
}

// What has a place beside an answer.
const (
	ofPrompt = iota
	ofCompaction
	ofResult
)

// places name what stands beside an answer, by each of the names of that.
func places(answer []digest.Said, what, nth int) []digest.Said {
	out := make([]digest.Said, 0, len(answer))
	for _, name := range answer {
		hash := fnv.New64a()
		for _, part := range []uint64{uint64(name), uint64(what), uint64(nth)} { //nolint:gosec // both are small
			_, _ = hash.Write(binary.BigEndian.AppendUint64(nil, part)) // it never fails
		}
		out = append(out, placed|digest.Said(hash.Sum64()))
	}
	return out
}

// placed is what no name of a record has.
const placed = digest.Said(1) << 63

// known tells whether one is counted by any of its names.
func (s *sift) known(one *sifted) bool {
	counted := func(name digest.Said) bool { return s.matters(one, name) && s.counted[name] }
	return counted(one.Said) || !one.own && counted(one.behind) || slices.ContainsFunc(one.also, counted)
}

func (s *sift) matters(one *sifted, name digest.Said) bool {
	return name != 0 && (s.names == nil || name&placed != 0 || !one.Loose && s.names[name])
}

func (s *sift) put(one *sifted, again bool) {
	to := &s.kept
	if again {
		to = &s.left
	} else {
		s.compacted.add(&one.Copy)
	}
	for _, name := range append([]digest.Said{one.Said, one.behind}, one.also...) {
		if s.matters(one, name) {
			s.counted[name] = true
		}
	}
	const many = 1000 // there are as many as days and models, once they are added up
	if *to = append(*to, one.Day); len(*to) >= many {
		*to = digest.MergeDays(*to)
	}
}
