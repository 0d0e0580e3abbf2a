package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"palimpsest/backend"
	"palimpsest/backend/agent"
	"palimpsest/backend/compaction"
)

// mailbox hands events from the turn to who prints them: the turn must not wait for a slow terminal.
type mailbox struct {
	mu     sync.Mutex
	events []agent.Event
	signal chan struct{}
}

func newMailbox() *mailbox { return &mailbox{signal: make(chan struct{}, 1)} }

func (m *mailbox) put(e agent.Event) {
	m.mu.Lock()
	m.events = append(m.events, e)
	m.mu.Unlock()
	select {
	case m.signal <- struct{}{}:
	default:
	}
}

func (m *mailbox) take() []agent.Event {
	m.mu.Lock()
	defer m.mu.Unlock()
	events := m.events
	m.events = nil
	return events
}

// post sends a message, and says where it went.
type post func(ctx context.Context, b *backend.Backend, listen func(agent.Event)) (backend.Delivered, error)

func toSession(id string, m backend.Outgoing) post {
	return func(ctx context.Context, b *backend.Backend, listen func(agent.Event)) (backend.Delivered, error) {
		sent, err := b.Send(ctx, id, m, listen)
		return backend.Delivered{Sent: sent, SessionID: id}, err
	}
}

func toAddress(m backend.Addressed) post {
	return func(ctx context.Context, b *backend.Backend, listen func(agent.Event)) (backend.Delivered, error) {
		return b.SendTo(ctx, m, listen)
	}
}

// talk sends a message and prints what comes of it, until the turn is done.
func (p *program) talk(cmd *cobra.Command, b *backend.Backend, post post) error {
	defer b.Close()
	// Who reads the answer may go away: that ends the turn as Ctrl-C does, and not the program before it is saved.
	signal.Ignore(syscall.SIGPIPE)
	box := newMailbox()
	sent, err := post(cmd.Context(), b, box.put)
	if err != nil {
		return withOffer(cmd.Context(), b, err)
	}
	teller := teller{p: p}
	asker := asker{p: p, b: b, id: sent.SessionID, turn: sent.TurnID}
	defer asker.close()
	stop := cmd.Context().Done()
	for {
		select {
		case <-stop:
			stop = nil
			_, _ = b.EndTurn(sent.SessionID, sent.TurnID) // a turn that is not there any more is done
		case <-box.signal:
			for _, event := range box.take() {
				if err := teller.tell(event); err != nil {
					return err
				}
				switch data := event.Data.(type) {
				case agent.Done:
					return p.rest(cmd.Context(), b, teller.end(data))
				case agent.Question:
					if err := p.asked(cmd.Context(), &asker); err != nil {
						return err
					}
				}
			}
			if err := p.out.Flush(); err != nil {
				return fmt.Errorf("writing the answer: %w", err)
			}
		}
	}
}

// restMost is how long the program stays for the name of a conversation that has just begun.
const restMost = 5 * time.Second

// rest shows how a turn ended, and stays a moment for what comes after it.
func (p *program) rest(ctx context.Context, b *backend.Backend, end error) error {
	if err := p.out.Flush(); err != nil {
		return errors.Join(end, fmt.Errorf("writing the answer: %w", err))
	}
	limited, cancel := context.WithTimeout(ctx, restMost)
	defer cancel()
	b.Rest(limited)
	return end
}

// asked shows what came so far, and asks.
func (p *program) asked(ctx context.Context, a *asker) error {
	if err := p.out.Flush(); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return a.ask(ctx)
}

// teller prints events: as lines of JSON or, for people, the answer and notes beside it.
type teller struct {
	p      *program
	inLine bool // the last line of the answer is not ended
}

func (t *teller) tell(e agent.Event) error {
	if t.p.json {
		t.p.answering = true
		line, err := json.Marshal(e)
		if err != nil {
			return fmt.Errorf("writing the answer: %w", err)
		}
		return t.p.say("%s", harmless(line))
	}
	switch data := e.Data.(type) {
	case agent.Text:
		if e.Kind == agent.KindText {
			return t.print(data.Text)
		}
	case agent.ToolCall:
		t.p.note("calls %s", data.Name)
	case agent.Retrying:
		t.p.note("asking again in %d s: %s", (data.InMs+999)/1000, data.Reason)
	case agent.Compacting:
		t.compacting(data)
	case agent.Flushing:
		t.flushing(data)
	}
	return nil
}

func (t *teller) compacting(data agent.Compacting) {
	switch {
	case data.Error != nil:
		t.p.note("compacting failed, nothing was lost: %s", data.Error.Message)
	case data.State == "pruned":
		t.p.note("cleared old tool output, about %d tokens: record %d", data.TokensFreed, data.CommittedSeq)
	case data.CommittedSeq != 0:
		t.p.note("compacted: record %d", data.CommittedSeq)
		if data.Hook != nil && data.Hook.Problem != "" {
			t.p.note("compaction.hook was not heard: %s", data.Hook.Problem)
		}
	case data.Trigger == compaction.TriggerOverflow:
		t.p.note("the request was too long for the model, compacting and asking once more")
	default:
		t.p.note("the context has outgrown what it may be, compacting it first")
	}
}

func (t *teller) flushing(data agent.Flushing) {
	switch data.State {
	case "started":
		t.p.note("having what is worth keeping written to memory, before a compaction")
	case "skipped":
		t.p.note("no memory was written before the compaction: %s", data.Reason)
	case "failed":
		t.p.note("writing memory failed, nothing was lost: %s", data.Reason)
	}
}

func (t *teller) print(text string) error {
	text = manyLines(text)
	t.inLine = !strings.HasSuffix(text, "\n")
	if _, err := t.p.out.WriteString(text); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}

// end makes the turn's end the verb's.
func (t *teller) end(done agent.Done) error {
	if t.inLine {
		if err := t.p.say(""); err != nil {
			return err
		}
	}
	switch done.Status {
	case agent.StatusAborted:
		return &fault{err: errInterrupted, hint: "palimpsest show shows it"}
	case agent.StatusError:
		return &fault{err: errors.New(done.Error.Message), code: backend.Code(done.Error.Code), hint: done.Error.Hint}
	}
	return nil
}
