package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/llm"
)

// asksOnce is a tool that asks the user and says what came of it.
func asksOnce(call llm.Call, from Caller) Result {
	reply, err := from.Ask(func() *Question {
		return &Question{CallID: call.ID, Tool: call.Name, Command: call.Arguments, Paths: []string{}, Rules: []string{"ask(x)"}, Why: "because"}
	})
	if err != nil {
		return stoppedResult()
	}
	return Result{Text: fmt.Sprintf("%v %s", reply.Allow, reply.Reason), IsError: !reply.Allow}
}

func allowing(Question) (Reply, error) { return Reply{Allow: true, Answer: "once"}, nil }

func TestAskedAndAnswered(t *testing.T) {
	r := newRig(t)
	r.asking = asksOnce
	sent := r.say("change it")
	r.server.Next().Call(0, "c1", "ask", `{"n":1}`).Call(1, "c1", "ask", `{"n":2}`).End("tool_calls")
	for i := range 2 {
		events := r.until(KindPermission, sent.TurnID)
		q := data[Question](t, events[len(events)-1])
		if q.CallID != "c1" || q.Asked != i+1 || q.Command != fmt.Sprintf(`{"n":%d}`, i+1) || q.Cut || q.Why != "because" {
			t.Errorf("%+v", q)
		}
		state := r.agent.State(r.id).Running
		if state.State != StateAsking || state.Asking == nil || state.Asking.Asked != q.Asked {
			t.Errorf("%+v", state)
		}
		// An answer to the question before, which had the same id, is none to this one.
		if err := r.agent.Answer(r.id, sent.TurnID, "c1", 2-i, allowing); !errors.Is(err, ErrNoQuestion) {
			t.Error(err)
		}
		failure := errors.New("the disk is full")
		if err := r.agent.Answer(r.id, sent.TurnID, "c1", 0, func(Question) (Reply, error) { return Reply{}, failure }); !errors.Is(err, failure) {
			t.Error(err)
		}
		must(t, r.agent.Answer(r.id, sent.TurnID, "c1", q.Asked, func(Question) (Reply, error) {
			// Nobody else answers meanwhile.
			if err := r.agent.Answer(r.id, sent.TurnID, "c1", q.Asked, allowing); !errors.Is(err, ErrNoQuestion) {
				t.Error(err)
			}
			return Reply{Allow: i == 0, Answer: "a word", Reason: "not now"}, nil
		}))
		events = r.until(KindAnswered, sent.TurnID)
		if a := data[Answered](t, events[len(events)-1]); a.Answer != "a word" || a.Asked != i+1 {
			t.Errorf("%+v", a)
		}
	}
	q := r.server.Next()
	if got := q.Dialogue(); !strings.HasPrefix(got[2], "tool: true not now") || !strings.HasPrefix(got[3], "tool: false not now") {
		t.Errorf("%q", got)
	}
	if state := r.agent.State(r.id).Running; state.Asking != nil {
		t.Errorf("%+v", state)
	}
	q.Answer("fine")
	r.done(sent.TurnID)
	if err := r.agent.Answer(r.id, sent.TurnID, "c1", 0, allowing); !errors.Is(err, ErrNoTurn) {
		t.Error(err)
	}
}

func TestStopEndsAsking(t *testing.T) {
	r := newRig(t)
	r.asking = asksOnce
	sent := r.say("change it")
	r.server.Next().Call(0, "c1", "ask", `{}`).Call(1, "c2", "ask", `{}`).End("tool_calls")
	r.until(KindPermission, sent.TurnID)
	_, _, err := r.agent.End(r.id, sent.TurnID)
	must(t, err)
	events := r.until(KindDone, sent.TurnID)
	if data[Done](t, events[len(events)-1]).Status != StatusAborted {
		t.Errorf("%+v", events)
	}
	if strings.Contains(kinds(events), "permission") {
		t.Errorf("asked again after it was stopped: %s", kinds(events))
	}
	r.wantLog("user: change it", "assistant/toolUse: ask()|ask()",
		"toolResult/c1!: not run: the turn was stopped", "toolResult/c2!: not run: the turn was stopped")
	r.wantValid("and on")
}

// TestChangesWaitForEachOther: what looks runs side by side, what changes alone and in its place.
func TestChangesWaitForEachOther(t *testing.T) {
	r := newRig(t)
	both := make(chan string)
	var order []string
	r.tools = toolFunc(func(_ context.Context, call llm.Call) Result {
		switch call.ID {
		case "l1":
			both <- call.ID
		case "l2":
			<-both // l1 is running
		case "l3":
			if !slices.Equal(order, []string{"c1", "c2"}) {
				t.Errorf("l3 did not wait: %v", order)
			}
		default:
			order = append(order, call.ID) // a race if they were side by side
		}
		return Result{Text: call.ID}
	})
	sent := r.say("go")
	r.server.Next().Call(0, "l1", "look", "{}").Call(1, "l2", "look", "{}").Call(2, "c1", "change", "{}").
		Call(3, "c2", "change", "{}").Call(4, "l3", "look", "{}").End("tool_calls")
	r.server.Next().Answer("done")
	r.done(sent.TurnID)
	if !slices.Equal(order, []string{"c1", "c2"}) {
		t.Error(order)
	}
}

// TestQuestionsFitIntoAnEvent whatever they hold.
func TestQuestionsFitIntoAnEvent(t *testing.T) {
	for _, text := range []string{"x", "\x01", "é", "<", `"`, "\xff", "\U0001F389"} {
		long := strings.Repeat(text, 20000)
		arguments, err := json.Marshal(long)
		must(t, err)
		q := Question{
			CallID: long, Tool: long, Arguments: arguments, Command: long, Diff: long, Why: long,
			Paths: []string{"a", long}, Rules: []string{long, "b"},
		}.Told()
		told, err := json.Marshal(Event{SessionID: strings.Repeat("0", 26), TurnID: strings.Repeat("0", 26), Kind: KindPermission, Data: q})
		must(t, err)
		if len(told) > 8<<10 || !q.Cut || len(q.Paths) != 1 || len(q.Rules) != 0 {
			t.Errorf("%d bytes of %q: %+v", len(told), text, q)
		}
	}
	if short := (Question{Command: "ls", Arguments: json.RawMessage("{}")}).Told(); short.Cut || short.Paths == nil || short.Rules == nil {
		t.Errorf("%+v", short)
	}
}
