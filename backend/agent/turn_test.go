package agent

import (
	"context"
	"errors"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"palimpsest/backend/llm"
	"palimpsest/backend/modeltest"
	"palimpsest/backend/session"
)

func TestMessageIsOnDiskBeforeTheModelIsAsked(t *testing.T) {
	r := newRig(t)
	sent := r.say("hello")
	if sent.Seq != 1 || sent.Ahead != 0 {
		t.Errorf("%+v", sent)
	}
	r.wantLog("user: hello") // nobody has answered yet, nor has the test looked whether the model was asked
	q := r.server.Next()
	r.wantLog("user: hello")
	q.Think("Hm.").Say("Good ").Say("day.").Usage(10, 5).End("stop")
	done := r.done(sent.TurnID)
	if done.Status != StatusOK || !slices.Equal(done.Seqs, []int64{1, 2}) || done.Usage == nil || done.Usage.Output != 5 || done.Error != nil {
		t.Errorf("%+v", done)
	}
	r.wantLog("user: hello", "assistant: thinking Hm.|Good day.")
	if l := linesIn(t, r.store.LogPath(r.id))[1]; l.StopReason != "stop" || l.Model != "m-1" || l.Usage == nil || l.Usage.Input != 10 {
		t.Errorf("%+v", l)
	}
}

// TestDoneIsOnceAndLast reads the log from within the event: by then everything is there, and the lock is free.
func TestDoneIsOnceAndLast(t *testing.T) {
	r := newRig(t)
	r.tools = toolFunc(nil)
	r.server.Script(func(q *modeltest.Asked) { q.Answer("fine") })
	impatient := session.Open(r.store.Home(), session.Options{Wait: -1})
	ends := make(chan []string, 1)
	var seen []Event
	sent := r.submit(Message{Text: "hello", Listen: func(e Event) {
		seen = append(seen, e)
		if e.Kind != KindDone {
			return
		}
		release, err := impatient.Lock(context.Background(), r.id)
		if err != nil {
			t.Errorf("on done the lock is still held: %v", err)
		} else {
			release()
		}
		ends <- r.log()
	}})
	got := <-ends
	if !slices.Equal(got, []string{"user: hello", "assistant: fine"}) {
		t.Errorf("on done the log is %q", got)
	}
	r.agent.Close()
	published := r.until(KindDone, sent.TurnID)
	r.quiet()
	if kinds(published) != "started record text record done" || kinds(seen) != kinds(published) {
		t.Errorf("published %s, listened %s", kinds(published), kinds(seen))
	}
	for i, e := range published {
		if e.N != int64(i+1) || e.SessionID != r.id || e.TurnID != sent.TurnID || seen[i].N != e.N {
			t.Errorf("event %d is %+v", i, e)
		}
	}
}

func TestStopKeepsWhatCame(t *testing.T) {
	r := newRig(t)
	sent := r.say("tell me a story")
	q := r.server.Next()
	q.Say("Once upon")
	r.untilText("Once upon")
	if said, withdrawn, err := r.agent.End(r.id, sent.TurnID); said.Text != "tell me a story" || withdrawn || err != nil {
		t.Errorf("%+v %v %v", said, withdrawn, err)
	}
	if done := r.done(sent.TurnID); done.Status != StatusAborted || done.Error != nil || !slices.Equal(done.Seqs, []int64{1, 2}) {
		t.Errorf("%+v", done)
	}
	q.Gone()
	r.wantLog("user: tell me a story", "assistant/aborted: Once upon")
	if _, _, err := r.agent.End(r.id, sent.TurnID); !errors.Is(err, ErrNoTurn) {
		t.Errorf("stopping again: %v", err)
	}

	sent = r.say("go on")
	q = r.server.Next()
	if got := q.Dialogue(); !slices.Equal(got, []string{"user: tell me a story", "assistant: Once upon", "user: go on"}) {
		t.Errorf("%q", got)
	}
	q.Answer("a time")
	if done := r.done(sent.TurnID); done.Status != StatusOK {
		t.Errorf("%+v", done)
	}
}

func TestStopBeforeAnythingCame(t *testing.T) {
	r := newRig(t)
	sent := r.say("hello")
	r.server.Next()
	_, _, err := r.agent.End(r.id, sent.TurnID)
	must(t, err)
	if done := r.done(sent.TurnID); done.Status != StatusAborted {
		t.Errorf("%+v", done)
	}
	if !CanRetry(r.context()) {
		t.Error("a message whose answer was stopped before it began can't be tried again")
	}
	retry := r.submit(Message{Retry: true})
	q := r.server.Next()
	if got := q.Dialogue(); !slices.Equal(got, []string{"user: hello"}) {
		t.Errorf("%q", got)
	}
	q.Answer("hello yourself")
	r.done(retry.TurnID)
	r.wantLog("user: hello", "assistant/aborted: ", "assistant: hello yourself")
}

func TestFailedTurnCanBeTriedAgain(t *testing.T) {
	for name, fail := range map[string]func(*modeltest.Asked){
		"refused":    func(q *modeltest.Asked) { q.Fail(http.StatusBadRequest, `{"error":{"message":"not today"}}`) },
		"broken off": func(q *modeltest.Asked) { q.Say("half an ans").Break() },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			sent := r.say("hello")
			fail(r.server.Next())
			events := r.until(KindDone, sent.TurnID)
			done := data[Done](t, events[len(events)-1])
			if done.Status != StatusError || done.Error == nil || done.Error.Message == "" || done.Unsent != "" {
				t.Errorf("%+v", done)
			}
			if before := events[len(events)-2]; before.Kind != KindError || data[Problem](t, before) != *done.Error {
				t.Errorf("before done: %+v", before)
			}
			lines := linesIn(t, r.store.LogPath(r.id))
			if len(lines) != 2 || lines[1].StopReason != "error" || lines[1].ErrorMessage != done.Error.Message {
				t.Fatalf("%+v", lines)
			}
			if c := r.context(); !CanRetry(c) || len(c.Messages) != 1 {
				t.Errorf("%d messages, can retry: %v", len(c.Messages), CanRetry(c))
			}

			retry := r.submit(Message{Retry: true})
			if retry.Seq != 0 {
				t.Errorf("a retry has the seq %d", retry.Seq)
			}
			q := r.server.Next()
			if got := q.Dialogue(); !slices.Equal(got, []string{"user: hello"}) {
				t.Errorf("%q", got)
			}
			q.Answer("here I am")
			if done := r.done(retry.TurnID); done.Status != StatusOK || !slices.Equal(done.Seqs, []int64{3}) {
				t.Errorf("%+v", done)
			}
			if CanRetry(r.context()) {
				t.Error("an answered message can be tried again")
			}
			if _, err := r.agent.Submit(t.Context(), r.id, Message{Retry: true}); !errors.Is(err, ErrNothingToAnswer) {
				t.Errorf("retry of what is answered: %v", err)
			}
			r.say("and now?")
			q = r.server.Next()
			if got := q.Dialogue(); !slices.Equal(got, []string{"user: hello", "assistant: here I am", "user: and now?"}) {
				t.Errorf("later: %q", got)
			}
			q.Answer("now too")
			r.until(KindDone, "")
		})
	}
}

func TestRetryingIsTold(t *testing.T) {
	r := newRig(t)
	sent := r.say("hello")
	r.server.Next().Fail(http.StatusServiceUnavailable, "busy", "Retry-After", "7")
	events := r.until(KindRetry, sent.TurnID)
	if data := data[Retrying](t, events[len(events)-1]); data.Attempt != 1 || data.InMs != 7000 || !strings.Contains(data.Reason, "busy") {
		t.Errorf("%+v", data)
	}
	r.server.Next().Answer("again")
	if done := r.done(sent.TurnID); done.Status != StatusOK {
		t.Errorf("%+v", done)
	}
	r.wantLog("user: hello", "assistant: again")
}

func TestWithoutHistory(t *testing.T) {
	r := newRig(t)
	r.say("one")
	r.server.Next().Answer("1")
	r.until(KindDone, "")
	sent := r.submit(Message{Text: "aside", NoHistory: true, Model: "m-2"})
	q := r.server.Next()
	if got := q.Dialogue(); !slices.Equal(got, []string{"user: aside"}) || q.Model != "m-2" {
		t.Errorf("%s: %q", q.Model, got)
	}
	// The session is not held meanwhile.
	release, err := session.Open(r.store.Home(), session.Options{Wait: -1}).Lock(t.Context(), r.id)
	must(t, err)
	release()
	q.Answer("whispered")
	if done := r.done(sent.TurnID); done.Status != StatusOK || len(done.Seqs) != 0 || sent.Seq != 0 || done.Unsent != "" {
		t.Errorf("%+v", done)
	}
	r.wantLog("user: one", "assistant: 1")
}

func TestModelIsSwitchedOnce(t *testing.T) {
	r := newRig(t)
	r.server.Script(func(q *modeltest.Asked) { q.Answer("I am " + q.Model) })
	for _, m := range []Message{{Text: "a"}, {Text: "b", Model: "m-2"}, {Text: "c", Model: "m-2"}, {Text: "d"}} {
		if done := r.done(r.submit(m).TurnID); done.Status != StatusOK {
			t.Errorf("%+v", done)
		}
	}
	r.wantLog("user: a", "assistant: I am m-1", "model: ", "user: b", "assistant: I am m-2",
		"user: c", "assistant: I am m-2", "user: d", "assistant: I am m-2")
}

// TestWhatWaitsHearsLastOfTheEnd: which of an agent's turns is called off first is anyone's guess.
func TestWhatWaitsHearsLastOfTheEnd(t *testing.T) {
	r := newRig(t)
	var late atomic.Pointer[Turn]
	hold := r.agent.deps.Hold
	r.agent.deps.Hold = func(ctx context.Context, id string) (Session, error) {
		if turn := late.Load(); turn != nil {
			turn.cancel(ErrClosed)
		}
		return hold(ctx, id)
	}
	r.say("one")
	q := r.server.Next()
	r.say("two")
	r.agent.mu.Lock()
	two := r.agent.owners[r.id].turns[1]
	two.ctx, two.cancel = context.WithCancelCause(t.Context())
	r.agent.mu.Unlock()
	late.Store(two)
	q.Say("half")
	r.untilText("half")
	r.agent.Close()
	r.wantLog("user: one", "assistant/aborted: half", "user: two")
	q.Gone()
}

func TestCloseWritesDownWhatWaits(t *testing.T) {
	r := newRig(t)
	running := r.say("one")
	q := r.server.Next()
	r.say("two")
	r.say("three")
	q.Say("half")
	r.untilText("half")
	r.agent.Close()
	r.wantLog("user: one", "assistant/aborted: half", "user: two", "user: three")
	q.Gone()
	r.server.Silent()
	statuses := 0
	for len(r.events) > 0 {
		e := <-r.events
		if done, ok := e.Data.(Done); ok {
			if statuses++; done.Status != StatusAborted {
				t.Errorf("%s: %+v", e.TurnID, done)
			}
		}
	}
	if statuses != 3 {
		t.Errorf("%d turns are done", statuses)
	}
	if _, err := r.agent.Submit(t.Context(), r.id, Message{Text: "late"}); !errors.Is(err, ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
	release, err := session.Open(r.store.Home(), session.Options{Wait: -1}).Lock(t.Context(), r.id)
	must(t, err)
	release()
	if state := r.agent.State(r.id); state.Running != nil || len(state.Queued) != 0 {
		t.Errorf("%+v", state)
	}
	_ = running
}

// TestLogHoldsTextAsItIs: what programs look for in a log is there as it was written.
func TestLogHoldsTextAsItIs(t *testing.T) {
	r := newRig(t)
	text := "<div> & \u2028 \x01 \xff 😀 \\ \""
	r.tools = toolFunc(func(context.Context, llm.Call) Result { return Result{Text: text} })
	sent := r.say(text)
	r.server.Next().Say("<b>").Call(0, "c", "look", `{"a":"<a> & b","n":12345678901234567890}`).End("tool_calls")
	q := r.server.Next()
	want := strings.ToValidUTF8(text, "\ufffd")
	if q.Messages[0].Content != want || q.Last() != want {
		t.Errorf("asked with %q", q.Dialogue())
	}
	q.Answer("</b>")
	r.done(sent.TurnID)
	log, err := os.ReadFile(r.store.LogPath(r.id))
	must(t, err)
	for _, whole := range []string{"<div> & ", "<b>", `{"a":"<a> & b","n":12345678901234567890}`, "</b>"} {
		if !strings.Contains(string(log), whole) {
			t.Errorf("%s is not in the log:\n%s", whole, log)
		}
	}
}

// failingAt fails the append that writes a record of this role.
// TestErrorThatIsNoStop: a cancellation that nobody asked for is a failure.
func TestErrorThatIsNoStop(t *testing.T) {
	r := newRig(t)
	r.choice.Asker = asker(func(context.Context, llm.Request, func(llm.Delta)) (llm.Answer, error) {
		return llm.Answer{Text: "half"}, context.Canceled
	})
	sent := r.say("hello")
	if done := r.done(sent.TurnID); done.Status != StatusError || done.Error == nil {
		t.Errorf("%+v", done)
	}
	r.wantLog("user: hello", "assistant/error: half")
}

type asker func(context.Context, llm.Request, func(llm.Delta)) (llm.Answer, error)

func (f asker) Stream(ctx context.Context, q llm.Request, on func(llm.Delta)) (llm.Answer, error) {
	return f(ctx, q, on)
}
