package openclaw

import (
	"slices"

	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
	"palimpsest/backend/sources/jsonl"
)

// foresight is what the end of a session decides about what stands before it: the request that comes next has it so.
type foresight struct {
	// quiet are the entries of heartbeats to which nothing was to be said.
	quiet map[int]bool
	// newest is the newest answer.
	newest int
	// next are the habits of the model that the session goes on with, as far as it tells.
	next habits
}

// meant is what an entry is to a heartbeat before it.
type meant byte

const (
	kindNothing meant = iota // no request has it
	kindUser
	kindBeat
	kindAck    // all is well
	kindTells  // a person is to be told
	kindSilent // a person is not to be told
	kindCalls
	kindResult
	kindAnswer
	kindOther
)

// seer goes through a session for what its end decides.
type seer struct {
	tree  tree
	kinds many.List[meant] // of the entries of the tree
	// to are the habits of the model that each of them goes on with: its own or, if it tells of none, that of the one before it.
	to many.List[habits]
}

// foresees is what is decided where the session ends behind what was seen of it.
func (s *seer) foresees() foresight {
	f := foresight{newest: none}
	if s.tree.leaf != none {
		f.next = s.to.At(s.tree.leaf)
	}
	var path many.List[int32]
	for at := s.tree.leaf; at != none; at = s.tree.parent(at) {
		k := s.kinds.At(at)
		if k == kindNothing {
			continue
		}
		if f.newest == none && k >= kindAck && k != kindResult && k != kindOther {
			f.newest = at
		}
		path.Add(int32(at))
	}
	f.quiet = s.quiet(&path, f.next.joins)
	return f
}

// stands tells whether what was decided before says the same of so many entries.
func (f foresight) stands(before foresight, entries int) bool {
	newest := f.newest == before.newest || f.next.known && !f.next.forgets
	quiet := 0
	for at := range f.quiet {
		if at < entries {
			quiet++
		}
		if at < entries && !before.quiet[at] {
			return false
		}
	}
	return newest && quiet == len(before.quiet) && f.next == before.next
}

func (s *seer) event(rec gjson.Result) error {
	switch name := jsonl.Text(rec.Get("type")); {
	case name == "session":
	case name == "leaf":
		s.tree.move(rec)
	case !canonical(name):
		s.tree.pass(rec)
	default:
		at := s.tree.add(rec)
		for s.kinds.Len() < at { // of those that stand for another
			s.kinds.Add(kindNothing)
			s.to.Add(habits{})
		}
		s.kinds.Add(meaning(name, rec))
		to := recipientOf(name, rec).habits()
		if parent := s.tree.parent(at); !to.known && parent != none {
			to = s.to.At(parent)
		}
		s.to.Add(to)
	}
	return nil
}

// recipientOf is the model that an entry tells of; none if it tells of none.
func recipientOf(name string, rec gjson.Result) recipient {
	message := rec.Get("message")
	switch {
	case name == "custom" && rec.Get("customType").Str == "model-snapshot":
		return recipient{jsonl.Text(rec.Get("data.modelApi")), jsonl.Text(rec.Get("data.provider")), jsonl.Text(rec.Get("data.modelId"))}
	case name == "message" && message.Get("role").Str == "assistant" && !mirrored(message):
		return answered(message)
	}
	return recipient{}
}

// meaning is what an entry is to a heartbeat before it.
func meaning(name string, rec gjson.Result) meant {
	message := rec.Get("message")
	switch {
	case name == "compaction", name == "reset", name == "custom_message", name == "branch_summary" && jsonl.Text(rec.Get("summary")) != "":
		return kindOther
	case name != "message", aside(message) && notSent(message) == "":
		return kindNothing
	}
	switch role := message.Get("role").Str; {
	case role == "user" && isBeat(message):
		return kindBeat
	case role == "user":
		return kindUser
	case role == "toolResult":
		return kindResult
	case role != "assistant":
		return kindOther
	}
	if is, tells := responds(message); tells {
		return kindTells
	} else if is {
		return kindSilent
	}
	switch {
	case hasCalls(message):
		return kindCalls
	case acknowledges(message):
		return kindAck
	}
	return kindAnswer
}

func hasCalls(message gjson.Result) (has bool) {
	message.Get("content").ForEach(func(_, block gjson.Result) bool {
		has = block.Get("type").Str == "toolCall"
		return !has
	})
	return has
}

// quiet finds the heartbeats on a path to which nothing was to be said. Where what a user says at once again becomes one message, a heartbeat
// beside another one is none: its text is not alone there.
func (s *seer) quiet(path *many.List[int32], joins bool) map[int]bool {
	all := map[int]bool{}
	kind := func(i int) meant { return s.kinds.At(at(path, i)) }
	is := func(i int, kinds ...meant) bool {
		return i >= 0 && i < path.Len() && slices.Contains(kinds, kind(i))
	}
	for i := 0; i < path.Len(); {
		if !is(i, kindBeat) || joins && (is(i-1, kindUser, kindBeat) || is(i+1, kindUser, kindBeat)) {
			i++
			continue
		}
		end := i + 1
		for !is(end, kindUser, kindBeat) && end < path.Len() {
			end++
		}
		if unsaid(i+1, end, kind) {
			for ; i < end; i++ {
				all[at(path, i)] = true
			}
		}
		i = end
	}
	return all
}

// at is the entry at a place of a path, which is a list from its end.
func at(path *many.List[int32], i int) int { return int(path.At(path.Len() - 1 - i)) }

// unsaid tells of what followed a heartbeat, from one place up to another, whether nothing was said to a person.
func unsaid(from, to int, kind func(i int) meant) bool {
	said, ended := false, false
	for i := from; i < to; i++ {
		switch k := kind(i); {
		case k == kindAck, k == kindSilent:
			ended = true
		case k == kindTells:
			if i+1 < to && kind(i+1) == kindResult {
				return false
			}
		case k == kindAnswer:
			said = true
		case k == kindOther && !ended:
			return false
		}
	}
	return ended || !said
}
