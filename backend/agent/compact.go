package agent

import (
	"context"
	"errors"
	"fmt"

	"palimpsest/backend/compaction"
	"palimpsest/backend/llm"
	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/tokens"
)

// fitting is the context for the next request, compacted first if it has outgrown the window (spec §7.5.2). A compaction
// that fails is told of and leaves the context as it was.
func (t *Turn) fitting() (*overlay.Context, error) {
	c, err := t.log.Context()
	if err != nil {
		return nil, err
	}
	if !t.choice.Compact || t.full || Size(&c, t.choice.System) <= t.choice.Budget.Window-t.choice.Budget.Reserve {
		return &c, nil
	}
	plan, err := compaction.Make(&c, compaction.Options{
		KeepRecent: t.choice.Budget.KeepRecent, Limit: t.choice.Budget.Window - t.choice.Budget.Reserve,
	})
	if _, nothing := errors.AsType[*compaction.Nothing](err); nothing {
		return &c, nil
	}
	t.events.enter(StateCompacting)
	t.events.Send(KindCompaction, Compacting{State: "started"})
	var seq int64
	if err == nil {
		seq, err = t.compact(plan)
	}
	if err != nil {
		if t.ctx.Err() != nil {
			return nil, t.stopped()
		}
		problem := t.agent.deps.ProblemOf(err).Told()
		t.events.Send(KindCompaction, Compacting{State: "failed", Error: &problem})
		t.full = true
		return &c, nil
	}
	t.events.Send(KindCompaction, Compacting{State: "done", CommittedSeq: seq})
	if c, err = t.log.Context(); err != nil {
		return nil, err
	}
	return &c, nil
}

// Size is what a request with this context would take, in tokens: what was reported, where that still holds, else the
// calibrated estimate.
func Size(c *overlay.Context, system string) int {
	if c.Reported != nil {
		return *c.Reported
	}
	return tokens.Scale(c.Estimate()+tokens.Estimate(system), c.Calibration)
}

// compact has the summary written by the model that answers the turn, and appends the compaction.
func (t *Turn) compact(plan *compaction.Plan) (int64, error) {
	with := NewSummarizer(t.choice, func(r llm.Retry) {
		t.events.Send(KindRetry, RetryingOf(r))
	})
	draft, err := compaction.Summarize(t.ctx, with, compaction.Request{Plan: plan})
	if err != nil {
		return 0, err
	}
	t.usage = add(t.usage, draft.Usage)
	lines, err := compaction.Records(compaction.Commit{
		Plan: plan, Summary: draft.Summary, Model: draft.Model, Trigger: compaction.TriggerThreshold,
	})
	if err != nil {
		return 0, err
	}
	seqs, err := t.log.Append(lines...)
	t.seqs = append(t.seqs, seqs...)
	if err != nil {
		return 0, err
	}
	return seqs[len(seqs)-1], nil
}

// Summarizer lets a model that answers turns write summaries.
type Summarizer struct {
	choice Choice
	retry  func(llm.Retry)
}

// NewSummarizer returns a summarizer; retry is told of requests that are made again, and may be nil.
func NewSummarizer(c Choice, retry func(llm.Retry)) *Summarizer { return &Summarizer{c, retry} }

// Budget is that of the model.
func (s *Summarizer) Budget() tokens.Budget { return s.choice.Budget }

// Complete asks once, without tools.
func (s *Summarizer) Complete(ctx context.Context, system, prompt string, text func(string)) (compaction.Completion, error) {
	answer, err := s.choice.Asker.Stream(ctx, llm.Request{
		Model: s.choice.Model, System: system,
		Messages: []overlay.Message{{Role: record.RoleUser, Content: []record.Block{record.TextBlock(prompt)}, Offset: -1}},
	}, func(d llm.Delta) {
		if d.Text != "" {
			text(d.Text)
		}
		if d.Retry != nil && s.retry != nil {
			s.retry(*d.Retry)
		}
	})
	if llm.ClassOf(err) == llm.ClassOverflow {
		err = fmt.Errorf("%w: %w", compaction.ErrOverflow, err)
	}
	return compaction.Completion{
		Text: answer.Text, Stop: answer.Stop, Calls: len(answer.Calls) > 0, Usage: answer.Usage, Model: s.choice.Model,
	}, err
}
