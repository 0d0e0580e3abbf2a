package backend

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

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
// with the same, which an agent copied, the one with nothing of its own was copied, or the one that goes on for longer. Behind all
// stand strangers, which were copied from a fork, and may begin with what that was made from.
func inOrderOf(all map[string]digested, names map[digest.Said]bool) []string {
	type one struct {
		id       string
		stranger int
		begun    time.Time
		depth    int
		owns     int
	}
	var some []one
	strange := strangers(all, names)
	for id, d := range all {
		if has, owns := holds(d.Digest, names); has {
			_, begun, depth := above(all, id)
			some = append(some, one{id, strange(id), begun, depth, owns})
		}
	}
	slices.SortFunc(some, func(a, b one) int {
		return cmp.Or(cmp.Compare(a.stranger, b.stranger), a.begun.Compare(b.begun), cmp.Compare(a.depth, b.depth), cmp.Compare(a.owns, b.owns),
			all[b.id].About.Updated.Compare(all[a.id].About.Updated), strings.Compare(a.id, b.id))
	})
	ids := make([]string, len(some))
	for i := range some {
		ids[i] = some[i].id
	}
	return ids
}

// strangers says of a session whether it is 1 or 0: one of no family that has some of what a fork has, and does not begin before what that was
// made from.
func strangers(all map[string]digested, names map[digest.Said]bool) func(id string) int {
	forked, families := map[digest.Said]time.Time{}, map[string]bool{}
	for id, d := range all {
		if len(d.Parts) == 0 || !comesFrom(d.Digest) {
			continue
		}
		families[d.About.Parent] = true
		first, _, _ := above(all, id)
		for name := range d.Said.Each {
			if at, is := forked[name]; names[name] && (!is || first.Before(at)) {
				forked[name] = first
			}
		}
	}
	return func(id string) int {
		d := all[id]
		if d.About.Parent != "" || families[id] || len(forked) == 0 {
			return 0
		}
		for name := range d.Said.Each {
			if first, is := forked[name]; is && !d.About.Created.Before(first) {
				return 1
			}
		}
		return 0
	}
}

// holds tells whether a session has any of some names, and whether it has anything of its own: an answer without such a name, or what was
// asked behind the last. Results, and what was asked before, may have other names in copies than their answer.
func holds(d *digest.Digest, names map[digest.Said]bool) (has bool, owns int) {
	if len(d.Parts) == 0 {
		return false, 0
	}
	for name := range d.Said.Each {
		if has = names[name]; has {
			break
		}
	}
	if !has {
		return false, 0
	}
	asked := 0
	for one := range withNames(parts(d)) {
		known := names[one.Said] || names[one.behind] || slices.ContainsFunc(one.also, func(name digest.Said) bool { return names[name] })
		switch {
		case one.answers() && !known:
			return true, 1
		case one.answers():
			asked = 0
		case one.asks() && !known:
			asked = 1
		}
	}
	return true, asked
}

// above tells when the first and the last began of a session and those that it comes from and that are there, and how many these are. Damaged
// files may say that sessions come from each other.
func above(all map[string]digested, id string) (first, last time.Time, depth int) {
	for range all {
		at := all[id].About.Created
		if depth == 0 || at.Before(first) {
			first = at
		}
		if at.After(last) {
			last = at
		}
		parent := all[id].About.Parent
		if _, there := all[parent]; !there {
			break
		}
		id = parent
		depth++
	}
	return first, last, depth
}
