package agent

import (
	"context"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/llm"
)

// TestAToolThatNeverEnds holds up neither a stop nor the end of the program: it is left alone, its call has a result that says
// so, and what it still says goes nowhere. The test lets go of it, so that what is left behind is counted.
func TestAToolThatNeverEnds(t *testing.T) {
	for name, stop := range map[string]func(r *rig, turn string) error{
		"stop": func(r *rig, turn string) error {
			_, _, err := r.agent.End(r.id, turn)
			return err
		},
		"close": func(r *rig, _ string) error {
			r.agent.Close()
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.agent.deps.Patience = time.Millisecond
			running, let, gone := make(chan struct{}), make(chan struct{}), make(chan struct{})
			r.tools = toolFunc(func(context.Context, llm.Call) Result {
				defer close(gone)
				close(running)
				<-let
				return Result{Text: "too late"}
			})
			sent := r.say("look around")
			r.server.Next().Call(0, "c1", "look", `{}`).End("tool_calls")
			<-running
			must(t, stop(r, sent.TurnID))
			if done := r.done(sent.TurnID); done.Status != StatusAborted {
				t.Errorf("%+v", done)
			}
			lines := linesIn(t, r.store.LogPath(r.id))
			last := lines[len(lines)-1].String()
			if !strings.HasPrefix(last, "toolResult/c1!: [left alone") || !strings.Contains(last, "look did not end") {
				t.Errorf("%q", last)
			}
			close(let)
			<-gone
			r.quiet()
			if strings.Contains(r.raw(), "too late") {
				t.Error("what it said in the end is in the log")
			}
			if name == "stop" {
				r.wantValid("and now?")
			}
		})
	}
}
