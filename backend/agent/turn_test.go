package agent

import (
	"bufio"
	"context"
	"errors"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

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
	r.tools = tools(nil)
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
	if text, withdrawn, err := r.agent.End(r.id, sent.TurnID); text != "tell me a story" || withdrawn || err != nil {
		t.Errorf("%q %v %v", text, withdrawn, err)
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

func TestQueueIsFirstComeFirstServed(t *testing.T) {
	r := newRig(t)
	first := r.say("one")
	q := r.server.Next()
	second, third, fourth := r.say("two"), r.say("three"), r.say("four")
	for i, sent := range []Sent{second, third, fourth} {
		if sent.Seq != 0 || sent.Ahead != i+1 {
			t.Errorf("%d: %+v", i, sent)
		}
	}
	r.wantLog("user: one")
	state := r.agent.State(r.id)
	want := []Waiting{{second.TurnID, "two"}, {third.TurnID, "three"}, {fourth.TurnID, "four"}}
	if state.Running == nil || state.Running.TurnID != first.TurnID || state.Running.Text != "one" || !slices.Equal(state.Queued, want) {
		t.Errorf("%+v", state)
	}

	if text, withdrawn, err := r.agent.End(r.id, third.TurnID); text != "three" || !withdrawn || err != nil {
		t.Errorf("%q %v %v", text, withdrawn, err)
	}
	if _, _, err := r.agent.End(r.id, third.TurnID); !errors.Is(err, ErrNoTurn) {
		t.Errorf("withdrawing again: %v", err)
	}
	var all []Event
	q.Answer("1")
	all = append(all, r.until(KindDone, first.TurnID)...)
	r.server.Next().Answer("2")
	all = append(all, r.until(KindDone, second.TurnID)...)
	r.server.Next().Answer("4")
	all = append(all, r.until(KindDone, fourth.TurnID)...)
	r.wantLog("user: one", "assistant: 1", "user: two", "assistant: 2", "user: four", "assistant: 4")

	byTurn := map[string][]Event{}
	for _, e := range all {
		byTurn[e.TurnID] = append(byTurn[e.TurnID], e)
		if n := int64(len(byTurn[e.TurnID])); e.N != n {
			t.Errorf("event %d of %s has the number %d", n, e.TurnID, e.N)
		}
	}
	for turn, want := range map[string]string{
		first.TurnID: "started record text record done", second.TurnID: "queued started record text record done",
		third.TurnID: "queued withdrawn", fourth.TurnID: "queued started record text record done",
	} {
		if got := kinds(byTurn[turn]); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if data := byTurn[third.TurnID][0].Data; data != (Queued{Text: "three", Ahead: 2}) {
		t.Errorf("%+v", data)
	}
}

// TestWithdrawnBeforeItBegins ends a turn that has been taken while the one before it still says that it is done. Who
// sent it waits for it to begin.
func TestWithdrawnBeforeItBegins(t *testing.T) {
	r := newRig(t)
	blocked, free := make(chan struct{}), make(chan struct{})
	next := r.publish
	r.publish = func(e Event) {
		if next(e); e.Kind == KindDone {
			close(blocked)
			<-free
		}
	}
	r.say("one")
	r.server.Next().Answer("1")
	<-blocked
	failed := make(chan error, 1)
	go func() {
		_, err := r.agent.Submit(t.Context(), r.id, Message{Text: "two"})
		failed <- err
	}()
	turn := ""
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for turn == "" {
		<-look.C
		if queued := r.agent.State(r.id).Queued; len(queued) == 1 {
			turn = queued[0].TurnID
		}
	}
	if text, withdrawn, err := r.agent.End(r.id, turn); text != "two" || !withdrawn || err != nil {
		t.Errorf("%q %v %v", text, withdrawn, err)
	}
	close(free)
	select {
	case err := <-failed:
		if err == nil {
			t.Error("who sent it was told that it is in the log")
		}
	case <-time.After(modeltest.Deadline):
		t.Fatal("who sent it waits forever")
	}
	r.agent.Close()
	r.wantLog("user: one", "assistant: 1")
}

func TestSessionsRunSideBySide(t *testing.T) {
	r := newRig(t)
	made, err := r.store.Create(session.New{})
	must(t, err)
	first := r.say("one")
	one := r.server.Next() // not answered yet
	second, err := r.agent.Submit(t.Context(), made.ID, Message{Text: "two"})
	must(t, err)
	if second.Ahead != 0 {
		t.Errorf("%+v", second)
	}
	r.server.Next().Answer("2")
	r.done(second.TurnID)
	one.Answer("1")
	r.done(first.TurnID)
	r.wantLog("user: one", "assistant: 1")
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
	r.tools = tools(func(context.Context, llm.Call) Result { return Result{Text: text} })
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
func failingAt(role string) func([][]byte) error {
	return func(lines [][]byte) error {
		for _, l := range lines {
			if strings.Contains(string(l), `"role":"`+role+`"`) {
				return errDisk
			}
		}
		return nil
	}
}

var errDisk = errors.New("no space left on device")

func TestDiskErrorOnTheMessage(t *testing.T) {
	r := newRig(t)
	r.appended = failingAt("user")
	if _, err := r.agent.Submit(t.Context(), r.id, Message{Text: "hello"}); !errors.Is(err, errDisk) {
		t.Errorf("got %v", err)
	}
	r.server.Silent()
	r.quiet() // nothing has begun
	r.appended = nil
	r.say("again")
	q := r.server.Next()
	waiting := r.say("waiting")
	r.until(KindQueued, "")
	r.appended = failingAt("user")
	q.Answer("1")
	done := r.done(waiting.TurnID)
	if done.Status != StatusError || done.Unsent != "waiting" || len(done.Seqs) != 0 || !strings.Contains(done.Error.Message, errDisk.Error()) {
		t.Errorf("%+v", done)
	}
	r.agent.Close()
	r.wantLog("user: again", "assistant: 1")
}

func TestDiskErrorOnTheAnswer(t *testing.T) {
	for name, end := range map[string]func(*rig, *modeltest.Asked, Sent){
		"whole":  func(_ *rig, q *modeltest.Asked, _ Sent) { q.Say("lost").End("stop") },
		"broken": func(_ *rig, q *modeltest.Asked, _ Sent) { q.Say("lost").Break() },
		"stopped": func(r *rig, q *modeltest.Asked, sent Sent) {
			q.Say("lost")
			r.untilText("lost")
			_, _, err := r.agent.End(r.id, sent.TurnID)
			must(r.t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.appended = failingAt("assistant")
			sent := r.say("hello")
			end(r, r.server.Next(), sent)
			done := r.done(sent.TurnID)
			if done.Status != StatusError || done.Error == nil || !strings.Contains(done.Error.Message, errDisk.Error()) || done.Unsent != "" {
				t.Errorf("%+v", done)
			}
			r.agent.Close()
			r.wantLog("user: hello")
			if !CanRetry(r.context()) {
				t.Error("can't be tried again")
			}
		})
	}
}

// TestKilled kills the process that talks: while its answer streams, and while a tool runs.
func TestKilled(t *testing.T) {
	for _, while := range []string{"text", "tool"} {
		t.Run(while, func(t *testing.T) {
			r := newRig(t)
			other := r.other()
			out, err := other.StdoutPipe()
			must(t, err)
			must(t, other.Start())
			q := r.server.Next()
			q.Say("Once upon")
			if while == "tool" {
				q.Call(0, "c1", "look", "{}").Call(1, "c2", "look", "{}").End("tool_calls")
			}
			for lines := bufio.NewScanner(out); ; {
				if !lines.Scan() {
					t.Fatal("the other process says nothing more")
				}
				if lines.Text() == while {
					break
				}
			}
			must(t, other.Process.Kill())
			_ = other.Wait() // killed
			report, err := r.store.Check(r.id)
			if err != nil || !report.Sound() {
				t.Errorf("%+v, %v", report, err)
			}
			c := r.context()
			if !CanRetry(c) {
				t.Error("can't be tried again")
			}
			sent := r.submit(Message{Retry: true})
			q = r.server.Next()
			want := []string{"user: from the other process"}
			if while == "tool" {
				want = append(want, "assistant: Once upon[c1 look {}][c2 look {}]",
					"tool: [no result: interrupted] (c1)", "tool: [no result: interrupted] (c2)")
			}
			if got := q.Dialogue(); !slices.Equal(got, want) {
				t.Errorf("%q", got)
			}
			q.Answer("a time")
			if done := r.done(sent.TurnID); done.Status != StatusOK {
				t.Errorf("%+v", done)
			}
		})
	}
}

// holding takes the session's lock as another program would.
func (r *rig) holding() (release func()) {
	r.t.Helper()
	release, err := session.Open(r.store.Home(), session.Options{}).Lock(r.t.Context(), r.id)
	must(r.t, err)
	return release
}

// sending submits from a goroutine of its own, and returns when the turn is there.
func (r *rig) sending(ctx context.Context, text string) <-chan error {
	failed := make(chan error, 1)
	go func() {
		_, err := r.agent.Submit(ctx, r.id, Message{Text: text})
		failed <- err
	}()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for r.agent.State(r.id).Running == nil {
		<-look.C
	}
	return failed
}

// TestWhoGivesUpWaiting for another program leaves nothing behind: not the message, nor a turn.
func TestWhoGivesUpWaiting(t *testing.T) {
	for name, giveUp := range map[string]func(*rig, context.CancelFunc){
		"the sender":  func(_ *rig, cancel context.CancelFunc) { cancel() },
		"the program": func(r *rig, _ context.CancelFunc) { r.agent.Close() },
		"the user": func(r *rig, _ context.CancelFunc) {
			_, _, err := r.agent.End(r.id, r.agent.State(r.id).Running.TurnID)
			must(r.t, err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			release := r.holding()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			failed := r.sending(ctx, "hello")
			giveUp(r, cancel)
			if err := <-failed; err == nil || errors.Is(err, session.ErrBusy) {
				t.Errorf("got %v", err)
			}
			release()
			r.agent.Close()
			r.quiet()
			r.wantLog()
			r.server.Silent()
		})
	}
}

// TestQueuedBehindAnotherProgram: a message that waited and can't have the session is not lost without a word.
func TestQueuedBehindAnotherProgram(t *testing.T) {
	r := newRig(t)
	r.store = session.Open(r.store.Home(), session.Options{Wait: 100 * time.Millisecond})
	release := r.holding()
	defer release()
	failed := r.sending(t.Context(), "one")
	waiting := r.say("two")
	if err := <-failed; !errors.Is(err, session.ErrBusy) {
		t.Errorf("got %v", err)
	}
	if done := r.done(waiting.TurnID); done.Status != StatusError || done.Unsent != "two" || !strings.Contains(done.Error.Message, "busy") {
		t.Errorf("%+v", done)
	}
	r.wantLog()
}

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
