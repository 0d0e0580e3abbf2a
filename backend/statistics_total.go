package backend

import (
	"cmp"

	"palimpsest/backend/digest"
	"palimpsest/backend/record"
)

// add adds what happened in a session; what it does not tell is left as it is.
func (t *Total) add(id string, s *digest.Sum) {
	if t.counted == nil {
		t.counted = map[string]bool{}
	}
	if !t.counted[id] {
		t.counted[id] = true
		t.Sessions++
	}
	t.Messages += s.Messages
	t.Prompts += s.Prompts
	t.Compactions += s.Compactions
	if u := s.Usage; u != nil {
		for _, pair := range []struct {
			kind record.Kinds
			to   **int64
			from int64
		}{
			{record.InputTokens, &t.Input, u.Input},
			{record.OutputTokens, &t.Output, u.Output},
			{record.CacheReadTokens, &t.CacheRead, u.CacheRead},
			{record.CacheWriteTokens, &t.CacheWrite, u.CacheWrite},
		} {
			if u.Untold&pair.kind != 0 {
				continue
			}
			sum := pair.from
			if *pair.to != nil {
				sum += **pair.to
			}
			*pair.to = &sum
		}
	}
	if s.Cost != nil && s.Priced == s.Answers {
		t.Cost = plus(t.Cost, s.Cost)
	}
}

// join adds what happened in other sessions.
func (t *Total) join(other *Total) {
	t.Sessions += other.Sessions
	t.Messages += other.Messages
	t.Prompts += other.Prompts
	t.Compactions += other.Compactions
	t.Input, t.Output = plus(t.Input, other.Input), plus(t.Output, other.Output)
	t.CacheRead, t.CacheWrite = plus(t.CacheRead, other.CacheRead), plus(t.CacheWrite, other.CacheWrite)
	t.Cost = plus(t.Cost, other.Cost)
	t.Lacks.Usage += other.Lacks.Usage
	t.Lacks.Cost += other.Lacks.Cost
	t.Lacks.Kinds.Add(&other.Lacks.Kinds)
}

// plus is the sum of two of which either may be unknown.
func plus[T int64 | float64](a, b *T) *T {
	if a == nil || b == nil {
		return cmp.Or(a, b)
	}
	sum := *a + *b
	return &sum
}
