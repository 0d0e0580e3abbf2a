package claudecode

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"palimpsest/backend/many"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// Before about 2.1 the file of a fork held the rows of the session that it was made from, with their ids and times but under its own
// name, and did not say whose they are. Such files begin with the same row.

// forks finds them. What was said before a fork goes on is counted in the session that it was made from.
func forks(ctx context.Context, env sources.Env, all []told) {
	begin := map[string][]*sources.Found{}
	for i := range all {
		if f := &all[i].found; all[i].first != "" && f.Parent == "" && f.Problem == "" {
			begin[all[i].first] = append(begin[all[i].first], f)
		}
	}
	for _, same := range begin {
		slices.SortFunc(same, func(a, b *sources.Found) int { return cmp.Compare(a.Files[0], b.Files[0]) })
		from := same[0]
		for _, f := range same[1:] {
			if f.ID != from.ID && older(parting(ctx, env, f, from), parting(ctx, env, from, f)) {
				from = f
			}
		}
		for _, f := range same {
			if f.ID == from.ID {
				continue
			}
			f.Parent, f.Relation = from.ID, sources.Fork
			if f.CreatedAt = parting(ctx, env, f, from).at; f.CreatedAt.IsZero() { // nothing was said in it yet
				f.CreatedAt = f.UpdatedAt.Add(time.Millisecond)
			}
		}
	}
}

// parted is what one file has that another one has not: the time of the first such row, zero if there is none, and whether rows that
// both have stand behind it.
type parted struct {
	at    time.Time
	among bool
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

// parting tells how one file parts from another. Rows stay what they are, so that is remembered however much is said in the other.
func parting(ctx context.Context, env sources.Env, f, from *sources.Found) parted {
	const unread, read = 0, 1
	told := env.Memory.Recall(agent+" parts from "+from.Files[0], f.Files[0], func() (sources.Told, bool) {
		var ids many.IDs
		known := conversation(ctx, from.Files[0], func(row brief) bool {
			ids.Put(row.uuid, unread)
			return true
		})
		var told sources.Told
		own := false
		whole := conversation(ctx, f.Files[0], func(row brief) bool {
			state, common := ids.Get(row.uuid)
			switch {
			case common && state == read: // the same once more
			case common && own:
				told.Notes = []string{"among"}
				return false
			case common:
				ids.Put(row.uuid, read)
			case !own:
				own, told.Found.CreatedAt = true, jsonl.Time(row.time)
			}
			return true
		})
		return told, known && whole
	})
	return parted{told.Found.CreatedAt, len(told.Notes) > 0}
}

// errEnough ends a visit.
var errEnough = errors.New("enough")

// conversation visits the rows of the conversation in a file, and what subagents said there, until visit has enough; false if the file
// can't be read.
func conversation(ctx context.Context, path string, visit func(row brief) bool) bool {
	file, err := jsonl.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	var members jsonl.Fields
	err = sources.Lines(ctx, io.NewSectionReader(file, 0, file.Size), func(line sources.Line) error {
		if row, ok := briefly(line.Text, &members); ok && spoke(row.kind) && row.uuid != "" && !visit(row) {
			return errEnough
		}
		return nil
	})
	return err == nil || errors.Is(err, errEnough)
}
