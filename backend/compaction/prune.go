package compaction

import (
	"cmp"
	"fmt"
	"slices"

	"palimpsest/backend/overlay"
	"palimpsest/backend/tokens"
)

// Prune names tool results to be cleared.
type Prune struct {
	Seqs        []int64
	TokensFreed int
}

// prune clears the largest tool results of the kept part until it fits.
func (s *span) prune(p *Plan, limit int) error {
	clearable := s.clearable()
	var results []*overlay.Message
	for i := range p.Keep {
		if m := &p.Keep[i]; clearable(m) {
			results = append(results, m)
		}
	}
	slices.SortStableFunc(results, func(a, b *overlay.Message) int { return cmp.Compare(b.Tokens, a.Tokens) })
	prune := &Prune{}
	for _, m := range results {
		freed := m.Frees()
		if p.TokensKept <= limit || freed <= 0 {
			break
		}
		prune.Seqs = append(prune.Seqs, m.Seq)
		prune.TokensFreed += freed
		p.TokensKept -= freed
	}
	if p.TokensKept > limit {
		return fmt.Errorf("%w: the messages that are kept alone are about %s tokens, of %s that there is room for", ErrOverflow, tokens.Written(p.TokensKept), tokens.Written(limit))
	}
	slices.Sort(prune.Seqs)
	p.Prune = prune
	return nil
}

// clearable tells whether a message is a tool result that a prune appended now can name.
func (s *span) clearable() func(*overlay.Message) bool {
	named := s.named()
	return func(m *overlay.Message) bool {
		return m.Clearable() && m.Seq <= s.lastSeq && named[m.Seq] == m.Offset
	}
}

// named is the place that each seq on the path means to a record appended now. Only in a damaged log can two have the same,
// or one a higher seq than the record that would name it.
func (s *span) named() map[int64]int64 {
	named := make(map[int64]int64, len(s.path))
	for _, place := range s.path {
		named[place.Seq] = place.Offset
	}
	return named
}
