package session

import (
	"encoding/json"
	"math"

	"palimpsest/backend/record"
)

// Metrics is what a session took, as far as its log tells: all records count, on every branch, since that was spent. What no
// record reports is nil.
type Metrics struct {
	// Input, Output, CacheRead and CacheWrite are tokens of answers and of summaries, and Total is all of them.
	Input      *int64 `json:"input"`
	Output     *int64 `json:"output"`
	CacheRead  *int64 `json:"cacheRead"`
	CacheWrite *int64 `json:"cacheWrite"`
	Total      *int64 `json:"total"`
	// ContextTokens is the size of the context as the last answer reported it, nil once something else has changed it.
	ContextTokens *int64 `json:"contextTokens"`
	// Cost is in US dollars, nil unless it is known of everything that was used: a part of it would look like all.
	Cost *float64 `json:"cost"`
	// Untold are the answers that don't report what they took: there is more than the sums say.
	Untold int `json:"untold,omitempty"`
	// UntoldKinds counts the reports that leave a kind out: there is more of it than its sum says, if it has one.
	UntoldKinds record.ByKind `json:"untoldKinds,omitzero"`
	Compactions int           `json:"compactions"`
	// Turns are the messages of the user.
	Turns int `json:"turns"`
}

// spent are the numbers as they are counted, so that counts can be compared.
type spent struct {
	// reported tells that any usage was, and told which kinds of tokens.
	reported                             bool
	told                                 record.Kinds
	input, output, cacheRead, cacheWrite int64
	context                              int64 // 0 if it is not known
	// cost of everything, unless it is unknown of some of it.
	cost        float64
	costUnknown bool
	untold      int
	untoldKinds record.ByKind
	turns       int
}

// countAnswer takes what an answer took, and the size of the context with it. What came without a report, be it of an answer
// that was stopped, was paid for all the same.
func (s *spent) countAnswer(a record.Answered) {
	if !a.Reported {
		if a.Said && a.Model != "" {
			s.cost, s.costUnknown = 0, true
			s.untold++
		}
		return
	}
	s.count(&a.Usage)
	if !a.Failed {
		s.context = 0
		if a.Usage.Untold&record.InputTokens == 0 { // the rest alone is not its size
			s.context = total(&a.Usage)
		}
	}
}

func (s *spent) count(u *record.Usage) {
	s.reported = true
	s.told |= record.AllTokens &^ u.Untold
	s.untoldKinds.Count(u.Untold)
	s.input, s.output = plus(s.input, u.Input), plus(s.output, u.Output)
	s.cacheRead, s.cacheWrite = plus(s.cacheRead, u.CacheRead), plus(s.cacheWrite, u.CacheWrite)
	if u.Cost != nil {
		s.cost += *u.Cost
	}
	if s.costUnknown = s.costUnknown || u.Cost == nil || math.IsInf(s.cost, 0); s.costUnknown {
		s.cost = 0
	}
}

// countOverlay takes what a summary took. What changes the context ends what was reported of its size.
func (s *spent) countOverlay(rec *record.Record) {
	switch rec.Type {
	case record.TypeCompaction:
		if used := rec.Compaction.Usage; used != nil {
			s.count(used)
		}
		s.context = 0
	case record.TypeBranch, record.TypeRevert, record.TypePrune:
		s.context = 0
	case record.TypeMessage, record.TypeLabel, record.TypeModel, record.TypeNote:
	}
}

func total(u *record.Usage) int64 {
	return plus(plus(plus(plus(0, u.Input), u.Output), u.CacheRead), u.CacheWrite)
}

// plus adds tokens, whatever somebody else has written there.
func plus(sum int64, n int) int64 { return min(sum+max(int64(n), 0), record.MaxSeq) }

// metrics are the numbers as metadata has them.
func (s *spent) metrics(compactions int) *Metrics {
	m := &Metrics{Untold: s.untold, UntoldKinds: s.untoldKinds, Compactions: compactions, Turns: s.turns}
	if s.context > 0 {
		m.ContextTokens = &s.context
	}
	if !s.reported {
		return m
	}
	all := plus(plus(plus(s.input, int(s.output)), int(s.cacheRead)), int(s.cacheWrite))
	m.Total = &all
	for _, part := range s.parts(m) {
		if s.told&part.kind != 0 {
			*part.told = part.n
		}
	}
	if !s.costUnknown {
		m.Cost = &s.cost
	}
	return m
}

// part is the number of one kind of tokens, as it is counted and as metadata has it.
type part struct {
	kind record.Kinds
	n    *int64
	told **int64
}

func (s *spent) parts(m *Metrics) []part {
	return []part{
		{record.InputTokens, &s.input, &m.Input},
		{record.OutputTokens, &s.output, &m.Output},
		{record.CacheReadTokens, &s.cacheRead, &m.CacheRead},
		{record.CacheWriteTokens, &s.cacheWrite, &m.CacheWrite},
	}
}

// spentOf are the numbers that metadata has.
func spentOf(m *Metrics) (s spent) {
	if m == nil {
		return s
	}
	s.untold, s.untoldKinds, s.turns = m.Untold, m.UntoldKinds, m.Turns
	s.reported, s.costUnknown = m.Total != nil, m.Total != nil && m.Cost == nil
	for _, part := range s.parts(m) {
		if *part.told != nil {
			*part.n = **part.told
			s.told |= part.kind
		}
	}
	if m.ContextTokens != nil {
		s.context = *m.ContextTokens
	}
	if m.Cost != nil {
		s.cost = *m.Cost
	}
	return s
}

// Spent are the session's metrics, nil where metadata has none that this version understands.
func (m *Metadata) Spent() *Metrics {
	var known struct {
		Metrics
		Turns       *int `json:"turns"`
		Compactions *int `json:"compactions"`
	}
	if json.Unmarshal(m.Metrics, &known) != nil || known.Turns == nil || known.Compactions == nil {
		return nil
	}
	out := known.Metrics
	out.Turns, out.Compactions = *known.Turns, *known.Compactions
	if !out.sound() {
		return nil
	}
	return &out
}

// sound tells whether metrics may be those of a log.
func (m *Metrics) sound() bool {
	parts := []*int64{m.Input, m.Output, m.CacheRead, m.CacheWrite, m.Total}
	for _, n := range parts {
		if n != nil && (m.Total == nil || *n < 0 || *n > record.MaxSeq) {
			return false
		}
	}
	context := m.ContextTokens == nil || *m.ContextTokens > 0
	return context && m.Untold >= 0 && m.UntoldKinds.Below(0) == 0 && m.Turns >= 0 && m.Compactions >= 0 && (m.Cost == nil || m.Total != nil && *m.Cost >= 0)
}

// setMetrics keeps metrics as metadata has them.
func (m *Metadata) setMetrics(metrics *Metrics) {
	text, err := json.Marshal(metrics)
	if err != nil { // numbers that are finite always can be encoded
		text = nil
	}
	m.Metrics = text
}
