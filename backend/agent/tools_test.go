package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"palimpsest/backend/llm"
	"palimpsest/backend/modeltest"
	"palimpsest/backend/record"
)

func TestToolsRunSideBySide(t *testing.T) {
	r := newRig(t)
	var all sync.WaitGroup
	all.Add(3)
	order := make(chan string, 3)
	turns := map[string]chan struct{}{"c1": make(chan struct{}), "c2": make(chan struct{}), "c3": make(chan struct{})}
	r.tools = toolFunc(func(_ context.Context, call llm.Call) Result {
		all.Done()
		all.Wait() // all three run at once, or this never ends
		<-turns[call.ID]
		order <- call.ID
		return Result{Text: "saw " + call.Arguments, IsError: call.ID == "c2"}
	})
	batches := 0
	r.appended = func(lines [][]byte) error {
		if strings.Contains(string(lines[0]), "toolResult") {
			batches++
		}
		return nil
	}
	sent := r.say("look around")
	q := r.server.Next()
	if len(q.Tools) != 1 {
		t.Errorf("the model is offered %d tools", len(q.Tools))
	}
	q.Say("I look.").Call(0, "c1", "look", `{"at":1}`).Call(1, "c2", "look", `{"at":2}`).Call(2, "c3", "look", `{"at":3}`).Usage(10, 5).End("tool_calls")
	for _, id := range []string{"c3", "c1", "c2"} {
		close(turns[id])
		if got := <-order; got != id {
			t.Errorf("%s ended, want %s", got, id)
		}
	}
	q = r.server.Next()
	want := []string{
		"user: look around", `assistant: I look.[c1 look {"at":1}][c2 look {"at":2}][c3 look {"at":3}]`,
		`tool: saw {"at":1} (c1)`, `tool: saw {"at":2} (c2)`, `tool: saw {"at":3} (c3)`,
	}
	if got := q.Dialogue(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	q.Say("Three things.").Usage(20, 7).End("stop")
	events := r.until(KindDone, sent.TurnID)
	done := data[Done](t, events[len(events)-1])
	if done.Status != StatusOK || !slices.Equal(done.Seqs, []int64{1, 2, 3, 4, 5, 6}) || done.Usage.Input != 30 || done.Usage.Output != 12 {
		t.Errorf("%+v %+v", done, done.Usage)
	}
	if got := kinds(events); got != "started record text toolCall toolCall toolCall record toolResult toolResult toolResult record record record text record done" {
		t.Error(got)
	}
	if batches != 1 {
		t.Errorf("the results were written in %d batches", batches)
	}
	r.wantLog("user: look around", "assistant/toolUse: I look.|look()|look()|look()",
		`toolResult/c1: saw {"at":1}`, `toolResult/c2!: saw {"at":2}`, `toolResult/c3: saw {"at":3}`, "assistant: Three things.")
}

func TestToolsThatFail(t *testing.T) {
	r := newRig(t)
	r.tools = toolFunc(func(_ context.Context, call llm.Call) Result {
		switch call.Name {
		case "look":
			panic("the tool is broken")
		case "nothing":
			return Result{}
		}
		return Result{Text: "there is no tool " + call.Name, IsError: true}
	})
	sent := r.say("look")
	r.server.Next().Call(0, "c1", "look", "{}").Call(1, "c2", "fly", "not JSON").Call(2, "c3", "nothing", "").End("tool_calls")
	q := r.server.Next()
	want := []string{
		"tool: the tool look failed: the tool is broken (c1)", "tool: there is no tool fly (c2)", "tool: [no output] (c3)",
	}
	if got := q.Dialogue()[2:]; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	q.Answer("I give up")
	if done := r.done(sent.TurnID); done.Status != StatusOK {
		t.Errorf("%+v", done)
	}
}

func TestNoToolsAtAll(t *testing.T) {
	r := newRig(t)
	r.agent.deps.Tools = nil
	sent := r.say("look")
	q := r.server.Next()
	if len(q.Tools) != 0 {
		t.Errorf("%v", q.Tools)
	}
	q.Call(0, "c1", "look", "{}").End("tool_calls")
	q = r.server.Next()
	if got := q.Last(); got != `there is no tool "look"` {
		t.Error(got)
	}
	q.Answer("well")
	r.done(sent.TurnID)
}

func TestEndlessCallsAreBounded(t *testing.T) {
	before := requestsMost
	t.Cleanup(func() { requestsMost = before })
	requestsMost = 20
	r := newRig(t)
	r.tools = toolFunc(func(context.Context, llm.Call) Result { return Result{Text: "more"} })
	asked := 0
	r.server.Script(func(q *modeltest.Asked) {
		asked++
		q.Call(0, fmt.Sprint("c", asked), "look", "{}").End("tool_calls")
	})
	sent := r.say("look")
	done := r.done(sent.TurnID)
	if done.Status != StatusError || asked != requestsMost || !strings.Contains(done.Error.Message, "still calls tools") {
		t.Errorf("asked %d times: %+v", asked, done.Error)
	}
	if lines := r.log(); len(lines) != 1+2*requestsMost {
		t.Errorf("%d records", len(lines))
	}
}

// TestStopWhileToolsRun: each call has its result in the log, also the one that was stopped.
func TestStopWhileToolsRun(t *testing.T) {
	r := newRig(t)
	running, quick := make(chan struct{}), make(chan struct{})
	r.tools = toolFunc(func(ctx context.Context, call llm.Call) Result {
		if call.ID == "c1" {
			close(quick)
			return Result{Text: "quick"}
		}
		<-quick
		close(running)
		<-ctx.Done()
		return Result{Text: "stopped: " + context.Cause(ctx).Error(), IsError: true}
	})
	sent := r.say("look")
	r.server.Next().Call(0, "c1", "look", "{}").Call(1, "c2", "look", "{}").End("tool_calls")
	<-running
	_, _, err := r.agent.End(r.id, sent.TurnID)
	must(t, err)
	if done := r.done(sent.TurnID); done.Status != StatusAborted || len(done.Seqs) != 4 {
		t.Errorf("%+v", done)
	}
	r.server.Silent()
	r.wantLog("user: look", "assistant/toolUse: look()|look()", "toolResult/c1: quick", "toolResult/c2!: stopped: stopped by the user")
	if !CanRetry(r.context()) {
		t.Error("results that nobody looked at can't be gone on from")
	}
}

// TestAChangeIsWrittenDownAtOnce: what a call changed is in the log before the next one begins, whatever becomes of that. It is
// told of with all the others.
func TestAChangeIsWrittenDownAtOnce(t *testing.T) {
	r := newRig(t)
	running := make(chan struct{})
	r.tools = toolFunc(func(ctx context.Context, call llm.Call) Result {
		if call.ID == "c3" {
			close(running)
			<-ctx.Done()
		}
		return Result{Text: call.ID}
	})
	sent := r.say("change it")
	r.server.Next().Call(0, "c1", "look", "{}").Call(1, "c2", "change", "{}").Call(2, "c3", "change", "{}").Call(3, "c4", "look", "{}").End("tool_calls")
	<-running
	r.wantLog("user: change it", "assistant/toolUse: look()|change()|change()|look()", "toolResult/c1: c1", "toolResult/c2: c2")
	if c := r.context(); len(c.Repairs) == 0 || !CanRetry(c) {
		t.Errorf("as a kill leaves it: %+v", c.Repairs)
	}
	if state := r.agent.State(r.id); state.Running == nil || len(state.Running.ToolCalls) != 4 {
		t.Errorf("%+v", state.Running)
	}
	_, _, err := r.agent.End(r.id, sent.TurnID)
	must(t, err)
	told := 0
	for _, e := range r.until(KindDone, sent.TurnID) {
		if rec, ok := e.Data.(Recorded); ok && rec.Role == record.RoleToolResult {
			told++
		}
	}
	if told != 4 {
		t.Errorf("%d results are told of", told)
	}
	r.wantLog("user: change it", "assistant/toolUse: look()|change()|change()|look()", "toolResult/c1: c1", "toolResult/c2: c2", "toolResult/c3: c3",
		"toolResult/c4!: not run: the turn was stopped")
	r.wantValid("and now?")
}

// TestNothingIsChangedWhereItCanNotBeWrittenDown: the first change that is not in the log is the last.
func TestNothingIsChangedWhereItCanNotBeWrittenDown(t *testing.T) {
	r := newRig(t)
	ran := ""
	r.tools = toolFunc(func(_ context.Context, call llm.Call) Result {
		ran += call.ID
		return Result{Text: "done"}
	})
	r.appended = failingAt("toolResult")
	sent := r.say("change it")
	r.server.Next().Call(0, "c1", "change", "{}").Call(1, "c2", "change", "{}").End("tool_calls")
	if done := r.done(sent.TurnID); done.Status != StatusError || ran != "c1" {
		t.Errorf("%+v, %s", done, ran)
	}
	r.appended = nil
	r.wantValid("and now?")
}

// TestCutCallsAreNotRun: calls of an answer that ended for length may be cut short.
func TestCutCallsAreNotRun(t *testing.T) {
	r := newRig(t)
	r.tools = toolFunc(func(context.Context, llm.Call) Result {
		t.Error("a call that may be cut was run")
		return Result{}
	})
	sent := r.say("look")
	r.server.Next().Say("I ").Call(0, "c1", "look", `{"at`).End("length")
	if done := r.done(sent.TurnID); done.Status != StatusOK {
		t.Errorf("%+v", done)
	}
	sent = r.say("again")
	q := r.server.Next()
	if got := q.Dialogue(); len(got) != 3 || got[1] != "assistant: I " {
		t.Errorf("%q", got)
	}
	q.Answer("yes")
	r.done(sent.TurnID)
}

func TestBrokenOffCallsAreNotKept(t *testing.T) {
	r := newRig(t)
	r.tools = toolFunc(func(context.Context, llm.Call) Result {
		t.Error("half a call was run")
		return Result{}
	})
	sent := r.say("look")
	r.server.Next().Say("I look").Call(0, "c1", "look", `{}`).Break()
	if done := r.done(sent.TurnID); done.Status != StatusError {
		t.Errorf("%+v", done)
	}
	r.wantLog("user: look", "assistant/error: I look")
}

func TestDiskErrorOnTheResults(t *testing.T) {
	r := newRig(t)
	r.tools = toolFunc(func(context.Context, llm.Call) Result { return Result{Text: "seen"} })
	r.appended = failingAt("toolResult")
	sent := r.say("look")
	r.server.Next().Call(0, "c1", "look", `{}`).End("tool_calls")
	if done := r.done(sent.TurnID); done.Status != StatusError || !strings.Contains(done.Error.Message, errDisk.Error()) || len(done.Seqs) != 2 {
		t.Errorf("%+v", done)
	}
	r.server.Silent()
	if c := r.context(); !CanRetry(c) {
		t.Error("can't be tried again")
	}
	r.appended = nil
	if _, err := r.agent.Submit(t.Context(), r.id, Message{Retry: true}); err != nil {
		t.Error(err)
	}
	r.server.Next().Answer("fine")
}
