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
// times or in the name of the new session, without a word about the old one or ids that are in both; where copies have other times,
// another session that began with the same words is taken for the one that is not there.
//
// What a copy has behind the last record of a parent that is named, and that was cut short since, is counted in the copy as well. If
// something else was said in the parent then, nothing tells of that.

// heirsOf are what sessions count of what they inherited, by the session's id.
func heirsOf(all map[string]digested) map[string][]digest.Day {
	heirs, copies, wanted := orphansIn(all)
	counted := map[digest.Said]bool{}
	if len(heirs) > 0 {
		for _, d := range all {
			for name := range d.Said.Each {
				if wanted[name] {
					counted[name] = true
				}
			}
		}
	}
	out := map[string][]digest.Day{}
	for _, id := range heirs {
		copies := copies[id]
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

// orphansIn are the sessions with copies of what is not there under the name that they know, in order, those copies, and their names.
func orphansIn(all map[string]digested) (heirs []string, copies map[string][]digest.Copy, names map[digest.Said]bool) {
	copies, names = map[string][]digest.Copy{}, map[digest.Said]bool{}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		orphans := all[id].Copies
		if d := all[id]; counts(all, d.About.Imported) {
			orphans = cutOff(all[d.About.Imported].Digest, orphans)
		} else if comesFrom(d.Digest) && counts(all, d.About.Parent) {
			orphans = cutOff(all[d.About.Parent].Digest, orphans)
		}
		if len(orphans) == 0 {
			continue
		}
		heirs, copies[id] = append(heirs, id), orphans
		for i := range orphans {
			names[orphans[i].Said] = true
		}
	}
	return heirs, copies, names
}

// cutOff are the copies of a session that stand behind the last record that this has now.
func cutOff(from *digest.Digest, copies []digest.Copy) []digest.Copy {
	var last digest.Said
	for name := range from.Said.Each {
		last = name
	}
	at := slices.IndexFunc(copies, func(c digest.Copy) bool { return c.Said == last })
	if at < 0 {
		return nil
	}
	for at < len(copies) && copies[at].Said == last { // the same twice at a time
		at++
	}
	return copies[at:]
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
