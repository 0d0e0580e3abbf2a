package agent

import (
	"context"
	"fmt"

	"palimpsest/backend/compaction"
	"palimpsest/backend/llm"
	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

type begun struct {
	seq int64
	err error
}

// begin takes the session and puts the user's message on disk, before anything is asked.
func (t *Turn) begin() (seq int64, err error) {
	ctx, stop := t.waiting()
	defer stop()
	if t.log, err = t.agent.deps.Hold(ctx, t.session); err != nil {
		return 0, err
	}
	c, err := t.log.Context()
	if err != nil {
		return 0, err
	}
	if !t.message.NoHistory {
		if c, err = t.leaveFlush(c); err != nil {
			return 0, err
		}
		t.first = unanswered(&c)
	}
	if t.message.Retry && !CanRetry(&c) {
		return 0, ErrNothingToAnswer
	}
	if t.choice, err = t.agent.deps.Choose(ctx, t.session, Wanted{t.message.Model, t.message.Provider}, &c); err != nil {
		return 0, err
	}
	if t.choice.Blind && len(t.message.Images) > 0 {
		return 0, fmt.Errorf("%s %w", t.choice.Model, ErrBlind)
	}
	if ctx.Err() != nil {
		return 0, fmt.Errorf("the turn was %w", context.Cause(ctx)) // while it was chosen, which may take a moment
	}
	if t.message.NoHistory {
		t.unsent = false
		t.log.Close()
		t.events.Send(KindStarted, struct{}{})
		return 0, nil
	}
	return t.write(&c)
}

// waiting is the context until the message is on disk.
func (t *Turn) waiting() (ctx context.Context, stop func()) {
	// Whether the agent is closed, not whether this turn has heard of it: of all that are called off at once, the one before may be the first.
	if t.queued && t.agent.isClosed() {
		return context.WithoutCancel(t.ctx), func() {} // what waits when the program ends is still written down
	}
	if t.queued {
		return t.ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(t.ctx)
	release := context.AfterFunc(t.sender, func() { cancel(context.Cause(t.sender)) })
	return ctx, func() {
		release()
		cancel(nil)
	}
}

// write appends what the conversation lacks, a switch of model, if there is one, and the message.
func (t *Turn) write(c *overlay.Context) (seq int64, err error) {
	batch, err := interrupted(c)
	if err != nil {
		return 0, err
	}
	closed := len(batch)
	if t.switches(c) {
		line, err := modelRecord(t.choice)
		if err != nil {
			return 0, err
		}
		batch = append(batch, line)
	}
	if !t.message.Retry {
		line, err := userRecord(t.message.content())
		if err != nil {
			return 0, err
		}
		batch = append(batch, line)
	}
	if err := t.log.Keep(t.message.Images); err != nil {
		return 0, err
	}
	if len(batch) > 0 {
		seqs, err := t.log.Append(batch...)
		t.seqs = append(t.seqs, seqs...)
		if err != nil {
			return 0, err
		}
	}
	t.unsent = false
	t.events.Send(KindStarted, struct{}{})
	t.events.recorded(record.RoleToolResult, t.seqs[:closed])
	if !t.message.Retry {
		seq = t.seqs[len(t.seqs)-1]
		t.events.recorded(record.RoleUser, t.seqs[len(t.seqs)-1:])
	}
	return seq, nil
}

// switches tells whether the conversation is to remember another model from here on, or another place where it is asked.
// What it does not remember at all is the settings' to say, unless somebody chose it.
func (t *Turn) switches(c *overlay.Context) bool {
	had, now := &c.Model, &t.choice
	remembers := had.Provider != ""
	model := remembers || t.message.Model != ""
	place := remembers || now.Named || t.message.Provider != ""
	return model && now.Model != had.Model || place && (now.Provider != had.Provider || now.Named != had.Named)
}

// interrupted gives a result to each call that a turn which broke off left without one. Nobody runs them any more: the
// session is ours. So nothing, a compaction least of all, gets between a call and its result.
func interrupted(c *overlay.Context) ([][]byte, error) {
	var lines [][]byte
	for _, id := range compaction.OpenCalls(c) {
		line, err := resultRecord(llm.Call{ID: id}, Result{Text: "[no result: interrupted]", IsError: true})
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	return lines, nil
}
