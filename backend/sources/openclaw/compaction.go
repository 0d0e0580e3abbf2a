package openclaw

import (
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

// saidOn reads once more what was said from one entry to another. Few resets keep anything, so nothing is held for them.
func (r *reader) saidOn(from, to int) []sources.Message {
	on := map[int]bool{}
	for at := r.tree.parent(to); at >= from && at != none; at = r.tree.parent(at) {
		on[int(r.tree.node(at).id)] = true
	}
	var out []sources.Message
	err := r.from(r.ctx, nil, func(rec gjson.Result) error {
		if n, known := r.tree.ids.Get(jsonl.Text(rec.Get("id"))); !known || !on[n] {
			return nil
		}
		switch message := rec.Get("message"); rec.Get("type").Str {
		case "message":
			m, said := r.spoken(message)
			if !said {
				m = sources.Message{Role: record.RoleUser, Content: r.put(message)}
			}
			m.Usage = nil // it was counted where it stands
			if len(m.Content) > 0 {
				out = append(out, m)
			}
		case "custom_message":
			out = append(out, sources.Message{Role: record.RoleUser, Content: r.blocks(rec.Get("content"))})
		case "branch_summary":
			if summary := jsonl.Text(rec.Get("summary")); summary != "" {
				out = append(out, sources.Message{Role: record.RoleUser, Content: []sources.Block{r.log.Text(glean.Framed(glean.CameBack, summary))}})
			}
		}
		return nil
	})
	if err != nil {
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
