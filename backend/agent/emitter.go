package agent

import (
	"strings"
	"sync"
	"time"

	"palimpsest/backend/llm"
	"palimpsest/backend/record"
)

// Event is news of a turn. N counts the turn's events from 1.
type Event struct {
	SessionID string `json:"sessionId"`
	TurnID    string `json:"turnId"`
	N         int64  `json:"n"`
	Kind      string `json:"kind"`
	Data      any    `json:"data"`
}

// The kinds of events.
const (
	KindQueued    = "queued"
	KindWithdrawn = "withdrawn"
	KindStarted   = "started"
	KindText      = "text"
	KindThinking  = "thinking"
	KindToolCall  = "toolCall"
	// KindToolStarted and KindToolOutput tell of a call that runs.
	KindToolStarted = "toolStarted"
	KindToolOutput  = "toolOutput"
	KindToolResult  = "toolResult"
	KindPermission  = "permission"
	KindAnswered    = "answered"
	KindRecord      = "record"
	KindRetry       = "retry"
	KindCompaction  = "compaction"
	KindFlush       = "memoryFlush"
	KindError       = "error"
	KindDone        = "done"
)

// Emitter tells how a turn, or the draft of a compaction, goes on: it numbers its events, gathers text, and remembers what
// came of the answer so far.
type Emitter struct {
	session, turn string
	publish       func(Event)
	listen        func(Event)

	mu               sync.Mutex
	n                int64
	state            Snapshot
	answer, thinking strings.Builder
	pending          string // text not yet told, all of one kind
	kind             string
	calls            []*LiveCall
	again            time.Time // when the request of state.Retry is made
	timer            *time.Timer
	told             time.Time
	// swift says that what was told last came as swiftly as nobody reads.
	swift bool
}

// Snapshot is how far a turn has come.
type Snapshot struct {
	TurnID string `json:"turnId"`
	// N is the number of its last event.
	N     int64  `json:"n"`
	State string `json:"state"`
	// Text is the user's message; Answer, Thinking and ToolCalls what came of the answer that is not in the log yet.
	Text      string     `json:"text"`
	Answer    string     `json:"answer"`
	Thinking  string     `json:"thinking"`
	ToolCalls []LiveCall `json:"toolCalls"`
	// CallsSeq is the record that holds the calls, nil as long as none does: then only results are missing in the log.
	CallsSeq *int64 `json:"callsSeq"`
	// Asking is what the user is asked, whole; nil if nothing is.
	Asking *Question `json:"asking"`
	// Retry is the request that is made again, with the time that is left until then; nil if none is.
	Retry *Retrying `json:"retry"`
}

// What a turn is doing.
const (
	StateWaiting    = "waiting"
	StateStreaming  = "streaming"
	StateRetrying   = "retrying"
	StateCompacting = "compacting"
	StateTools      = "tools"
	StateAsking     = "asking"
)

// NewEmitter returns one that has told nothing yet. Both functions are called with its lock held, in order; they may not
// call back, nor block for long. Listen may be nil.
func NewEmitter(session, turn string, publish, listen func(Event)) *Emitter {
	return &Emitter{
		session: session, turn: turn, publish: publish, listen: listen,
		state: Snapshot{State: StateWaiting},
	}
}

// Send tells an event, behind all text that came before it.
func (e *Emitter) Send(kind string, data any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	e.tell(kind, data)
}

// tell numbers an event and hands it on. The caller holds mu, so that events are told in order.
func (e *Emitter) tell(kind string, data any) {
	e.n++
	e.state.N = e.n
	event := Event{SessionID: e.session, TurnID: e.turn, N: e.n, Kind: kind, Data: data}
	e.publish(event)
	if e.listen != nil {
		e.listen(event)
	}
}

// enter says what the turn does now.
func (e *Emitter) enter(state string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.state.State, e.state.Retry = state, nil
}

// retries tells that a request is made again, and keeps it for who comes later. While something is compacted it is still
// that which goes on.
func (e *Emitter) retries(r llm.Retry) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	if e.state.State != StateCompacting {
		e.state.State = StateRetrying
	}
	again := RetryingOf(r)
	e.state.Retry, e.again = &again, time.Now().Add(r.In)
	e.tell(KindRetry, again)
}

// called tells a call of the answer.
func (e *Emitter) called(call ToolCall) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	e.state.State, e.state.Retry = StateStreaming, nil
	e.calls = append(e.calls, &LiveCall{ToolCall: call, State: CallWaiting})
	e.tell(KindToolCall, call)
}

// asks tells a question and keeps it for who comes later.
func (e *Emitter) asks(q Question) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	e.state.State, e.state.Asking = StateAsking, &q
	e.tell(KindPermission, q.Told())
}

// answered tells that the question is open no more.
func (e *Emitter) answered(a Answered) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	a.CallID = clip(a.CallID, nameMost)
	e.state.State, e.state.Asking = StateTools, nil
	e.tell(KindAnswered, a)
}

// recorded tells of messages that are in the log, and forgets the answer so far: it is there, too. Calls that are yet to be
// run are kept until their results are there as well.
func (e *Emitter) recorded(role record.Role, seqs []int64, open ...llm.Call) {
	if len(seqs) == 0 {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	for _, seq := range seqs {
		e.tell(KindRecord, Recorded{seq, role})
	}
	e.forget()
	for _, call := range open {
		e.calls = append(e.calls, &LiveCall{ToolCall: toolCallOf(call), State: CallWaiting})
	}
	if len(open) > 0 {
		e.state.CallsSeq = &seqs[0]
	}
}

// forget drops the answer so far. The caller holds mu.
func (e *Emitter) forget() {
	e.answer.Reset()
	e.thinking.Reset()
	e.calls, e.state.CallsSeq, e.state.State, e.state.Retry = nil, nil, StateWaiting, nil
}

// Restart forgets what was gathered and told of the answer, which is void, and tells the event that says so.
func (e *Emitter) Restart(kind string, data any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.pending = ""
	e.flush()
	e.forget()
	e.tell(kind, data)
}

// Snapshot has everything that was told up to its N. What was gathered is told first, so that the next event goes on
// where the snapshot ends.
func (e *Emitter) Snapshot() Snapshot {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	s := e.state
	s.Answer, s.Thinking, s.ToolCalls = e.answer.String(), e.thinking.String(), e.liveCalls()
	s.Retry = e.retrying()
	return s
}

// retrying is what is waited for. What is being summarized after that is not told, so that it is over with the wait. The
// caller holds mu.
func (e *Emitter) retrying() *Retrying {
	left := max(0, time.Until(e.again).Milliseconds())
	if e.state.Retry == nil || left == 0 && e.state.State == StateCompacting {
		return nil
	}
	retry := *e.state.Retry
	retry.InMs = left
	return &retry
}
