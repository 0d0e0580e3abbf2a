package agent

import (
	"context"
	"fmt"
	"sync"
	"time"

	"palimpsest/backend/llm"
	"palimpsest/backend/record"
)

// runTools runs the calls of one answer and writes their results down in the order of the calls. Those that only look run
// side by side; one that may change something waits for all before it, and all behind it for that, and for its result to be on
// disk: what was changed must be known whatever happens to the next. Each call gets a result, also one that was stopped. They
// are told of once all are there.
func (t *Turn) runTools(calls []llm.Call) error {
	t.events.enter(StateTools)
	results := make([]Result, len(calls))
	var seqs []int64
	defer func() { t.events.recorded(record.RoleToolResult, seqs) }()
	var running sync.WaitGroup
	written := 0
	for i, call := range calls {
		alone := t.agent.deps.Tools != nil && !t.agent.deps.Tools.ReadOnly(call.Name)
		if alone {
			running.Wait()
		}
		running.Go(func() {
			results[i] = t.runTool(call)
			t.events.ended(call, results[i])
		})
		last := i == len(calls)-1
		if !alone && !last {
			continue
		}
		running.Wait()
		more, err := t.writeResults(calls[written:i+1], results[written:i+1])
		seqs, written = append(seqs, more...), i+1
		if err != nil {
			return err
		}
	}
	return nil
}

// writeResults writes the results of calls, in one batch.
func (t *Turn) writeResults(calls []llm.Call, results []Result) ([]int64, error) {
	lines := make([][]byte, len(calls))
	for i, call := range calls {
		line, err := resultRecord(call, results[i])
		if err != nil {
			return nil, err
		}
		lines[i] = line
	}
	seqs, err := t.log.Append(lines...)
	t.seqs = append(t.seqs, seqs...)
	return seqs, err
}

// runTool runs a call.
func (t *Turn) runTool(call llm.Call) Result {
	return t.agent.bounded(t.ctx, call.Name, func() Result {
		if t.agent.deps.Tools == nil {
			return Result{Text: fmt.Sprintf("there is no tool %q", call.Name), IsError: true}
		}
		return t.agent.deps.Tools.Run(t.ctx, call, Caller{
			SessionID: t.session, Allow: t.message.Allow, Ask: t.question,
			Started: func() { t.events.starts(call.ID) },
			Stream:  func(text string) { t.events.output(call.ID, text) },
		})
	})
}

// bounded runs a tool, and waits for one that was stopped no longer than for a while: what does not end is left alone, so that
// a turn can be stopped and the program ended whatever a tool does.
func (a *Agent) bounded(ctx context.Context, name string, run func() Result) Result {
	if ctx.Err() != nil {
		return stoppedResult()
	}
	ended := make(chan Result, 1) // nobody reads it of a tool that is left alone
	go func() { ended <- unharmed(name, run) }()
	select {
	case r := <-ended:
		return r
	case <-ctx.Done():
	}
	waited := time.NewTimer(a.deps.Patience)
	defer waited.Stop()
	select {
	case r := <-ended:
		return r
	case <-waited.C:
		return Result{Text: fmt.Sprintf("[left alone: the turn was stopped, and %s did not end; what it does may still go on]", name), IsError: true}
	}
}

// unharmed is the result of a tool, also of one that panics.
func unharmed(name string, run func() Result) (r Result) {
	defer func() {
		if p := recover(); p != nil {
			r = Result{Text: fmt.Sprintf("the tool %s failed: %v", name, p), IsError: true}
		}
	}()
	return run()
}
