package opencode

import (
	"context"

	"palimpsest/backend/many"
	"palimpsest/backend/record"
	"palimpsest/backend/sources"
)

// soFar is what opencode puts in the place of the mark of a compaction.
const soFar = "What did we do so far?"

// keptMost is how much text may stand in one record in the place of what was before: it is in memory, and where a mark keeps from a message
// that is gone, it would be all there is.
var keptMost = 4 << 20

// again reads messages once more; none if that is too much.
func (r *reader) again(ctx context.Context, from store, order *many.Texts, all []span) []sources.Message {
	second := &reader{log: r.log.Aside(), tree: r.tree, marks: r.marks, kept: &[]sources.Message{}}
	for _, one := range all {
		for i := one.from; i <= one.to; i++ {
			m, err := from.message(ctx, order.At(i))
			if err != nil || second.message(ctx, from, m, nil) != nil || second.held > keptMost {
				return nil // where it can't be read, the reading itself fails with it
			}
		}
	}
	return *second.kept
}

// say writes what was said.
func (r *reader) say(m sources.Message) int64 {
	r.keep(m)
	return r.log.Message(m)
}

// keep takes what was said, if that is what it is read for.
func (r *reader) keep(m sources.Message) {
	if m.Meta, m.Usage = (sources.Meta{}), nil; r.kept == nil || len(m.Content) == 0 && m.Role != record.RoleToolResult {
		return
	}
	for i := range m.Content {
		r.held += len(m.Content[i].Text) + len(m.Content[i].Arguments)
	}
	*r.kept = append(*r.kept, m)
}
