package agent

import (
	"slices"
	"time"
	"unicode/utf8"

	"palimpsest/backend/llm"
)

// LiveCall is a call of the answer at hand, as far as it has come.
type LiveCall struct {
	ToolCall
	State string `json:"state"`
	// StartedAt is when it began to run, nil as long as it waits.
	StartedAt *time.Time `json:"startedAt"`
	// Output is what a running command has printed so far, of much the end.
	Output string `json:"output"`
	// OutputCut tells that it printed more before that.
	OutputCut bool `json:"outputCut"`
	// Result is what came of it, cut; nil as long as there is nothing.
	Result *ToolResult `json:"result"`

	pending string // output not yet told
	told    int
	skipped int // bytes in front of pending that nobody is told
}

// How a call stands.
const (
	CallWaiting = "waiting"
	CallRunning = "running"
	CallDone    = "done"
)

// How much of what a command prints is told while it runs, in bytes. All of it is in the log, or beside it, once it has ended.
const (
	outputAll    = 64 << 10 // told from the beginning on
	outputNewest = 4 << 10  // and from there on at most this of what came since the last time
	outputEnd    = 32 << 10 // kept for who comes later
)

// print takes in output of a call. Behind the first of it only the newest is told: nobody reads a flood, but what it ends with.
func (c *LiveCall) print(text string) {
	c.OutputCut = c.OutputCut || len(c.Output)+len(text) > outputEnd
	c.Output = endOf(c.Output+text, outputEnd)
	c.pending += text
	if c.told+len(c.pending) > outputAll {
		newest := endOf(c.pending, outputNewest)
		c.skipped += len(c.pending) - len(newest)
		c.pending = newest
	}
}

// endOf is the end of a text, in whole characters.
func endOf(text string, most int) string {
	if len(text) <= most {
		return text
	}
	at := len(text) - most
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return text[at:]
}

// call is one of the answer's calls, the first of that id that is not done: a model may use an id twice. The caller holds mu.
func (e *Emitter) call(id string) *LiveCall {
	id = clip(id, nameMost)
	i := slices.IndexFunc(e.calls, func(c *LiveCall) bool { return c.ID == id && c.State != CallDone })
	if i < 0 {
		return nil
	}
	return e.calls[i]
}

// starts tells that a call runs from now on.
func (e *Emitter) starts(id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	call := e.call(id)
	if call == nil || call.State == CallRunning {
		return
	}
	now := time.Now().UTC()
	call.State, call.StartedAt = CallRunning, &now
	e.tell(KindToolStarted, ToolStarted{call.ID, now})
}

// output gathers a piece of what a call prints.
func (e *Emitter) output(id, text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	call := e.call(id)
	if call == nil {
		return
	}
	call.print(text)
	e.soon()
}

// flushOutput tells the output that was gathered. The caller holds mu.
func (e *Emitter) flushOutput() {
	for _, call := range e.calls {
		for call.pending != "" {
			piece := call.pending[:cutAt(call.pending, pieceMost)]
			call.pending = call.pending[len(piece):]
			call.told += len(piece)
			e.tell(KindToolOutput, ToolOutput{ToolCallID: call.ID, Text: piece, Skipped: call.skipped})
			call.skipped = 0
			e.told = time.Now()
		}
	}
}

// ended tells what came of a call.
func (e *Emitter) ended(c llm.Call, r Result) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.flush()
	result := toolResultOf(c, r)
	if call := e.call(c.ID); call != nil {
		call.State, call.Result = CallDone, &result
	}
	e.tell(KindToolResult, result)
}

// liveCalls are the calls as they stand, for a snapshot. The caller holds mu.
func (e *Emitter) liveCalls() []LiveCall {
	out := make([]LiveCall, len(e.calls))
	for i, call := range e.calls {
		out[i] = *call
	}
	return out
}
