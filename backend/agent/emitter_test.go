package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"palimpsest/backend/llm"
	"palimpsest/backend/modeltest"
	"palimpsest/backend/record"
)

// eventMost is what http.md promises.
const eventMost = 8 << 10

// sized fails for an event that is too large as any door would write it.
func sized(t interface{ Errorf(string, ...any) }, e Event) {
	text, err := json.Marshal(e) // which escapes more than the doors do
	if err != nil || len(text) > eventMost {
		t.Errorf("%s %d: %d bytes, %v", e.Kind, e.N, len(text), err)
	}
}

// hostile are texts that take most room.
func hostile(n int) []string {
	var out []string
	for _, s := range []string{"x", "\x00", "<", "\\", `"`, "\u2028", "é", "日", "😀", "\xff", "\x1b"} {
		out = append(out, strings.Repeat(s, n/len(s)))
	}
	return out
}

// TestPiecesAddUp: whatever comes in, the events are numbered without a gap, small, and together say all of it in order.
func TestPiecesAddUp(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var got []Event
		e := NewEmitter("s", "t", func(e Event) { got = append(got, e) }, nil)
		var want strings.Builder
		e.called(ToolCall{ID: "c"})
		for range rapid.IntRange(1, 8).Draw(rt, "pieces") {
			kind := rapid.SampledFrom([]string{KindText, KindThinking, KindCompaction, KindToolOutput}).Draw(rt, "kind")
			text := rapid.OneOf(rapid.String(), rapid.SampledFrom(hostile(5000))).Draw(rt, "text")
			if kind == KindToolOutput {
				e.Snapshot() // other text that waits is told before it
				e.output("c", text)
				e.Snapshot()
			} else {
				e.Text(kind, text)
			}
			if text != "" {
				want.WriteString(kind[:1] + strings.Join(strings.Split(text, ""), kind[:1]))
			}
			if rapid.Bool().Draw(rt, "snapshot") {
				e.Snapshot()
			}
		}
		e.Send(KindDone, struct{}{})
		var said strings.Builder
		for i, event := range got {
			if event.N != int64(i+1) {
				rt.Fatalf("event %d has the number %d", i+1, event.N)
			}
			sized(rt, event)
			text := ""
			switch data := event.Data.(type) {
			case Text:
				text = data.Text
			case Drafting:
				text = data.Text
			case ToolOutput:
				text = data.Text
			}
			if text != "" {
				said.WriteString(event.Kind[:1] + strings.Join(strings.Split(text, ""), event.Kind[:1]))
			}
		}
		if said.String() != want.String() {
			rt.Fatalf("told %.300q, want %.300q", said.String(), want.String())
		}
	})
}

func TestTextIsGathered(t *testing.T) {
	events := make(chan Event, 1000)
	e := NewEmitter("s", "t", func(e Event) { events <- e }, nil)
	e.Text(KindText, "first ") // at once: nothing was told for long
	if len(events) != 1 {
		t.Fatalf("%d events", len(events))
	}
	for range 500 {
		e.Text(KindText, "x")
	}
	total := 6 + 500
	for got := 0; got < total; {
		select {
		case event := <-events:
			got += len(data[Text](t, event).Text)
		case <-time.After(modeltest.Deadline):
			t.Fatal("text that was gathered is never told")
		}
	}
	if n := e.Snapshot().N; n > 100 {
		t.Errorf("%d events for 501 pieces", n)
	}
}

func TestLongAnswersAreToldInFewerEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		said := 0
		e := NewEmitter("s", "t", func(Event) { said++ }, nil)
		second := func(piece string) int {
			before := said
			for range 1000 {
				e.Text(KindText, piece)
				time.Sleep(time.Millisecond)
			}
			return said - before
		}
		short := second("x")
		if swift := second("a dozen"); swift > 5 || swift < 3 {
			t.Errorf("%d events in a second of a short answer that nobody could read as it comes", swift)
		}
		e.Restart(KindRetry, nil)
		e.Text(KindText, strings.Repeat("x", longAnswer))
		second("x")
		long := second("x")
		if short < 25 || long > 12 || long < 8 {
			t.Errorf("%d events in a second of a short answer, %d of a long one", short, long)
		}
		second("a dozen bytes")
		if swift := second("a dozen bytes"); swift > 4 || swift < 2 { // more than one event holds
			t.Errorf("%d events in a second of a long answer that nobody could read as it comes", swift)
		}
		second("x")
		if calm := second("x"); calm != long {
			t.Errorf("%d events in a second once it is slower again, %d before", calm, long)
		}
	})
}

// TestEventsAreSmall sends the largest of everything that goes into an event.
func TestEventsAreSmall(t *testing.T) {
	for _, text := range hostile(8000) {
		name := fmt.Sprintf("%.4q", text)
		t.Run(name, func(t *testing.T) {
			raw, err := json.Marshal(map[string]string{"a": text})
			must(t, err)
			var plain strings.Builder
			encoder := json.NewEncoder(&plain)
			encoder.SetEscapeHTML(false)
			must(t, encoder.Encode(map[string]string{"a": text[:5000]}))
			for _, arguments := range []string{string(raw), plain.String(), "{}"} {
				call := toolCallOf(llm.Call{ID: text, Name: text, Arguments: arguments})
				sized(t, Event{SessionID: longID, TurnID: longID, N: 1 << 40, Kind: KindToolCall, Data: call})
				if arguments == "{}" && call.Arguments == nil {
					t.Error("short arguments are left out")
				}
			}
			r := newRig(t)
			r.tools = toolFunc(func(context.Context, llm.Call) Result { return Result{Text: text} })
			sent := r.submit(Message{Text: text})
			r.server.Next().Say(text).Think(text).Call(0, strings.Repeat("i", 5000), "look", string(raw)).End("tool_calls")
			waiting := r.submit(Message{Text: text, Images: images})
			r.server.Next().Fail(http.StatusBadRequest, string(raw))
			events := append(r.until(KindDone, sent.TurnID), r.until(KindStarted, waiting.TurnID)...)
			for _, e := range events {
				sized(t, e)
			}
			if got := kinds(events); !strings.Contains(got, "toolCall") || !strings.Contains(got, "toolResult") || !strings.Contains(got, "error") || !strings.Contains(got, "queued") {
				t.Errorf("not all was told: %s", got)
			}
		})
	}
}

// images are as many as a message may show.
var images = slices.Repeat([]Image{{MediaType: "image/webp", Blob: strings.Repeat("a", 64), Bytes: 5_000_000, Name: strings.Repeat("n", 200)}}, 8)

const longID = "01ARZ3NDEKTSV4RRFFQ69G5FAV"

// TestTheEndIsSmall is the event done of a turn that did a thousand things and whose error is long.
func TestTheEndIsSmall(t *testing.T) {
	for _, text := range hostile(8000) {
		var last Event
		r := newRig(t)
		turn := &Turn{agent: r.agent, unsent: true, message: Message{Text: text, Images: images}, ctx: t.Context()}
		turn.events = NewEmitter(longID, longID, func(e Event) {
			sized(t, e)
			last = e
		}, nil)
		for i := range int64(5000) {
			turn.seqs = append(turn.seqs, 1<<52+i)
		}
		turn.done(fmt.Errorf("failed: %s", text))
		done := data[Done](t, last)
		if len(done.Seqs) < 50 || done.Seqs[len(done.Seqs)-1] != 1<<52+4999 || done.Error == nil || len(done.Unsent) < 60 {
			t.Errorf("%d seqs, %+v", len(done.Seqs), done.Error)
		}
	}
}

// view is what a client knows of the answer in progress when it has seen the events up to one.
type view struct {
	answer, thinking string
	calls            []string
	done             int
}

func (v view) after(e Event) view {
	switch data := e.Data.(type) {
	case Text:
		if e.Kind == KindText {
			v.answer += data.Text
		} else {
			v.thinking += data.Text
		}
	case ToolCall:
		v.calls = append(slices.Clone(v.calls), data.ID)
	case ToolResult:
		v.done++
	case Recorded:
		switch {
		case data.Role == record.RoleAssistant:
			v = view{calls: v.calls} // which are yet to be run
		case v.done > 0:
			v = view{}
		}
	}
	return v
}

// TestSnapshotsAgreeWithEvents asks again and again how far a turn has come. Each time that is exactly what the events
// up to its number tell, through many answers and tool calls: who starts from a snapshot misses nothing and sees nothing
// twice.
func TestSnapshotsAgreeWithEvents(t *testing.T) {
	r := newRig(t)
	r.tools = toolFunc(func(_ context.Context, call llm.Call) Result { return Result{Text: call.ID} })
	round := 0
	r.server.Script(func(q *modeltest.Asked) {
		if round++; round > 40 {
			q.Say("that ").Say("is all").End("stop")
			return
		}
		q.Think(fmt.Sprint("hm ", round)).Say("one ").Say("two ")
		q.Call(0, fmt.Sprint("a", round), "look", "{}").Call(1, fmt.Sprint("b", round), "look", "{}").End("tool_calls")
	})
	sent := r.say("hello")
	var snapshots []Snapshot
	for {
		state := r.agent.State(r.id)
		if state.Running == nil {
			break
		}
		snapshots = append(snapshots, *state.Running)
	}
	events := r.until(KindDone, sent.TurnID)
	views := make([]view, len(events)+1)
	for i, e := range events {
		views[i+1] = views[i].after(e)
	}
	for _, s := range snapshots {
		want := views[s.N]
		var calls []string
		done := 0
		for _, call := range s.ToolCalls {
			calls = append(calls, call.ID)
			if (call.State == CallDone) != (call.Result != nil) {
				t.Errorf("%+v", call)
			}
			if call.State == CallDone {
				done++
			}
		}
		if s.Answer != want.answer || s.Thinking != want.thinking || !slices.Equal(calls, want.calls) || done != want.done {
			t.Fatalf("at %d (%s) the snapshot has %q %q %v, the events have %+v", s.N, events[max(s.N-1, 0)].Kind, s.Answer, s.Thinking, calls, want)
		}
	}
	t.Logf("%d snapshots of %d events", len(snapshots), len(events))
}

// TestWhoComesLaterHearsOfARetry: why the model is asked again and how long that takes is told to those as well who did not hear it, and
// to nobody once it is over.
func TestWhoComesLaterHearsOfARetry(t *testing.T) {
	again := llm.Retry{Attempt: 2, In: 3 * time.Second, Reason: "overloaded"}
	for name, over := range map[string]func(*Emitter){
		"text":                 func(e *Emitter) { e.Text(KindText, "Now.") },
		"thinking":             func(e *Emitter) { e.Text(KindThinking, "Now.") },
		"a call":               func(e *Emitter) { e.called(ToolCall{ID: "c1", Name: "ask"}) },
		"an answer in no time": func(e *Emitter) { e.recorded(record.RoleAssistant, []int64{2}) },
		"the next request":     func(e *Emitter) { e.enter(StateWaiting) },
		"a restart":            func(e *Emitter) { e.Restart(KindCompaction, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := NewEmitter("s", "t", func(Event) {}, nil)
				e.retries(again)
				time.Sleep(time.Second)
				want := Retrying{Attempt: 2, InMs: 2000, Reason: "overloaded"}
				if s := e.Snapshot(); s.State != StateRetrying || s.Retry == nil || *s.Retry != want {
					t.Errorf("%s %+v", s.State, s.Retry)
				}
				time.Sleep(time.Minute)
				if s := e.Snapshot(); s.State != StateRetrying || s.Retry == nil || s.Retry.InMs != 0 {
					t.Errorf("as the server is asked: %s %+v", s.State, s.Retry)
				}
				over(e)
				if s := e.Snapshot(); s.State == StateRetrying || s.Retry != nil {
					t.Errorf("when that is over: %s %+v", s.State, s.Retry)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		e := NewEmitter("s", "t", func(Event) {}, nil)
		e.enter(StateCompacting)
		e.retries(again)
		if s := e.Snapshot(); s.State != StateCompacting || s.Retry == nil || s.Retry.InMs != 3000 {
			t.Errorf("of a summary: %s %+v", s.State, s.Retry)
		}
		time.Sleep(again.In)
		if s := e.Snapshot(); s.State != StateCompacting || s.Retry != nil {
			t.Errorf("of a summary that is asked for again: %s %+v", s.State, s.Retry)
		}
	})
}
