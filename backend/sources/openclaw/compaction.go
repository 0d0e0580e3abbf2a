package openclaw

import (
	"errors"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// compaction writes one; it keeps from an entry on its path on, or nothing.
func (r *reader) compaction(at int, rec gjson.Result, m sources.Meta) {
	m.More = jsonl.Rest(rec, "type", "id", "timestamp", "summary", "tokensBefore", "tokensAfter", "usage", "details")
	c := sources.Compaction{
		Meta: m, Summary: jsonl.Text(rec.Get("summary")), Frame: glean.Compacted, TokensBefore: rec.Get("tokensBefore").Int(), Trigger: "unknown",
		Usage:     usage(rec.Get("usage")),
		ReadFiles: names(rec.Get("details.readFiles")), ModifiedFiles: names(rec.Get("details.modifiedFiles")),
	}
	if after := rec.Get("tokensAfter"); after.Type == gjson.Number {
		n := after.Int()
		c.TokensAfter = &n
	}
	if kept, ok := r.kept(at, rec); ok {
		c.FirstKept = int64(r.tree.node(kept).first)
	}
	r.log.Compaction(c)
}

// kept is the entry that a compaction or a reset keeps from.
func (r *reader) kept(at int, rec gjson.Result) (int, bool) {
	kept, known := r.tree.find(jsonl.Text(rec.Get("firstKeptEntryId")))
	if place := rec.Get("firstKeptEntryIndex"); r.linear && place.Type == gjson.Number {
		kept = int(place.Num) - 1 // the header is counted
		known = 0 <= kept && kept < at
	}
	return kept, known && kept != none && kept != at && r.tree.onPath(kept, at)
}

// reset begins a new context.
func (r *reader) reset(at int, rec gjson.Result, m sources.Meta) {
	m.More = jsonl.Rest(rec, "type", "id", "timestamp")
	kept, ok := r.kept(at, rec)
	if !ok {
		r.log.Branch(sources.Branch{Meta: m})
		return
	}
	c := sources.Compaction{
		Meta: m, Trigger: record.TriggerEdit, Summary: "The context was begun anew, with what is kept here.", FirstKept: int64(r.tree.node(kept).first),
		Replacement: r.saidOn(kept, at),
	}
	if len(c.Replacement) == 0 {
		r.log.Branch(sources.Branch{Meta: m})
		return
	}
	r.log.Compaction(c)
}

// saidOn reads once more what was said from one entry to another: a reset keeps messages and the results of their calls, and nothing that
// was put between them. Few resets keep anything, so nothing is held for them.
func (r *reader) saidOn(from, to int) []sources.Message {
	on := map[int]bool{}
	for at := r.tree.parent(to); at >= from && at != none; at = r.tree.parent(at) {
		on[int(r.tree.node(at).id)] = true
	}
	var out []sources.Message
	asked := map[string]int{} // calls without a result
	read := 0
	err := r.from(r.ctx, nil, func(rec gjson.Result) error {
		if read++; read > r.count { // what stands behind the reset may have an id once more
			return errEnough
		}
		message := rec.Get("message")
		n, known := r.tree.ids.Get(jsonl.Text(rec.Get("id")))
		if !known || !on[n] || rec.Get("type").Str != "message" || mirrored(message) || isSilent(message) {
			return nil
		}
		if instead := notSent(message); instead != "" {
			out = append(out, replayed(instead))
		}
		if wasStopped(message) {
			return nil
		}
		at := int(r.tree.newest.At(n))
		m, said := r.heard(at, message)
		said = said && !r.ahead.quiet[at]
		if said && m.Role == record.RoleToolResult {
			if said = asked[m.ToolCallID] > 0; said {
				asked[m.ToolCallID]--
			}
		}
		if !said || len(m.Content) == 0 {
			return nil
		}
		for _, block := range m.Content {
			if block.Type == "toolCall" {
				asked[block.ID]++
			}
		}
		m.Usage = nil // it was counted where it stands
		out = append(out, m)
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return nil // the reading itself fails with it, or the file has gone
	}
	return out
}

func names(list gjson.Result) []string {
	var out []string
	for _, name := range list.Array() {
		if name := jsonl.Text(name); name != "" {
			out = append(out, name)
		}
	}
	return out
}
