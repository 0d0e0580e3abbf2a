package export

import (
	"fmt"
	"strings"

	"palimpsest/backend/record"
)

// Headline says what a record is.
func Headline(rec *record.Record) string {
	switch {
	case rec.Newer:
		return fmt.Sprintf("%s, written by a newer version (schemaVersion %d)", OneLine(string(rec.Type)), rec.Version)
	case rec.Message != nil:
		return messageHeadline(rec.Message)
	case rec.Compaction != nil:
		return compactionHeadline(rec.Seq, rec.Compaction)
	case rec.Branch != nil:
		if rec.Branch.FromSeq == 0 {
			return "branch: begins anew"
		}
		return fmt.Sprintf("branch: goes on from #%d", rec.Branch.FromSeq)
	case rec.Revert != nil:
		return fmt.Sprintf("revert of #%d", rec.Revert.TargetSeq)
	case rec.Prune != nil:
		results := plural(len(rec.Prune.Seqs), "tool result", "tool results")
		return fmt.Sprintf("prune: %s cleared", results) + told(", %d tokens", rec.Prune.TokensFreed)
	case rec.Label != nil:
		return fmt.Sprintf("label of #%d: %s", rec.Label.TargetSeq, orNoText(OneLine(rec.Label.Label)))
	case rec.Model != nil:
		return "model: " + OneLine(rec.Model.Provider+" "+rec.Model.Model+" "+rec.Model.ReasoningEffort)
	case rec.Note != nil:
		if rec.Note.Aside {
			return "note of " + OneLine(rec.Note.Namespace) + "  " + asideMark
		}
		return "note of " + OneLine(rec.Note.Namespace)
	}
	return string(rec.Type)
}

// compactionHeadline says what is left of what came before.
func compactionHeadline(seq int64, c *record.Compaction) string {
	kept := fmt.Sprintf("keeps from #%d", c.FirstKeptSeq)
	switch {
	case len(c.Replacement) > 0:
		kept = plural(len(c.Replacement), "message", "messages") + " in place of all before"
	case seq > 0 && c.FirstKeptSeq >= seq:
		kept = "keeps nothing"
	}
	return "compaction: " + kept + told(", %d tokens before", c.TokensBefore)
}

// asideMark says of a message or a note that the model does not see it.
const asideMark = "for a person only"

// told is a count in its words, and nothing where it is 0: other agents do not always tell it.
func told(words string, count int64) string {
	if count == 0 {
		return ""
	}
	return fmt.Sprintf(words, count)
}

func messageHeadline(m *record.Message) string {
	words := []string{string(m.Role)}
	if m.ByAgent {
		words = append(words, "by another agent")
	}
	if m.Model != "" {
		words = append(words, OneLine(m.Model))
	}
	if m.ToolCallID != "" {
		words = append(words, OneLine(m.ToolCallID))
	}
	if m.IsError {
		words = append(words, "error")
	}
	if m.Aside {
		words = append(words, asideMark)
	}
	if m.StopReason == record.StopError || m.StopReason == record.StopAborted {
		words = append(words, m.StopReason)
	}
	return strings.Join(words, "  ")
}

func orNoText(s string) string {
	if s == "" {
		return "none"
	}
	return s
}

// plural is a number with its noun in the right form.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Elsewhere tells of a long text that is kept beside the log.
func Elsewhere(b *record.Block) string {
	if b.Blob == "" {
		return ""
	}
	return "\n[the whole text is in blobs/" + OneLine(b.Blob) + "]"
}
