package claudecode

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// Before about 2.1 the file of a fork held the rows of the session that it was made from, with their ids and times but under its own
// name, and did not say whose they are. Such files begin with the same row.

// kinMost is how large the files are that are compared, and kinAll all of those that begin alike: a list can't wait for more. Larger ones
// stand for themselves.
const (
	kinMost = 8 << 20
	kinAll  = 8 * kinMost
)

// forks finds them. What was said before a fork goes on is counted in the session that it was made from.
func forks(ctx context.Context, env sources.Env, all []told) {
	begin := map[string][]*sources.Found{}
	for i := range all {
		if f := &all[i].found; all[i].first != "" && f.Parent == "" && f.Problem == "" && f.Bytes <= kinMost {
			begin[all[i].first] = append(begin[all[i].first], f)
		}
	}
	for _, same := range begin {
		slices.SortFunc(same, func(a, b *sources.Found) int { return cmp.Compare(a.Files[0], b.Files[0]) })
		relate(ctx, env, same)
	}
}

// relate tells which of the files that begin alike were made from which. That is remembered as long as all of them stay what they are.
func relate(ctx context.Context, env sources.Env, same []*sources.Found) {
	state, size := sha256.New(), int64(0)
	for _, f := range same {
		fmt.Fprintf(state, "%q %d %d\n", f.Files[0], f.Bytes, f.UpdatedAt.UnixNano())
		size += f.Bytes
	}
	if len(same) < 2 || size > kinAll {
		return
	}
	asked := fmt.Sprintf("%s kin %x", agent, state.Sum(nil))
	lineage := sync.OnceValues(func() (map[string]sources.Found, bool) { return lineageOf(ctx, same) })
	for _, f := range same {
		made := env.Memory.Recall(asked, f.Files[0], func() (sources.Told, bool) {
			of, whole := lineage()
			return sources.Told{Found: of[f.Files[0]]}, whole
		}).Found
		if made.Parent == "" || made.Parent == f.ID {
			continue
		}
		f.Parent, f.Relation, f.CreatedAt = made.Parent, sources.Fork, made.CreatedAt
		if f.CreatedAt.IsZero() { // nothing was said in it yet
			f.CreatedAt = f.UpdatedAt.Add(time.Millisecond)
		}
	}
}

// lineageOf is the parent of each file but the first one's, and when what it has for itself begins; false if a file can't be read.
func lineageOf(ctx context.Context, same []*sources.Found) (map[string]sources.Found, bool) {
	seed, all := maphash.MakeSeed(), make([]*kin, len(same))
	for i, f := range same {
		k := &kin{f: f, has: map[uint64]bool{}}
		if all[i] = k; !conversation(ctx, f.Files[0], func(row brief) { k.add(maphash.String(seed, row.uuid), row.time) }) {
			return nil, false
		}
	}
	slices.SortStableFunc(all, func(a, b *kin) int {
		switch {
		case older(a.parting(b), b.parting(a)):
			return -1
		case older(b.parting(a), a.parting(b)):
			return 1
		}
		return 0
	})
	out, before := map[string]sources.Found{}, map[uint64]bool{}
	for i, k := range all {
		var made sources.Found
		longest := -1
		for _, from := range all[:i] {
			if n := k.alike(from); n > longest && from.f.ID != k.f.ID { // one may stand in two folders
				longest, made.Parent = n, from.f.ID
			}
		}
		for _, row := range k.rows {
			if made.CreatedAt.IsZero() && !before[row.id] {
				made.CreatedAt = row.at
			}
			before[row.id] = true
		}
		out[k.f.Files[0]] = made
	}
	return out, true
}

// kin is what was said in one of the files, each row once.
type kin struct {
	f    *sources.Found
	rows []kinRow
	has  map[uint64]bool
}

type kinRow struct {
	id uint64
	at time.Time
}

func (k *kin) add(id uint64, at gjson.Result) {
	if !k.has[id] {
		k.has[id], k.rows = true, append(k.rows, kinRow{id, jsonl.Time(at)})
	}
}

// alike is how many rows two files have in common at their beginning.
func (k *kin) alike(other *kin) int {
	n := 0
	for n < min(len(k.rows), len(other.rows)) && k.rows[n].id == other.rows[n].id {
		n++
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
	for _, row := range k.rows {
		switch common := from.has[row.id]; {
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

// conversation visits the rows of the conversation in a file, and what subagents said there; false if the file can't be read.
func conversation(ctx context.Context, path string, visit func(row brief)) bool {
	file, err := jsonl.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	var members jsonl.Fields
	return sources.Lines(ctx, io.NewSectionReader(file, 0, file.Size), func(line sources.Line) error {
		if row, ok := briefly(line.Text, &members); ok && spoke(row.kind) && row.uuid != "" {
			visit(row)
		}
		return nil
	}) == nil
}
