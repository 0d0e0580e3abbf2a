package opencode

import (
	"context"
	"slices"

	"palimpsest/backend/many"
	"palimpsest/backend/record"
	"palimpsest/backend/sources"
)

// soFar is what opencode puts in the place of the mark of a compaction.
const soFar = "What did we do so far?"

// fromFirst stands for the first message of all.
const fromFirst = ""

// withSummaries is the context after a compaction whose tail holds an earlier one: opencode sends that, too, as what was said. It is nil
// where the tail holds none. The messages are read once more for it; a tail is never long.
func (r *reader) withSummaries(w *message, tail string) []sources.Message {
	first, known := r.first.Get(tail)
	if !known {
		first, tail = 0, fromFirst // where opencode stops that looks for it
	}
	held := func(summary string) bool { at, is := r.first.Get(summary); return is && at >= first }
	if r.between == nil || !slices.ContainsFunc(r.summaries, held) {
		return nil
	}
	return append([]sources.Message{
		{Role: record.RoleUser, Content: []sources.Block{{Type: "text", Text: soFar}}},
		{Role: record.RoleAssistant, Content: []sources.Block{r.log.Text(w.summary)}},
	}, r.between(tail, w.info.Get("parentID").Str)...)
}

// again reads messages once more, from the first up to the end, which is left out.
func (r *reader) again(ctx context.Context, from store, order *many.Texts, first, end string) []sources.Message {
	begin, stop := 0, order.Index(end)
	if first != fromFirst {
		begin = order.Index(first)
	}
	if begin < 0 || stop < begin {
		return nil
	}
	second := &reader{log: r.log.Aside(), tree: r.tree, marks: r.marks, kept: &[]sources.Message{}}
	for i := begin; i < stop; i++ {
		m, err := from.message(ctx, order.At(i))
		if err != nil || second.message(ctx, from, m, nil) != nil {
			return nil // the reading itself fails with it
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
	if m.Meta, m.Usage = (sources.Meta{}), nil; r.kept != nil && (len(m.Content) > 0 || m.Role == record.RoleToolResult) {
		*r.kept = append(*r.kept, m)
	}
}
