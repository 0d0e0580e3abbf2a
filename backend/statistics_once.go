package backend

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"palimpsest/backend/digest"
)

// Some agents copy what was said into another file and say nothing of it. What they say has names that are the same there, so each counts
// once, in the first session that has it as its own: who that is, the sessions themselves tell, and not in which order they were read.

// shared are the names that more than one record has, of one session or of several. Most have one: a sieve of two bytes for each leaves few
// to be counted.
func shared(all map[string]digested) map[digest.Said]bool {
	each := func(yield func(digest.Said)) {
		for _, d := range all {
			if len(d.Parts) > 0 {
				for name := range d.Said.Each {
					yield(name)
				}
			}
		}
	}
	n := 0
	for _, d := range all {
		n += d.Said.Len()
	}
	const word = 64
	sieve := make([]uint64, n/4+1)
	times := map[digest.Said]int{}
	each(func(name digest.Said) {
		at := uint64(name) % (uint64(len(sieve)) * word)
		if sieve[at/word]&(1<<(at%word)) != 0 {
			times[name] = 0
		}
		sieve[at/word] |= 1 << (at % word)
	})
	each(func(name digest.Said) {
		if n, perhaps := times[name]; perhaps {
			times[name] = n + 1
		}
	})
	out := map[digest.Said]bool{}
	for name, n := range times {
		if n > 1 {
			out[name] = true
		}
	}
	return out
}

// once has each of what several sessions hold as their own counted in the first of them. The others have inherited it.
func once(all map[string]digested) map[string]digested {
	out, _ := compactedOnce(all)
	return out
}

// compactedOnce also tells which compactions count in the sessions that hold some of what others do.
func compactedOnce(all map[string]digested) (map[string]digested, map[string]compactions) {
	names := shared(all)
	if len(names) == 0 {
		return all, nil
	}
	out, compacted := maps.Clone(all), map[string]compactions{}
	counted := map[digest.Said]bool{}
	for _, id := range inOrderOf(all, names) {
		d := all[id]
		s := sift{counted: counted, names: names}
		s.all(parts(d.Digest))
		if len(s.left) == 0 {
			continue
		}
		compacted[id] = s.compacted
		view := *d.Digest
		view.Days, view.Inherited = digest.MergeDays(s.kept), digest.MergeDays(slices.Concat(d.Inherited, s.left))
		d.Digest = &view
		out[id] = d
	}
	return out, compacted
}

// parts are what is counted of each record of a session's own, with its name.
func parts(d *digest.Digest) iter.Seq[digest.Copy] {
	return func(yield func(digest.Copy) bool) {
		next, stop := iter.Pull(iter.Seq[digest.Said](d.Said.Each))
		defer stop()
		for one := range d.Parts.Each {
			one.Said, _ = next()
			if !yield(one) {
				return
			}
		}
	}
}

// inOrderOf are the sessions that hold any of some names: each behind the one that it comes from, else the older first. Of two that begin
// with the same, which an agent copied, the one with nothing of its own was copied, or the one that goes on for longer.
func inOrderOf(all map[string]digested, names map[digest.Said]bool) []string {
	type one struct {
		id          string
		depth, owns int
	}
	var some []one
	for id, d := range all {
		has, owns := false, 0
		if len(d.Parts) > 0 {
			for name := range d.Said.Each {
				if names[name] {
					has = true
				} else {
					owns = 1
				}
			}
		}
		if has {
			some = append(some, one{id, depthOf(all, id), owns})
		}
	}
	slices.SortFunc(some, func(a, b one) int {
		x, y := &all[a.id].About, &all[b.id].About
		return cmp.Or(cmp.Compare(a.depth, b.depth), x.Created.Compare(y.Created), cmp.Compare(a.owns, b.owns), y.Updated.Compare(x.Updated),
			strings.Compare(a.id, b.id))
	})
	ids := make([]string, len(some))
	for i := range some {
		ids[i] = some[i].id
	}
	return ids
}

// depthOf is how many sessions are above one that are there. Damaged files may say that sessions come from each other.
func depthOf(all map[string]digested, id string) int {
	for n := range len(all) {
		d, there := all[id]
		if _, above := all[d.About.Parent]; !there || !above {
			return n
		}
		id = d.About.Parent
	}
	return len(all)
}
