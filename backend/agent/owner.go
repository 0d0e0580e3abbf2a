package agent

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"palimpsest/backend/llm"
)

// Agent runs turns. It is made by [New] and ended by [Agent.Close].
type Agent struct {
	deps   Deps
	ctx    context.Context
	cancel context.CancelCauseFunc
	work   sync.WaitGroup

	mu     sync.Mutex
	closed bool
	owners map[string]*owner

	// keeping is held while what waits is told, so that what was told last is how it stands.
	keeping sync.Mutex
}

// owner is a session that is talked to. Its goroutine lives as long as there are turns; its fields belong to Agent.mu.
type owner struct {
	// turns are those not yet done, the running one first.
	turns []*Turn
}

// patience is longer than any tool of the program takes to end what it has begun.
const patience = 15 * time.Second

// New returns an agent at rest.
func New(deps Deps) *Agent {
	if deps.Now == nil {
		deps.Now = time.Now
	}
	if deps.Patience == 0 {
		deps.Patience = patience
	}
	a := &Agent{deps: deps, owners: map[string]*owner{}}
	a.ctx, a.cancel = context.WithCancelCause(context.Background())
	return a
}

// Offered are the tools that models may call in a session.
func (a *Agent) Offered(id string) []llm.Tool {
	if a.deps.Tools == nil {
		return nil
	}
	return a.deps.Tools.List(id)
}

// Message is what a user sends.
type Message struct {
	Text string
	// Images go with the text, which may be empty then.
	Images []Image
	// Model and Provider are those wanted from here on, each empty for the one in force.
	Model, Provider string
	// Retry asks for another answer to what is there; there is no text then.
	Retry bool
	// NoHistory asks without the conversation, and leaves nothing in it.
	NoHistory bool
	// Allow are rules for tools that hold for this turn alone.
	Allow []string
	// Key is what who sends it calls it; may be empty.
	Key string
	// Listen is told of every event of this turn, in order, from one goroutine at a time; may be nil.
	Listen func(Event)
}

// Sent says what became of a message.
type Sent struct {
	TurnID string
	// Seq is the message's in the log, 0 as long as it waits and where there is none.
	Seq int64
	// Ahead is how many turns come before it.
	Ahead int
}

// Submit takes a message. If no turn is under way it returns when the message is on disk, or why it is not; else at
// once, and the message waits its turn. ctx bounds the wait, not the turn.
func (a *Agent) Submit(ctx context.Context, id string, m Message) (Sent, error) {
	if err := a.deps.Check(id, Wanted{m.Model, m.Provider}); err != nil {
		return Sent{}, err
	}
	turn := &Turn{ID: ulid.Make().String(), session: id, message: m, agent: a, begun: make(chan begun, 1), sender: ctx, clock: clock{now: a.deps.Now}}
	turn.ctx, turn.cancel = context.WithCancelCause(a.ctx)
	turn.events = NewEmitter(id, turn.ID, a.deps.Publish, m.Listen)
	ahead, err := a.enqueue(id, turn) //nolint:contextcheck // a turn outlives the wait of who sent it
	if ahead > 0 {
		a.keepQueue(id)
	}
	if err != nil || ahead > 0 {
		return Sent{TurnID: turn.ID, Ahead: ahead}, err
	}
	b := <-turn.begun // soon after ctx is done, if that comes first
	return Sent{TurnID: turn.ID, Seq: b.seq}, b.err
}

func (a *Agent) enqueue(id string, turn *Turn) (ahead int, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return 0, ErrClosed
	}
	o := a.owners[id]
	if o == nil {
		o = &owner{}
		a.owners[id] = o
		a.work.Go(func() { a.own(o, id) })
	}
	ahead = len(o.turns)
	o.turns = append(o.turns, turn)
	if ahead > 0 {
		turn.queued = true
		turn.events.Send(KindQueued, queuedOf(turn.message.content(), ahead))
	}
	return ahead, nil
}

// own runs a session's turns until there are none left.
func (a *Agent) own(o *owner, id string) {
	for {
		a.mu.Lock()
		if len(o.turns) == 0 {
			delete(a.owners, id)
			a.mu.Unlock()
			return
		}
		turn := o.turns[0]
		turn.running = true
		a.mu.Unlock()

		finish := turn.run()

		// Out of the queue before it is done for all to hear: who sends then is not told to wait.
		a.mu.Lock()
		o.turns = slices.DeleteFunc(o.turns, func(t *Turn) bool { return t == turn })
		a.mu.Unlock()
		finish()
		if turn.better != nil {
			a.work.Go(func() { turn.better(a.ctx) })
		}
	}
}

// End stops the running turn, or withdraws one that waits. What it returns is what its message says.
func (a *Agent) End(id, turnID string) (said Content, withdrawn bool, err error) {
	if said, withdrawn, err = a.end(id, turnID); withdrawn {
		a.keepQueue(id)
	}
	return said, withdrawn, err
}

func (a *Agent) end(id, turnID string) (said Content, withdrawn bool, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	o := a.owners[id]
	if o == nil {
		return Content{}, false, ErrNoTurn
	}
	i := slices.IndexFunc(o.turns, func(t *Turn) bool { return t.ID == turnID })
	if i < 0 {
		return Content{}, false, ErrNoTurn
	}
	turn := o.turns[i]
	if turn.running {
		turn.cancel(errStopped)
		return turn.message.content(), false, nil
	}
	o.turns = slices.Delete(o.turns, i, i+1)
	turn.cancel(errStopped)
	if !turn.queued { // who sent it waits for it to begin
		turn.begun <- begun{err: turn.stopped()}
	}
	turn.events.Send(KindWithdrawn, struct{}{})
	return turn.message.content(), true, nil
}

// keepQueue tells which messages of a session wait and are not in its log.
func (a *Agent) keepQueue(id string) {
	if a.deps.Queued == nil {
		return
	}
	a.keeping.Lock()
	defer a.keeping.Unlock()
	var waiting []Content
	a.mu.Lock()
	if o := a.owners[id]; o != nil {
		for _, turn := range o.turns {
			if turn.queued && !turn.settled && !turn.message.content().isEmpty() {
				waiting = append(waiting, turn.message.content())
			}
		}
	}
	a.mu.Unlock()
	a.deps.Queued(id, waiting)
}

// Rest waits until everything has ended that is under way, what comes after a turn's end, too, or ctx has.
func (a *Agent) Rest(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.work.Wait()
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// Close stops what runs and waits for it. Messages that still wait are written down without being answered, so that
// they are not lost.
func (a *Agent) Close() {
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	a.cancel(ErrClosed)
	a.work.Wait()
}

func (a *Agent) isClosed() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.closed
}
