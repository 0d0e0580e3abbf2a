package backend

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"palimpsest/backend/agent"
	"palimpsest/backend/library"
	"palimpsest/backend/session"
)

// Outgoing is what a user sends.
type Outgoing struct {
	Text string `json:"text"`
	// Images go with the text, which may be empty then.
	Images []OutgoingImage `json:"images"`
	// Model is the one wanted from here on, empty for the one in force.
	Model string `json:"model"`
	// Provider is who serves it from here on, by the name in the settings; empty for the one in force.
	Provider string `json:"provider"`
	// Retry asks for another answer to what is there; there is no text then.
	Retry bool `json:"retry"`
	// NoHistory asks without the conversation, and leaves nothing in it.
	NoHistory bool `json:"noHistory"`
	// Allow are rules for tools that hold for this turn alone.
	Allow []string `json:"allow"`
	// Key is what the window that sends it calls it, and By what that window is called: what it laid on the desk of the message
	// counts until the message is taken, or it is gone; may be empty. The log has the key with the message.
	Key string `json:"key"`
	By  string `json:"by"`
}

// Sent says what became of a message.
type Sent struct {
	TurnID string `json:"turnId"`
	Queued bool   `json:"queued"`
	// Seq is the message's in the log, nil as long as it waits and where there is none.
	Seq *int64 `json:"seq"`
	// Ahead is how many turns come before it.
	Ahead int `json:"ahead"`
}

// Turns is what goes on in a session, as far as this process does it.
type Turns struct {
	Running *agent.Snapshot `json:"running"`
	Queued  []agent.Waiting `json:"queued"`
	// CanRetry tells that the conversation ends with something that has no answer.
	CanRetry bool `json:"canRetry"`
	// HeldBy is another process that is writing to the session, nil if none is.
	HeldBy *session.Holder `json:"heldBy"`
	// ReadOnly tells that this process may not write to it.
	ReadOnly bool `json:"readOnly"`
	// NoTools says why the model is offered no tools here, nil if it is offered some.
	NoTools *string `json:"noTools"`
}

// Ended is a turn that was stopped, or a message that was withdrawn.
type Ended struct {
	TurnID    string `json:"turnId"`
	Withdrawn bool   `json:"withdrawn"`
	Text      string `json:"text"`
	// Images went with the text.
	Images []agent.Image `json:"images,omitempty"`
}

// Send takes a message for a session. It returns when the message is on disk or, behind another turn, in the queue.
// Listen is told of every event of the turn, in order; it may be nil, and may neither block nor call back.
func (b *Backend) Send(ctx context.Context, id string, m Outgoing, listen func(agent.Event)) (Sent, error) {
	if _, err := b.store.Get(id); err != nil {
		return Sent{}, err
	}
	if err := m.check(); err != nil {
		return Sent{}, fmt.Errorf("%w: session %s: %w", session.ErrInput, id, err)
	}
	return b.submit(ctx, id, m, listen)
}

// check says what is wrong with a message, whichever session it is for.
func (m *Outgoing) check() error {
	switch empty := strings.TrimSpace(m.Text) == "" && len(m.Images) == 0; {
	case empty && !m.Retry:
		return errors.New("the message is empty")
	case !empty && m.Retry:
		return errors.New("trying again takes no new text")
	case m.Retry && m.NoHistory:
		return errors.New("without history there is nothing to try again")
	case len(m.Key) > messageKeyMost:
		return fmt.Errorf("the key of a message may have %d bytes", messageKeyMost)
	}
	return errors.Join(m.checkImages(), checkAllowed(m.Allow))
}

func (b *Backend) submit(ctx context.Context, id string, m Outgoing, listen func(agent.Event)) (Sent, error) {
	end, err := b.unanswered.begin(m.Key)
	if err != nil {
		return Sent{}, fmt.Errorf("session %s: %w", id, err)
	}
	defer end()
	if err := b.checkProvider(m.Provider); err != nil {
		return Sent{}, err
	}
	images, err := b.imagesOf(id, m.Images)
	if err != nil {
		return Sent{}, fmt.Errorf("session %s: %w", id, err)
	}
	sent, err := b.agent.Submit(ctx, id, agent.Message{
		Text: m.Text, Images: images, Model: m.Model, Provider: m.Provider, Retry: m.Retry, NoHistory: m.NoHistory, Allow: m.Allow,
		Key: m.Key, Listen: listen,
	})
	if err != nil {
		if m.Key != "" && ctx.Err() != nil { // nobody is there to have it in the field again
			b.giveBack(id, agent.Content{Text: m.Text, Images: images, Key: m.Key})
			b.settle(id, m)
		}
		return Sent{}, err
	}
	b.settle(id, m)
	out := Sent{TurnID: sent.TurnID, Queued: sent.Ahead > 0, Ahead: sent.Ahead}
	if sent.Seq != 0 {
		out.Seq = &sent.Seq
	}
	return out, nil
}

// EndTurn stops the running turn, or withdraws a message that waits.
func (b *Backend) EndTurn(id, turnID string) (Ended, error) {
	said, withdrawn, err := b.agent.End(id, turnID)
	if err != nil {
		return Ended{}, fmt.Errorf("session %s: turn %.30q: %w", id, turnID, err)
	}
	return Ended{TurnID: turnID, Withdrawn: withdrawn, Text: said.Text, Images: said.Images}, nil
}

// Turns tells what goes on in a session.
func (b *Backend) Turns(id string) (Turns, error) {
	if library.IsRef(id) {
		return b.foreignTurns(id)
	}
	out, err := b.turns(id)
	if err != nil {
		return out, err
	}
	if out.HeldBy, err = b.store.HeldBy(id); err != nil {
		return out, err
	}
	writable, err := b.store.Writable(id)
	if out.Running == nil && len(out.Queued) == 0 && out.HeldBy == nil {
		b.giveBackQueued(id)
	}
	out.ReadOnly, out.NoTools = !writable, b.noTools(id)
	return out, err
}

// Asking are the sessions whose turns in this process wait for an answer of the user's.
func (b *Backend) Asking() []string { return b.agent.Asking() }

func (b *Backend) turns(id string) (Turns, error) {
	state := b.agent.State(id) // before the log, so that what is done is in it
	out := Turns{Running: state.Running, Queued: state.Queued}
	if state.Running != nil || len(state.Queued) > 0 {
		_, err := b.store.Get(id)
		return out, err
	}
	v, err := b.glance(id)
	if err != nil {
		return out, err
	}
	defer v.close()
	if v.states.Outlook() != nil {
		return out, nil // too large to be asked about; sending works all the same
	}
	c, err := b.resolve(id)
	if err != nil {
		return out, err
	}
	out.CanRetry = agent.CanRetry(&c)
	return out, nil
}

// agentDeps is what the agent needs of the program.
func (b *Backend) agentDeps() agent.Deps {
	return agent.Deps{
		Hold: b.holdForTurn, Choose: b.choose, Publish: b.news.turn,
		Queued: b.keepQueued, Unsent: func(id string, m agent.Content) { b.giveBack(id, m) }, Check: b.reachable,
		Inject: b.injectText, Name: b.nameAfter, Compacting: b.compacting.turn, Memory: memories{b}, Tools: &b.toolbox, ProblemOf: agentProblem, Warn: b.warn,
	}
}

// agentProblem is an error in the agent's terms.
func agentProblem(err error) agent.Problem {
	p := ProblemOf(err)
	return agent.Problem{Code: string(p.Code), Message: p.Message, Hint: p.Hint}
}
