package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"

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
		why, dropped := c.Dropped[entry.Offset]
		if why == overlay.Aside {
			continue
		}
		if dropped {
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
