package backend

import (
	"context"
	"slices"

	"palimpsest/backend/library"
	"palimpsest/backend/sources"
)

// Child is a session that another one has started.
type Child struct {
	Session
	// Call is the tool call of the parent that started it, nil where the source does not tell.
	Call *Call `json:"call"`
}

// Call is a tool call: the record that holds it, and its id.
type Call struct {
	Seq int64  `json:"seq"`
	ID  string `json:"id"`
}

// ChildrenOptions say what is told of children besides what the index and cheap reads know.
type ChildrenOptions struct {
	// Calls reads the parent, which alone tells of the calls that started them and, of some, that they are there; Count those children whose size nobody knows.
	Calls, Count bool
}

// Children are the sessions that an agent started below one of its own, the newest first. Sessions of ours have none.
func (b *Backend) Children(ctx context.Context, id string, opts ChildrenOptions) ([]Child, error) {
	out := []Child{}
	if !library.IsRef(id) {
		_, err := b.store.Metadata(id)
		return out, err
	}
	remembered := b.remembered(ctx)
	if ref, err := library.ParseRef(id); err == nil && (opts.Calls || opts.Count) && b.library != nil {
		if err := b.library.CatchUpOf(ctx, ref); err != nil {
			return out, err
		}
	}
	all, below, err := b.startedBy(ctx, id)
	told := remembered()
	if err != nil || len(all) == 0 {
		return out, err
	}
	known := map[string]*Call{}
	if opts.Calls {
		if known, err = b.callsOf(ctx, id, all); err != nil {
			return nil, err
		}
	}
	kept := b.library.Kept()
	rows := make([]row, len(all))
	for i, found := range all {
		rows[i] = row{b.sessionOf(found), lastOf(found)}
		rows[i].known(found, &told, kept)
		rows[i].Children = below.of[library.Ref{Agent: found.Agent, ID: found.ID}]
	}
	if opts.Count {
		b.countFew(ctx, rows, all)
	}
	for i := range rows {
		out = append(out, Child{Session: rows[i].Session, Call: known[all[i].ID]})
	}
	return out, nil
}

// startedBy finds the children of a session, the newest first, and what is known of theirs.
func (b *Backend) startedBy(ctx context.Context, id string) ([]*sources.Found, children, error) {
	ref, err := library.ParseRef(id)
	if err != nil {
		return nil, children{}, err
	}
	if b.library == nil {
		return nil, children{}, b.withoutAgents(ref)
	}
	all, err := b.library.Beside(ctx, ref)
	below := childrenOf(all)
	all = slices.DeleteFunc(slices.Clone(all), func(found *sources.Found) bool { return found.Parent != ref.ID || !below.hides(found) })
	slices.SortFunc(all, func(x, y *sources.Found) int {
		return newestFirst(&row{foreignOf(x), lastOf(x)}, &row{foreignOf(y), lastOf(y)})
	})
	return all, below, err
}
