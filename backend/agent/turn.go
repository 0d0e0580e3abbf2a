package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"palimpsest/backend/compaction"
	"palimpsest/backend/llm"
	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// Turn is one message and everything that comes of it, until the model has nothing more to do.
type Turn struct {
	ID      string
	session string
	message Message
	agent   *Agent
	events  *Emitter

	ctx    context.Context
	cancel context.CancelCauseFunc
	// begun is told once, when the message is on disk or it is clear that it will not be.
	begun chan begun
	// sender ends the wait for the session, of a turn that was not queued, until the message is on disk.
	sender context.Context
	// queued and running belong to Agent.mu.
	queued, running bool
	// settled belongs to Agent.mu: the message is in the log, or whoever sent it has it again.
	settled bool

	questions questions
	clock     clock

	log    Session
	choice Choice
	seqs   []int64
	usage  *record.Usage
	unsent bool
	// system is what the model is told besides the conversation, of the request at hand.
	system string
	// full tells that compacting has failed in this turn: it is not tried again before every request.
	full bool
	// recovered tells that the request at hand is the second one after the first was too long.
	recovered bool
	// first tells that nothing was answered in the conversation before, and better is what names it better than it is.
	first  bool
	better func(context.Context)
	// flushed tells that a memory flush was made or tried in this turn.
	flushed bool
}

type begun struct {
	seq int64
	err error
}

// run does all of a turn and returns what tells that it is done.
func (t *Turn) run() (finish func()) {
	t.unsent = !t.message.Retry
	seq, err := t.begin()
	if t.log != nil {
		defer t.log.Close()
	}
	if err != nil && !t.queued && len(t.seqs) == 0 {
		// Who sent it is still there and is told; nothing has begun.
		return func() {
			t.cancel(nil)
			t.begun <- begun{err: err}
		}
	}
	t.settle()
	t.begun <- begun{seq: seq}
	if err == nil {
		t.clock.start()
		err = t.converse()
		t.book()
		if err == nil {
			t.better = t.name()
		}
	}
	return func() {
		t.done(err)
		t.cancel(nil)
	}
}

// settle hands the message back if it did not get into the log; it no longer waits.
func (t *Turn) settle() {
	if unsent := t.agent.deps.Unsent; unsent != nil && t.unsent {
		unsent(t.session, t.message.content())
	}
	t.agent.mu.Lock()
	t.settled = true
	t.agent.mu.Unlock()
	if t.queued {
		t.agent.keepQueue(t.session)
	}
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
	if errors.Is(context.Cause(t.ctx), ErrClosed) {
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

// done tells how the turn ended. Everything is in the log by now.
func (t *Turn) done(err error) {
	d := Done{Status: StatusOK, Seqs: lastOf(t.seqs), Usage: t.usage}
	switch {
	case err == nil:
	case t.stoppedBy(err):
		d.Status = StatusAborted
	default:
		problem := t.agent.deps.ProblemOf(err).Told()
		d.Status, d.Error = StatusError, &problem
		t.events.Send(KindError, problem)
	}
	if t.unsent {
		d.Unsent, d.UnsentImages = clip(t.message.Text, unsentMost-imageMost*len(t.message.Images)), nameless(t.message.Images)
	}
	t.events.Send(KindDone, d)
}

// stoppedBy tells whether an error is no more than that somebody stopped the turn.
func (t *Turn) stoppedBy(err error) bool {
	return t.ctx.Err() != nil && (errors.Is(err, errStopped) || errors.Is(err, ErrClosed) || errors.Is(err, context.Canceled) ||
		llm.ClassOf(err) == llm.ClassCancelled)
}

// CanRetry tells whether the conversation ends with something that has no answer: a message, results, or an answer that
// failed or was stopped before it began.
func CanRetry(c *overlay.Context) bool {
	if at := flushLeft(c); at >= 0 {
		c = before(c, at)
	}
	for _, entry := range slices.Backward(c.Path) {
		if entry.Type != record.TypeMessage {
			continue
		}
		if _, dropped := c.Dropped[entry.Offset]; dropped {
			return len(c.Messages) > 0
		}
		break
	}
	if len(c.Messages) == 0 {
		return false
	}
	for i := range slices.Backward(c.Messages) {
		if last := &c.Messages[i]; last.Overlay != overlay.OverlayNote { // which asks for no answer
			return last.Part != overlay.PartSummary && last.Role != record.RoleAssistant
		}
	}
	return false
}

// stopped is the error of a turn that somebody stopped.
func (t *Turn) stopped() error { return fmt.Errorf("the turn was %w", context.Cause(t.ctx)) }
