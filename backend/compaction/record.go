package compaction

import (
	"encoding/json"
	"fmt"
	"strings"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// What made a compaction happen.
const (
	TriggerManual    = "manual"
	TriggerThreshold = "threshold"
	TriggerOverflow  = "overflow"
)

// Commit is what is written of a plan.
type Commit struct {
	Plan *Plan
	// Summary may have file tags or not; they are made anew.
	Summary string
	// Model wrote the summary, empty for the offline summarizer and for a text that was given.
	Model        string
	Trigger      string
	Instructions string
	// Edited tells that the summary is not, or not only, the summarizer's.
	Edited bool
	// Hooked is what the user's hook did, nil if there is none.
	Hooked *Hooked
	// Usage is what the model took for it, nil if that is not known.
	Usage *record.Usage
}

type compactionRecord struct {
	RecordType    string        `json:"recordType"`
	FirstKeptSeq  int64         `json:"firstKeptSeq"`
	Summary       string        `json:"summary"`
	TokensBefore  int           `json:"tokensBefore"`
	ReadFiles     []string      `json:"readFiles"`
	ModifiedFiles []string      `json:"modifiedFiles"`
	TokensAfter   int           `json:"tokensAfter"`
	Model         string        `json:"model,omitempty"`
	Trigger       string        `json:"trigger"`
	Instructions  string        `json:"instructions,omitempty"`
	Edited        bool          `json:"edited,omitempty"`
	SplitTurn     bool          `json:"splitTurn,omitempty"`
	ActiveModel   *record.Model `json:"activeModel,omitempty"`
	Hook          *Hooked       `json:"hook,omitempty"`
	Usage         *record.Usage `json:"usage,omitempty"`
}

type pruneRecord struct {
	RecordType  string  `json:"recordType"`
	Seqs        []int64 `json:"seqs"`
	TokensFreed int     `json:"tokensFreed"`
}

// Records are the records of a compaction, as JSON without seq: the compaction last and, before it, a prune if what is
// kept would not fit otherwise. They are to be appended in one batch.
func Records(c Commit) ([][]byte, error) {
	if strings.TrimSpace(StripTags(c.Summary)) == "" {
		return nil, fmt.Errorf("%w: the summary is empty", ErrUnusable)
	}
	var all []any
	if p := c.Plan.Prune; p != nil {
		all = append(all, pruneRecord{RecordType: string(record.TypePrune), Seqs: p.Seqs, TokensFreed: p.TokensFreed})
	}
	summary := c.Plan.WithTags(c.Summary)
	compacted := compactionRecord{
		RecordType: string(record.TypeCompaction), FirstKeptSeq: c.Plan.CutSeq, Summary: summary,
		TokensBefore: c.Plan.TokensBefore, TokensAfter: TokensAfter(summary),
		ReadFiles: c.Plan.ReadFiles, ModifiedFiles: c.Plan.ModifiedFiles,
		Model: c.Model, Trigger: c.Trigger, Instructions: c.Instructions, Edited: c.Edited, SplitTurn: c.Plan.SplitTurn,
		Hook: c.Hooked, Usage: c.Usage,
	}
	if c.Plan.model.Model != "" {
		compacted.ActiveModel = &c.Plan.model
	}
	all = append(all, compacted)
	lines := make([][]byte, len(all))
	for i, one := range all {
		text, err := json.Marshal(one)
		if err != nil {
			return nil, fmt.Errorf("encoding the compaction: %w", err)
		}
		lines[i] = text
	}
	return lines, nil
}

// TokensAfter is the raw estimate of the message that a stored summary makes.
func TokensAfter(summary string) int { return overlay.Estimate(overlay.SummaryBlocks(summary)) }
