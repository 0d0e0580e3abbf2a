package agent

import (
	"fmt"
	"sync"

	"palimpsest/backend/llm"
	"palimpsest/backend/record"
)

// runTools runs the calls of one answer and writes their results down in the order of the calls, all in one batch. Those
// that only look run side by side; one that may change something waits for all before it, and all behind it for that.
// Each call gets a result, also one that was stopped.
func (t *Turn) runTools(calls []llm.Call) error {
	t.events.enter(StateTools)
	results := make([]Result, len(calls))
	var running sync.WaitGroup
	for i, call := range calls {
		alone := t.agent.deps.Tools != nil && !t.agent.deps.Tools.ReadOnly(call.Name)
		if alone {
			running.Wait()
		}
		running.Go(func() {
			results[i] = t.runTool(call)
			t.events.ended(call, results[i])
		})
		if alone {
			running.Wait()
		}
	}
	running.Wait()
	lines := make([][]byte, len(calls))
	for i, call := range calls {
		line, err := resultRecord(call, results[i])
		if err != nil {
			return err
		}
		lines[i] = line
	}
	return t.append(record.RoleToolResult, lines)
}

func (t *Turn) runTool(call llm.Call) (r Result) {
	defer func() {
		if p := recover(); p != nil {
			r = Result{Text: fmt.Sprintf("the tool %s failed: %v", call.Name, p), IsError: true}
		}
	}()
	if t.ctx.Err() != nil {
		return stoppedResult()
	}
	if t.agent.deps.Tools == nil {
		return Result{Text: fmt.Sprintf("there is no tool %q", call.Name), IsError: true}
	}
	return t.agent.deps.Tools.Run(t.ctx, call, Caller{
		SessionID: t.session, Allow: t.message.Allow, Ask: t.question,
		Started: func() { t.events.starts(call.ID) },
		Stream:  func(text string) { t.events.output(call.ID, text) },
	})
}
