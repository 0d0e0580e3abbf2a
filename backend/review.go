package backend

import (
	"context"
	"errors"
	"fmt"

	"palimpsest/backend/compaction"
	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// Review is a compaction as it is looked at: one that could be made now, or one that was.
type Review struct {
	SessionID string  `json:"sessionId"`
	Plan      *Plan   `json:"plan"`
	Reason    *string `json:"reason"`
	// Proposed tells that the rule would compact nothing.
	Proposed bool `json:"proposed"`
	// Model would write the summary, nil if none is configured; InputTokens is what it would be sent, in Requests requests.
	Model       *string   `json:"model"`
	InputTokens int       `json:"inputTokens"`
	Requests    int       `json:"requests"`
	Previous    *Previous `json:"previous"`
	// Rows are the messages that it can take or keep, at most rowsMost around the cut: FirstRow is the place of the first
	// among TotalRows.
	Rows      []ReviewRow `json:"rows"`
	FirstRow  int         `json:"firstRow"`
	TotalRows int         `json:"totalRows"`
	// EndSeq as a cut keeps nothing.
	EndSeq int64 `json:"endSeq"`
	// Compaction is the one looked at, nil for one that could be made.
	Compaction *PastCompaction `json:"compaction"`
}

// Previous is the compaction that this one builds on.
type Previous struct {
	Seq       int64  `json:"seq"`
	Timestamp string `json:"timestamp"`
	Summary   string `json:"summary"`
	Tokens    int    `json:"tokens"`
}

// ReviewRow is a message in short.
type ReviewRow struct {
	Seq  int64   `json:"seq"`
	Role string  `json:"role"`
	Tool *string `json:"tool"`
	Text string  `json:"text"`
	// Tokens is the raw estimate.
	Tokens int `json:"tokens"`
	// Boundary tells that the context can be cut before it.
	Boundary bool `json:"boundary"`
}

// PastCompaction is a compaction record.
type PastCompaction struct {
	Seq       int64  `json:"seq"`
	Timestamp string `json:"timestamp"`
	Summary   string `json:"summary"`
	// Foreign tells that another agent made it, here or where this session was copied from: which model it asked it may not tell.
	Foreign      bool    `json:"foreign"`
	Model        *string `json:"model"`
	Trigger      *string `json:"trigger"`
	Edited       bool    `json:"edited"`
	Instructions *string `json:"instructions"`
	TokensAfter  *int64  `json:"tokensAfter"`
	State        State   `json:"state"`
	RevertedBy   *int64  `json:"revertedBy"`
}

// rowsMost bounds a review.
const rowsMost = 2000

// PlanCompaction shows a compaction that could be made now.
func (b *Backend) PlanCompaction(ctx context.Context, id string, cut Cut) (Review, error) {
	defer b.leanFor(id)()
	c, err := b.resolve(id)
	if err != nil {
		return Review{}, err
	}
	b.learn(ctx, &c, offersWait)
	out := Review{SessionID: id, Rows: []ReviewRow{}, EndSeq: c.LastSeq + 1, Previous: previousOf(&c)}
	plan, err := b.plan(id, &c, cut, false)
	nothing, isNothing := errors.AsType[*compaction.Nothing](err)
	switch {
	case isNothing:
		out.Reason = &nothing.Reason
		return out, out.fill(&c, len(c.Messages))
	case err != nil:
		return Review{}, fmt.Errorf("session %s: %w", id, err)
	}
	out.Plan, out.Proposed = planOf(plan), plan.Proposed
	if err := out.fill(&c, len(out.Plan.Summarize)); err != nil {
		return Review{}, err
	}
	settings, err := b.settingsIn(id, &c, "")
	if err == nil && b.usable(settings, c.Model.Model) == nil {
		model := settings.Compaction.Model
		if model == "" {
			model = modelFor(settings, &c, b.offers.known(addressOf(settings)))
		}
		out.Model = &model
		out.InputTokens, out.Requests = plan.Cost(b.budget(settings, model))
	}
	return out, nil
}

// fill puts in the rows around a cut.
func (r *Review) fill(c *overlay.Context, cut int) error {
	rows := compaction.Rows(c)
	r.TotalRows = len(rows)
	r.FirstRow = max(0, min(cut-rowsMost/2, len(rows)-rowsMost))
	rows = rows[r.FirstRow:min(r.FirstRow+rowsMost, len(rows))]
	shown, err := compaction.Show(c, rows)
	if err != nil {
		return fmt.Errorf("session %s: %w", r.SessionID, err)
	}
	for i, row := range rows {
		r.Rows = append(r.Rows, ReviewRow{
			Seq: row.From, Role: shown[i].Role, Tool: known(shown[i].Tool), Text: shown[i].Text, Tokens: row.Tokens, Boundary: row.Boundary,
		})
	}
	return nil
}

// previousOf is the compaction in force, nil if there is none.
func previousOf(c *overlay.Context) *Previous {
	if c.Compaction == nil {
		return nil
	}
	return &Previous{
		Seq: c.CompactionSeq, Timestamp: stamp(c.CompactionTime), Summary: c.Compaction.Summary, Tokens: compaction.TokensAfter(c.Compaction.Summary),
	}
}

// Review shows a compaction as it was made.
func (b *Backend) Review(id string, seq int64) (Review, error) {
	v, err := b.view(id)
	if err != nil {
		return Review{}, err
	}
	defer v.close()
	i, err := v.index.Find(seq)
	if err != nil {
		return Review{}, fmt.Errorf("session %s: %w", id, err)
	}
	rec, err := v.overlayAt(i)
	if err != nil {
		return Review{}, fmt.Errorf("session %s: %w", id, err)
	}
	if rec == nil || rec.Compaction == nil {
		return Review{}, fmt.Errorf("%w: session %s: record %d is no compaction", session.ErrInput, id, seq)
	}
	c, err := v.resolve(v.index.Lines.At(i).Offset)
	if err != nil {
		return Review{}, err
	}
	out := Review{SessionID: id, Rows: []ReviewRow{}, EndSeq: c.LastSeq + 1, Compaction: v.pastCompaction(i, rec)}
	out.Previous = previousOf(&c)
	var cut int
	out.Plan, cut = pastPlan(&c, rec.Compaction, out.Previous)
	if n, told := v.states.Covered(&v.index)[i]; told {
		out.Plan.Goes = n // as everywhere, also of what a model never saw
	}
	return out, out.fill(&c, cut)
}

func (v *view) pastCompaction(i int, rec *record.Record) *PastCompaction {
	state, _ := v.states.Of(&v.index, i)
	past := &PastCompaction{
		Seq: rec.Seq, Timestamp: stamp(rec.Time), Summary: rec.Compaction.Summary, Model: known(rec.Compaction.Model),
		Trigger: known(rec.Compaction.Trigger), Edited: rec.Compaction.Edited, Instructions: known(rec.Compaction.Instructions),
		TokensAfter: rec.Compaction.TokensAfter, State: state, Foreign: rec.Compaction.Foreign,
	}
	if state == StateReverted {
		past.RevertedBy = v.revertedBy(i)
	}
	return past
}

// pastPlan is what a compaction took and kept of the context that it was made on, and before which row it cut. The numbers are those of its
// record.
func pastPlan(c *overlay.Context, made *record.Compaction, previous *Previous) (p *Plan, cut int) {
	p = &Plan{
		CutSeq: made.FirstKeptSeq, Summarize: []int64{}, Keep: []int64{}, SplitTurn: made.SplitTurn,
		TokensBefore: int(made.TokensBefore), ReadFiles: append([]string{}, made.ReadFiles...),
		ModifiedFiles: append([]string{}, made.ModifiedFiles...),
	}
	if made.TokensAfter != nil {
		after := int(*made.TokensAfter)
		p.TokensAfter = &after
	}
	if c.Compaction != nil {
		p.PreviousSeq = &c.CompactionSeq
	}
	same := map[int64]bool{}
	for _, seq := range made.KeptSeqs {
		same[seq] = true
	}
	rows := compaction.Rows(c)
	cut = len(rows)
	for cut > 0 && rows[cut-1].From >= made.FirstKeptSeq && len(made.Replacement) == 0 {
		cut-- // a replacement stands for what was kept, too
	}
	gone := 0
	for i, row := range rows {
		seqs, size, messages := &p.Keep, &p.TokensKept, &p.Stays
		if i < cut && !same[row.From] {
			seqs, size, messages = &p.Summarize, &gone, &p.Goes
		}
		*seqs = append(*seqs, row.From)
		*size += row.Tokens
		if row.Said {
			*messages++
		}
	}
	if made.Foreign {
		p.ofWhole(gone, previous)
	}
	return p, cut
}

// messagesIn counts those that a log holds as such.
func messagesIn(messages []overlay.Message) (n int) {
	for i := range messages {
		if messages[i].Seq != 0 {
			n++
		}
	}
	return n
}

// ofWhole makes of the numbers of another agent, which are of all that its model saw, those of what went and of the summary alone, so
// that they come to the same with the rest. Where it does not tell how much that was, what went has its estimate.
func (p *Plan) ofWhole(gone int, previous *Previous) {
	if p.TokensBefore == 0 {
		p.TokensBefore = gone
	} else {
		if previous != nil {
			p.TokensBefore -= previous.Tokens
		}
		p.TokensBefore = max(0, p.TokensBefore-p.TokensKept)
	}
	if p.TokensAfter != nil {
		*p.TokensAfter = max(0, *p.TokensAfter-p.TokensKept)
	}
}
