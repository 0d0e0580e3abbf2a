package backend

import (
	"cmp"
	"maps"
	"slices"

	"palimpsest/backend/digest"
	"palimpsest/backend/sources"
)

// What a session holds of another one, since it was forked, continued or imported from it, is counted there, once. Which records that
// are is known from what the agent says of them, from how far a fork of ours goes, and from times: what was said before a session
// was there was said in another.
//
// So is the session itself: one that holds nothing but what is counted elsewhere, such as an import that was not continued, is on the list
// and is no second conversation, nor one that does not tell what it took. It becomes one with the first thing said in it, and that is
// what it counts, under its own agent.
//
// If the other session is not in the index, one of those that hold a copy counts it: that with the most. Who the other is, the parent
// tells that the agent names or, where it names none, that both begin with the same message, of the same time. So nothing tells of
// copies that an agent writes with other times or in the name of the new session, without a word about the old one; and where the
// original was cut short since, what only its copies still have is not counted.

// heirsOf are the sessions that count what they inherited.
func heirsOf(all map[string]digested) map[string]bool {
	originals := map[string]bool{}
	for _, d := range all {
		if d.Begin != "" && len(d.Inherited) == 0 {
			originals[d.Begin] = true
		}
	}
	heirs := map[string]string{} // by what they began with
	for _, id := range slices.Sorted(maps.Keys(all)) {
		d := all[id]
		if len(d.Inherited) == 0 || counts(all, d.About.Imported) || comesFrom(d.Digest) && counts(all, d.About.Parent) || originals[d.Begin] {
			continue
		}
		key := cmp.Or(d.Begin, d.About.Imported, d.About.Parent, id)
		if rival, ok := heirs[key]; !ok || inherited(d.Digest) > inherited(all[rival].Digest) {
			heirs[key] = id
		}
	}
	out := map[string]bool{}
	for _, id := range heirs {
		out[id] = true
	}
	return out
}

// counts tells whether a session is there and was read.
func counts(all map[string]digested, id string) bool {
	d, ok := all[id]
	return ok && d.Skip == ""
}

// comesFrom tells of a session that holds what its parent does: that of a subagent does not.
func comesFrom(d *digest.Digest) bool {
	return d.About.Relation == string(sources.Fork) || d.About.Relation == string(sources.Continuation)
}

func inherited(d *digest.Digest) (messages int) {
	for i := range d.Inherited {
		messages += d.Inherited[i].Messages
	}
	return messages
}
