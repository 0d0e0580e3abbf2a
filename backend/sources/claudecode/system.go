package claudecode

import (
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// system writes what Claude Code notes of itself.
func (r *reader) system(row row) {
	switch row.Get("subtype").Str {
	case "compact_boundary":
		r.compaction(row)
	case "microcompact_boundary":
		r.prune(row)
	case "local_command":
		if text := jsonl.Text(row.Get("content")); strings.TrimSpace(text) != "" {
			r.note(row, []sources.Block{r.log.Text(text)}, true)
			return
		}
		r.note(row, nil, true)
	case "api_error", "informational":
		r.note(row, nil, true)
	default:
		r.note(row, nil, false)
	}
}

// asItStands is how Claude Code says a summary: the row that has it has all of the words.
var asItStands = &record.Frame{}

// compaction writes a boundary with the summary that stands behind it, and what it keeps.
func (r *reader) compaction(row row) {
	about := row.Get("compactMetadata")
	c := sources.Compaction{
		Meta: row.meta, Frame: asItStands, TokensBefore: max(about.Get("preTokens").Int(), 0), Trigger: "unknown",
	}
	ids, all := r.preserved(about)
	head, known := r.head(ids)
	all = all && known
	if head != nowhere {
		c.FirstKept = int64(r.node(head).first)
	}
	if at, ok := r.index.summaries[row.at.offset]; ok {
		c.Summary = plain(r.again(at).Get("message.content"))
	} else if head == nowhere {
		if !r.index.bare.goneOn[row.at.offset] {
			r.note(row, nil, true)
			r.stands(row.id, nowhere)
			return
		}
		c.Replacement = nothingSaid()
	}
	switch about.Get("trigger").Str {
	case "manual":
		c.Trigger = "manual"
	case "auto":
		c.Trigger = "threshold"
	}
	if after := about.Get("postTokens"); after.Type == gjson.Number {
		n := after.Int()
		c.TokensAfter = &n
	}
	// What is kept stands before the summary if it hangs below the boundary itself.
	before := jsonl.Text(about.Get("preservedMessages.anchorUuid")) == row.id || jsonl.Text(about.Get("preservedSegment.anchorUuid")) == row.id
	if head != nowhere && all && (before || c.Summary == "" || !r.whole(ids, head)) {
		var first []sources.Message
		if c.Summary != "" {
			first = []sources.Message{{Role: record.RoleUser, Content: []sources.Block{r.log.Text(c.Summary)}}}
		}
		then := r.messages(ids)
		if before {
			first, then = then, first
		}
		c.FirstKept, c.Replacement = 0, append(first, then...)
	}
	if r.model.Model != "" {
		model := r.model
		c.ActiveModel = &model
	}
	at := r.stand(row.id, r.log.Compaction(c), turn)
	switch {
	case all:
		r.keeps(at, head, ids, before, c)
	case head != nowhere:
		r.keepsEnds(at, ids, c)
	}
}

// prune writes which results were cleared.
func (r *reader) prune(row row) {
	about := row.Get("microcompactMetadata")
	p := sources.Prune{Meta: row.meta, TokensFreed: max(about.Get("tokensSaved").Int(), 0)}
	for _, list := range []string{"compactedToolIds", "compactedToolUseIds", "clearedToolUseIds"} {
		about.Get(list).ForEach(func(_, id gjson.Result) bool {
			if seq, known := r.results.Get(jsonl.Text(id)); known {
				p.Seqs, p.Texts = append(p.Seqs, int64(seq)), append(p.Texts, glean.Cleared)
			}
			return true
		})
	}
	if len(p.Seqs) == 0 {
		r.note(row, nil, true)
		return
	}
	r.stand(row.id, r.log.Prune(p), aside)
}
