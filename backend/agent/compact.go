package agent

import (
	"encoding/json"
	"errors"
	"fmt"

	"palimpsest/backend/compaction"
	"palimpsest/backend/llm"
	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/tokens"
)

// fitting is the context for the next request, made to fit first if it has outgrown the window (spec §7.5.2): old tool
// results are cleared and, where that is not enough, older messages summarized. What fails of it is told of and leaves
// the context as it was.
func (t *Turn) fitting() (*overlay.Context, error) {
	c, err := t.told()
	if err != nil || !t.choice.Compaction.Auto || t.full {
		return c, err
	}
	if c, err = t.flush(c); err != nil {
		return nil, err
	}
	if !t.outgrown(c) {
		return c, nil
	}
	if c, err = t.clear(c, t.choice.Budget); err != nil {
		return nil, err
	}
	if t.full || !t.outgrown(c) || t.noRoom() {
		return c, nil
	}
	compacted, err := t.compact(c, compaction.TriggerThreshold, t.choice.Budget, t.byNumber(c))
	if err != nil || !compacted {
		return c, err
	}
	c, err = t.told() // anew: a summary takes its time
	t.full = err == nil && t.outgrown(c)
	return c, err
}

// told is the context, with what the model is told besides it.
func (t *Turn) told() (*overlay.Context, error) {
	if err := t.inject(); err != nil {
		return nil, err
	}
	return t.context()
}

func (t *Turn) inject() (err error) {
	if inject := t.agent.deps.Inject; inject != nil {
		t.system, err = inject(t.session)
	}
	return err
}

// noRoom tells whether what the model is told besides the conversation takes all the room there is, and says so: then no
// compaction helps.
func (t *Turn) noRoom() bool {
	overhead, trigger := Overhead(t.system, t.agent.Offered(t.session)), t.choice.Budget.Trigger()
	if overhead < trigger {
		return false
	}
	t.failed(fmt.Errorf("what the model is told besides the conversation takes about %s tokens, and there is room for %s: shorten AGENTS.md or the system prompt", tokens.Written(overhead), tokens.Written(trigger)))
	return true
}

func (t *Turn) context() (*overlay.Context, error) {
	c, err := t.log.Context()
	if err != nil {
		return nil, err
	}
	return &c, nil
}

// outgrown tells whether a context has to be made to fit.
func (t *Turn) outgrown(c *overlay.Context) bool {
	return t.size(c) > t.choice.Budget.Trigger() || t.tooMany(c)
}

// tooMany tells whether there are more messages than the user wants.
func (t *Turn) tooMany(c *overlay.Context) bool {
	most, n := t.choice.Compaction.MaxMessages, 0
	for i := range c.Messages {
		if c.Messages[i].Part != overlay.PartSummary {
			n++
		}
	}
	return most > 0 && n > most
}

// byNumber tells whether there are too many messages where it is tokens that say how much stays: that may be all of them, and
// half go then.
func (t *Turn) byNumber(c *overlay.Context) bool {
	return t.tooMany(c) && t.choice.Compaction.KeepMessages == 0
}

func (t *Turn) size(c *overlay.Context) int {
	return Size(c, Overhead(t.system, t.agent.Offered(t.session)))
}

// Size is what a request with this context would take, in tokens: what was reported, where that still holds, else the
// calibrated estimate of the messages and of what is sent with them.
func Size(c *overlay.Context, overhead int) int {
	if c.Reported != nil {
		return *c.Reported
	}
	return tokens.Scale(c.Estimate()+overhead, c.Calibration)
}

// Overhead is the raw estimate of what a request holds besides its messages.
func Overhead(system string, tools []llm.Tool) int {
	total := tokens.Estimate(system)
	for _, tool := range tools {
		total += tokens.Estimate(tool.Name + tool.Description + string(tool.Parameters))
	}
	return total
}

// clear appends a prune of old tool results if there are enough of them and it is tokens that are too many.
func (t *Turn) clear(c *overlay.Context, budget tokens.Budget) (*overlay.Context, error) {
	how := &t.choice.Compaction
	if !how.Prune || t.size(c) <= budget.Trigger() {
		return c, nil
	}
	prune := compaction.Clear(c, how.Protected)
	if prune == nil {
		return c, nil
	}
	line, err := prune.Record()
	if err != nil {
		return nil, err
	}
	seqs, err := t.log.Append(line)
	t.seqs = append(t.seqs, seqs...)
	if err != nil {
		t.failed(err)
		return c, nil
	}
	t.events.Send(KindCompaction, Compacting{State: "pruned", CommittedSeq: seqs[0], TokensFreed: prune.TokensFreed})
	return t.context()
}

// compact summarizes older messages, and tells whether it did. What fails is told of; the error is that the turn was
// stopped.
func (t *Turn) compact(c *overlay.Context, trigger string, budget tokens.Budget, propose bool) (bool, error) {
	plan, err := compaction.Make(c, compaction.Options{
		KeepRecent: budget.KeepRecent, KeepMessages: t.choice.Compaction.KeepMessages, Limit: budget.Window - budget.Reserve, Propose: propose,
	})
	if _, nothing := errors.AsType[*compaction.Nothing](err); nothing {
		return false, nil
	}
	if t.agent.deps.Compacting != nil {
		defer t.agent.deps.Compacting(t.session)()
	}
	t.events.enter(StateCompacting)
	t.events.Send(KindCompaction, Compacting{State: "started", Trigger: trigger})
	done := Compacting{State: "done", Trigger: trigger}
	if err == nil {
		err = t.summarize(plan, budget, &done)
	}
	if err == nil {
		t.events.Send(KindCompaction, done)
		return true, nil
	}
	if t.ctx.Err() != nil {
		return false, t.stopped()
	}
	t.failed(err)
	return false, nil
}

// failed tells that compacting did, and keeps it from being tried again before every request.
func (t *Turn) failed(err error) {
	problem := t.agent.deps.ProblemOf(err).Told()
	t.events.Send(KindCompaction, Compacting{State: "failed", Error: &problem})
	t.full = true
}

// summarize has the summary written, and appends the compaction.
func (t *Turn) summarize(plan *compaction.Plan, budget tokens.Budget, done *Compacting) error {
	choice := t.choice
	choice.Budget = budget
	with := NewSummarizer(choice, t.events.retries)
	draft, err := compaction.Compose(t.ctx, t.choice.Compaction.Hook, done.Trigger, compaction.Request{Plan: plan},
		func(r compaction.Request) (*compaction.Draft, error) { return compaction.Summarize(t.ctx, with, r) })
	if err != nil {
		return err
	}
	t.usage = t.usage.Plus(draft.Usage)
	lines, err := compaction.Records(compaction.Commit{
		Plan: plan, Summary: draft.Summary, Model: draft.Model, Trigger: done.Trigger, Hooked: draft.Hooked, Usage: draft.Usage,
	})
	if err != nil {
		return err
	}
	seqs, err := t.log.Append(lines...)
	t.seqs = append(t.seqs, seqs...)
	if err != nil {
		return errors.Join(err, t.takeBack(seqs))
	}
	t.flushed = false // the next cycle may have its own
	done.CommittedSeq, done.Hook = seqs[len(seqs)-1], draft.Hooked
	return nil
}

// takeBack reverts what was written of a compaction that failed in the middle: the prune before it.
func (t *Turn) takeBack(seqs []int64) error {
	for _, seq := range seqs {
		line, err := json.Marshal(struct {
			RecordType string `json:"recordType"`
			TargetSeq  int64  `json:"targetSeq"`
		}{string(record.TypeRevert), seq})
		if err != nil {
			return fmt.Errorf("encoding a revert: %w", err)
		}
		reverts, err := t.log.Append(line)
		t.seqs = append(t.seqs, reverts...)
		if err != nil {
			return fmt.Errorf("record %d, which clears tool results, could not be taken back: %w", seq, err)
		}
	}
	return nil
}
