package claudecode

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"palimpsest/backend/sources"
)

// Before about 2.1 the file of a fork held the rows of the session that it was made from, with their ids and times but under its own
// name, and did not say whose they are. Such files begin with the same row. So does what goes on in another file from a session, which says
// so, and may be forked as well.

// kinMost is how much of one file a list reads to compare it, and kinAll how much of all files: it can't wait for more. What is left is read
// in the background, and until then such a file stands for itself.
var kinMost int64 = 8 << 20

const kinAll = 64 << 20

// forks finds them. What was said before a fork goes on is counted in the session that it was made from.
func forks(ctx context.Context, env sources.Env, all []told) {
	begin := map[string][]*told{}
	for i := range all {
		f := &all[i].found
		if whose := f.Parent == "" || f.Relation == sources.Continuation; all[i].first != "" && whose && f.Problem == "" {
			begin[all[i].first] = append(begin[all[i].first], &all[i])
		}
	}
	left := int64(kinAll)
	for _, first := range slices.Sorted(maps.Keys(begin)) {
		if same := begin[first]; len(same) > 1 {
			slices.SortFunc(same, func(a, b *told) int { return cmp.Compare(a.found.Files[0], b.found.Files[0]) })
			relate(ctx, env, readable(env, same, &left))
		}
	}
}

// readable are the files whose rows are known, or read so fast that a list can wait for it. It does not where all but one say what they go
// on from: few of those have anything that is not counted as it should be.
func readable(env sources.Env, same []*told, left *int64) (now []*told) {
	silent := 0
	for _, t := range same {
		if t.found.Parent == "" {
			silent++
		}
	}
	for _, t := range same {
		f := &t.found
		s := sheetOf(env, f, t.from)
		if unread := f.Bytes - s.to; !s.known {
			if silent < 2 || unread > kinMost || unread > *left {
				s.readLater(env)
				continue
			}
			*left -= unread
		}
		now = append(now, t)
	}
	return now
}

// relate tells which of the files that begin alike were made from which. That is remembered as long as all of them stay what they are.
func relate(ctx context.Context, env sources.Env, same []*told) {
	if len(same) < 2 {
		return
	}
	state := sha256.New()
	for _, t := range same {
		f := &t.found
		fmt.Fprintf(state, "%q %d %d\n", f.Files[0], f.Bytes, f.UpdatedAt.UnixNano())
	}
	asked := fmt.Sprintf("%x", state.Sum(nil))
	lineage := sync.OnceValues(func() (map[string]sources.Found, bool) { return lineageOf(ctx, env, same) })
	of := make([]sources.Found, len(same))
	for i, t := range same { // all before any of them is told: the lineage goes by what the files themselves say
		path := t.found.Files[0]
		of[i] = env.Memory.RecallIn(asked, t.from, agent+" kin", path, func() (sources.Told, bool) {
			all, whole := lineage()
			return sources.Told{Found: all[path]}, whole
		}).Found
	}
	for i, t := range same {
		f, made := &t.found, &of[i]
		if made.Parent == "" || made.Parent == f.ID {
			continue
		}
		if f.Parent == "" {
			f.Parent, f.Relation = made.Parent, sources.Fork
		}
		f.CreatedAt = made.CreatedAt
		if f.CreatedAt.IsZero() { // nothing was said in it yet: all that was written was copied, be it a compaction
			f.CreatedAt = cmp.Or(t.last, f.UpdatedAt).Add(time.Millisecond)
		}
	}
}

// lineageOf is the parent of each file but the first one's, and when what it has for itself begins; false if a file can't be read.
func lineageOf(ctx context.Context, env sources.Env, same []*told) (map[string]sources.Found, bool) {
	all := make([]*kin, len(same))
	for i, t := range same {
		f := &t.found
		s := sheetOf(env, f, t.from)
		rows, ok := s.now(ctx, env)
		if !ok {
			return nil, false
		}
		all[i] = kinOf(f, rows)
	}
	slices.SortStableFunc(all, before(same))
	out := map[string]sources.Found{}
	for i, k := range all {
		var made sources.Found
		longest := -1
		for _, from := range all[:i] {
			if n := k.alike(from); n > longest && from.f.ID != k.f.ID { // one may stand in two folders
				longest, made.Parent = n, from.f.ID
			}
		}
		made.CreatedAt = k.goesOn(all[:i])
		out[k.f.Files[0]] = made
	}
	return out, true
}

// before is the order in which sessions were made: one that another names as what it goes on from is no fork.
func before(same []*told) func(a, b *kin) int {
	named := map[string]bool{}
	for _, t := range same {
		named[t.found.Parent] = true
	}
	first := func(k *kin) int {
		if k.f.Parent == "" && named[k.f.ID] {
			return 0
		}
		return 1
	}
	return func(a, b *kin) int {
		switch {
		case first(a) != first(b):
			return first(a) - first(b)
		case a.f.Parent == b.f.ID:
			return 1
		case b.f.Parent == a.f.ID:
			return -1
		case older(a.parting(b), b.parting(a)):
			return -1
		case older(b.parting(a), a.parting(b)):
			return 1
		}
		return 0
	}
}

// goesOn is when the first row was said that none of those before has; zero if there is none, or one without a time.
func (k *kin) goesOn(before []*kin) time.Time {
	for row := range rowsIn(k.rows) {
		if !row.at.IsZero() && !slices.ContainsFunc(before, func(other *kin) bool { return other.holds(row.id) }) {
			return row.at
		}
	}
	return time.Time{}
}

// alike is how much of the rows two files have in common at their beginning.
func (k *kin) alike(other *kin) int {
	n, most := 0, min(len(k.rows), len(other.rows))
	for n < most && k.rows[n:n+idBytes] == other.rows[n:n+idBytes] {
		n += rowBytes
	}
	return n
}

// parted is what one file has that another one has not: the time of the first such row, zero if there is none, and whether rows that
// both have stand behind it.
type parted struct {
	at    time.Time
	among bool
}

// parting tells how a file parts from another.
func (k *kin) parting(from *kin) (p parted) {
	own := false
	for row := range rowsIn(k.rows) {
		switch common := from.holds(row.id); {
		case common && own:
			p.among = true
			return p
		case !common && !own:
			own, p.at = true, row.at
		}
	}
	return p
}

// older tells which of two sessions the other was made from, by what each has for itself. A fork has all that it copied before that, without
// what subagents said and what was rewound, and goes on as soon as it is made; the session that it was made from does later, or never.
func older(own, theirs parted) bool {
	switch {
	case own.among != theirs.among:
		return own.among
	case own.at.IsZero() || theirs.at.IsZero():
		return !theirs.at.IsZero()
	}
	return own.at.After(theirs.at)
}
