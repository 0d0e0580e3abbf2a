package backend

import (
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
// If the other session is not among those that are added up, what was copied is counted in a copy, each record in one: it may be that
// some of it is another copy's own, or that the copies hold different parts. Who the other is, the parent tells that the agent names;
// where it names none, the names of the records do, see [digest.Said]. So nothing tells of copies that an agent writes with other
// times or in the name of the new session, without a word about the old one; where copies have other times, another session that
// began with the same words is taken for the one that is not there; and where a parent that is named was cut short since,
// what only its copies still have is not counted.

// heirsOf are what sessions count of what they inherited, by the session's id.
func heirsOf(all map[string]digested) map[string][]digest.Day {
	orphans, wanted := orphansIn(all)
	counted := map[digest.Said]bool{}
	if len(orphans) > 0 {
		for _, d := range all {
			for name := range d.Said.Each {
				if wanted[name] {
					counted[name] = true
				}
			}
		}
	}
	out := map[string][]digest.Day{}
	for _, id := range orphans {
		copies := all[id].Copies
		for i := range copies {
			if !counted[copies[i].Said] {
				out[id] = append(out[id], copies[i].Day)
			}
		}
		for i := range copies { // only now: one session may say the same twice at a time
			counted[copies[i].Said] = true
		}
	}
	return out
}

// orphansIn are the sessions with copies of what is not there under the name that they know, in order, and the names of those.
func orphansIn(all map[string]digested) (orphans []string, copies map[digest.Said]bool) {
	copies = map[digest.Said]bool{}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		d := all[id]
		if len(d.Copies) == 0 || counts(all, d.About.Imported) || comesFrom(d.Digest) && counts(all, d.About.Parent) {
			continue
		}
		orphans = append(orphans, id)
		for i := range d.Copies {
			copies[d.Copies[i].Said] = true
		}
	}
	return orphans, copies
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
