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

// againMost is how much may be read once more in all of a session: where thousands of compactions come to nothing, and each was to keep all
// that was said, what opencode sends once the last one came to that is told, and not what it sent in between.
var againMost = 32 << 20

// beside is what a message takes beside its text.
const beside = 512

// render reads messages once more; none if that is too much.
func (r *reader) render(ctx context.Context, from store, order *many.Texts, all []span) []sources.Message {
	if r.left < 0 {
		return nil
	}
	second := &reader{log: r.log.Aside(), tree: r.tree, first: &many.IDs{}, marks: r.marks, kept: &[]sources.Message{}}
	for _, one := range all {
		for i := one.from; i <= one.to; i++ {
			m, err := from.message(ctx, order.At(i))
			held := second.held
			if err != nil || second.message(ctx, from, m, nil) != nil {
				return nil // where it can't be read, the reading itself fails with it
			}
			second.held += beside
			if r.left -= second.held - held; second.held > keptMost || r.left < 0 {
				return nil
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
