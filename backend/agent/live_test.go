package agent

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"palimpsest/backend/llm"
)

// TestToolsThatPrint follows two calls: which one runs, and what it prints, is told as it comes, and stands in the snapshot.
func TestToolsThatPrint(t *testing.T) {
	r := newRig(t)
	printed, ended := make(chan string), make(chan struct{})
	r.asking = func(call llm.Call, from Caller) Result {
		from.Started()
		for text := range printed {
			if text == "" {
				break
			}
			from.Stream(text)
		}
		ended <- struct{}{}
		<-ended
		return Result{Text: "the result of " + call.ID}
	}
	sent := r.say("run it")
	r.server.Next().Call(0, "c1", "ask", "{}").Call(1, "c2", "ask", "{}").End("tool_calls")

	events := r.until(KindToolStarted, sent.TurnID)
	if started := data[ToolStarted](t, events[len(events)-1]); started.ToolCallID != "c1" || started.StartedAt.IsZero() {
		t.Errorf("%+v", started)
	}
	printed <- "one "
	printed <- "two"
	printed <- ""
	<-ended
	state := r.agent.State(r.id).Running
	if state.State != StateTools || state.CallsSeq == nil || *state.CallsSeq != 2 || len(state.ToolCalls) != 2 {
		t.Fatalf("%+v", state)
	}
	if c := state.ToolCalls[0]; c.State != CallRunning || c.StartedAt == nil || c.Output != "one two" || c.Result != nil || c.Name != "ask" {
		t.Errorf("%+v", c)
	}
	if c := state.ToolCalls[1]; c.State != CallWaiting || c.StartedAt != nil || c.Output != "" {
		t.Errorf("%+v", c)
	}
	ended <- struct{}{}

	events = r.until(KindToolStarted, sent.TurnID)
	said := ""
	for _, e := range events {
		if out, ok := e.Data.(ToolOutput); ok {
			if said += out.Text; out.ToolCallID != "c1" || out.Skipped != 0 {
				t.Errorf("%+v", out)
			}
		}
	}
	if said != "one two" {
		t.Errorf("told %q", said)
	}
	if c := r.agent.State(r.id).Running.ToolCalls[0]; c.State != CallDone || c.Result == nil || c.Result.Text != "the result of c1" {
		t.Errorf("%+v", c)
	}
	printed <- ""
	<-ended
	ended <- struct{}{}
	q := r.server.Next()
	if state := r.agent.State(r.id).Running; len(state.ToolCalls) != 0 || state.CallsSeq != nil {
		t.Errorf("the results are in the log, and still %+v", state)
	}
	q.Answer("done")
	r.done(sent.TurnID)
}

// TestAFloodIsCut: of what comes faster than anybody reads the newest is told, and what is left out is counted.
func TestAFloodIsCut(t *testing.T) {
	for _, text := range append(hostile(3000), strings.Repeat("a line of text\n", 200)) {
		text = strings.ToValidUTF8(text, "\ufffd")
		told, events, last := 0, 0, ""
		e := NewEmitter(longID, longID, func(e Event) {
			sized(t, e)
			if out, ok := e.Data.(ToolOutput); ok {
				told += len(out.Text) + out.Skipped
				last = out.Text
				events++
			}
		}, nil)
		e.called(ToolCall{ID: "c"})
		total := 0
		for range 2000 {
			e.output("c", text)
			total += len(text)
		}
		s := e.Snapshot()
		if told != total || events > 1000 {
			t.Errorf("%.4q: told or counted %d bytes of %d in %d events", text, told, total, events)
		}
		output := s.ToolCalls[0].Output
		if len(output) > outputEnd || len(output) < min(outputEnd/2, total) || !utf8.ValidString(output) || !strings.HasSuffix(output, last) {
			t.Errorf("%.4q: %d bytes are kept", text, len(output))
		}
		if cut := s.ToolCalls[0].OutputCut; cut != (len(output) < total) {
			t.Errorf("%.4q: %d of %d bytes are kept, cut: %v", text, len(output), total, cut)
		}
		e.output("nobody's", "lost")
		e.starts("nobody's")
		if e.Snapshot().N != s.N {
			t.Error("a call that is not there prints")
		}
	}
}

// TestStopWhileItPrints: what was printed until then is told, and nothing after the end.
func TestStopWhileItPrints(t *testing.T) {
	r := newRig(t)
	r.tools = toolFunc(func(ctx context.Context, _ llm.Call) Result {
		<-ctx.Done()
		return Result{Text: "[stopped]", IsError: true}
	})
	var from Caller
	r.asking = func(call llm.Call, caller Caller) Result {
		from = caller
		caller.Started()
		caller.Stream("begun")
		return r.tools.Run(r.agent.running(r.id, r.agent.State(r.id).Running.TurnID).ctx, call)
	}
	sent := r.say("run it")
	r.server.Next().Call(0, "c1", "ask", "{}").End("tool_calls")
	r.until(KindToolOutput, sent.TurnID)
	_, _, err := r.agent.End(r.id, sent.TurnID)
	must(t, err)
	if done := r.done(sent.TurnID); done.Status != StatusAborted {
		t.Errorf("%+v", done)
	}
	from.Stream("late")
	r.quiet()
	r.wantLog("user: run it", "assistant/toolUse: ask()", "toolResult/c1!: [stopped]")
}
