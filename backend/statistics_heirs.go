package backend

import (
	"iter"
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
// Copies that have the same names as what was copied need none of that: of those, each counts where no session has it as its own.
//
// What a copy has behind the last record of a parent that is named, and that was cut short since, is counted in the copy as well. If
// something else was said in the parent then, nothing tells of that. So is what an import has before the first record that its original still has.

// heir is a session with copies of what is not there under the name that it knows.
type heir struct {
	id     string
	copies iter.Seq[digest.Copy]
	// same tells that their names are those of what was copied.
	same bool
}

// heirsOf are what sessions count of what they inherited, by the session's id, and the compactions among it.
func heirsOf(all map[string]digested) (map[string][]digest.Day, map[string]compactions) {
	heirs, wanted := orphansIn(all)
	counted := map[digest.Said]bool{}
	if len(heirs) > 0 {
		for _, d := range all {
			count(d.Digest, wanted, counted)
		}
	}
	out, compacted := map[string][]digest.Day{}, map[string]compactions{}
	for _, h := range heirs {
		if h.same {
			s := sift{counted: counted}
			if s.all(h.copies); len(s.kept) > 0 {
				out[h.id], compacted[h.id] = digest.MergeDays(s.kept), s.compacted
			}
			continue
		}
		if days, of := notCounted(h.copies, counted); len(days) > 0 {
			out[h.id], compacted[h.id] = days, of
		}
		for c := range h.copies { // only now: one session may say the same twice at a time
			counted[c.Said] = true
		}
	}
	return out, compacted
}

// count notes which of some names a session counts, and the places beside its answers that have one.
func count(d *digest.Digest, names, counted map[digest.Said]bool) {
	some := false
	for name := range d.Said.Each {
		if names[name] {
			counted[name], some = true, true
		}
	}
	if some {
		s := sift{counted: counted, names: names}
		s.all(parts(d))
	}
}

// notCounted are the figures of the copies that nobody counts, and their compactions.
func notCounted(copies iter.Seq[digest.Copy], counted map[digest.Said]bool) (days []digest.Day, compacted compactions) {
	const many = 1000 // there are as many as days and models, once they are added up
	for c := range copies {
		if counted[c.Said] || c.Also {
			continue
		}
		compacted.add(&c)
		if days = append(days, c.Day); len(days) >= many {
			days = digest.MergeDays(days)
		}
	}
	return digest.MergeDays(days), compacted
}

// orphansIn are the heirs, in order, and the names of their copies.
func orphansIn(all map[string]digested) (heirs []heir, names map[digest.Said]bool) {
	names = map[digest.Said]bool{}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		d := all[id]
		if len(d.Copies) == 0 {
			continue
		}
		orphans, same := iter.Seq[digest.Copy](d.Copies.Each), sameNames(d.Copies)
		if counts(all, d.About.Imported) {
			orphans = lostOf(all[d.About.Imported].Digest, orphans)
		} else if comesFrom(d.Digest) && counts(all, d.About.Parent) && (!same || all[d.About.Parent].Version < digest.Version) {
			orphans = cutOff(all[d.About.Parent].Digest, orphans)
		}
		some := false
		for c := range orphans {
			names[c.Said], some = true, true
		}
		if some {
			heirs = append(heirs, heir{id, orphans, same})
		}
	}
	return heirs, names
}

// sameNames tells whether copies have the names of what was copied. Nobody knows those of what an older version of this program has read.
func sameNames(copies digest.Copies) bool {
	for one := range copies.Each {
		if !one.Loose {
			return true
		}
	}
	return false
}

// cutOff are the copies of a session that stand behind the last record that this has now.
func cutOff(from *digest.Digest, copies iter.Seq[digest.Copy]) iter.Seq[digest.Copy] {
	var last digest.Said
	for name := range from.Said.Each {
		last = name
	}
	return func(yield func(digest.Copy) bool) {
		found, behind := false, false
		for c := range copies {
			found = found || c.Said == last
			behind = behind || found && c.Said != last // the same twice at a time
			if behind && !yield(c) {
				return
			}
		}
	}
}

// lostOf are also those that stand before the first one that it still has: some agents keep no more than the last messages. Of a session that has
// none of them, nobody knows whether it was written anew, in other words.
func lostOf(from *digest.Digest, copies iter.Seq[digest.Copy]) iter.Seq[digest.Copy] {
	has := map[digest.Said]bool{}
	for name := range from.Said.Each {
		has[name] = true
	}
	for c := range from.Copies.Each {
		has[c.Said] = true
	}
	before, found := 0, false
	for c := range copies {
		if found = has[c.Said]; found {
			break
		}
		before++
	}
	if !found {
		return func(func(digest.Copy) bool) {}
	}
	return func(yield func(digest.Copy) bool) {
		n := 0
		for c := range copies {
			if n++; n > before {
				break
			}
			if !yield(c) {
				return
			}
		}
		cutOff(from, copies)(yield)
	}
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
