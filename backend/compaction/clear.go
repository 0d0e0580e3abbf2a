package compaction

import (
	"encoding/json"
	"fmt"
	"slices"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// How much old tool output is cleared before anything is summarized: the figures are opencode's.
const (
	// clearTurns are the newest turns whose results stay.
	clearTurns = 2
	// ClearProtected is how many tokens of the newest older results stay, too.
	ClearProtected = 40_000
	// ClearLeast is how many tokens have to be freed for it to be worth a record: the servers' caches are lost with it.
	ClearLeast = 20_000
)

// Clear names the old tool results that the model can do without, nil if there are not enough of them. Those of protected
// tools stay.
func Clear(c *overlay.Context, protected []string) *Prune {
	s := spanOf(c)
	clearable := s.clearable()
	tools := toolsOf(c, clearable)
	prune := &Prune{}
	turns, newer := 0, 0
	for i := range slices.Backward(s.messages) {
		m := &s.messages[i]
		if m.Role == record.RoleUser && m.Overlay == "" {
			turns++
		}
		if turns < clearTurns || !clearable(m) || slices.Contains(protected, tools[m.Offset]) {
			continue
		}
		newer += m.Tokens
		if freed := m.Frees(); newer > ClearProtected && freed > 0 {
			prune.Seqs = append(prune.Seqs, m.Seq)
			prune.TokensFreed += freed
		}
	}
	if prune.TokensFreed < ClearLeast {
		return nil
	}
	slices.Sort(prune.Seqs)
	return prune
}

// Record is the record of a prune, as JSON without seq.
func (p *Prune) Record() ([]byte, error) {
	text, err := json.Marshal(pruneRecord{RecordType: string(record.TypePrune), Seqs: p.Seqs, TokensFreed: p.TokensFreed})
	if err != nil {
		return nil, fmt.Errorf("encoding the prune: %w", err)
	}
	return text, nil
}
