package agent

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/modeltest"
	"palimpsest/backend/session"
)

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
	want := []Waiting{{TurnID: second.TurnID, Text: "two"}, {TurnID: third.TurnID, Text: "three"}, {TurnID: fourth.TurnID, Text: "four"}}
	if state.Running == nil || state.Running.TurnID != first.TurnID || state.Running.Text != "one" || !reflect.DeepEqual(state.Queued, want) {
		t.Errorf("%+v", state)
	}

	if said, withdrawn, err := r.agent.End(r.id, third.TurnID); said.Text != "three" || !withdrawn || err != nil {
		t.Errorf("%+v %v %v", said, withdrawn, err)
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
	if data := byTurn[third.TurnID][0].Data; !reflect.DeepEqual(data, Queued{Text: "three", Ahead: 2}) {
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
	if said, withdrawn, err := r.agent.End(r.id, turn); said.Text != "two" || !withdrawn || err != nil {
		t.Errorf("%+v %v %v", said, withdrawn, err)
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

// TestClosedBeforeItBegins: a message whose sender is still there waits for no other program once this one ends.
func TestClosedBeforeItBegins(t *testing.T) {
	r := newRig(t)
	r.store = session.Open(r.store.Home(), session.Options{Wait: 100 * time.Millisecond})
	release := r.holding()
	r.agent.cancel(ErrClosed) // as [Agent.Close] does, once the turn is there
	if _, err := r.agent.Submit(t.Context(), r.id, Message{Text: "hello"}); err == nil || errors.Is(err, session.ErrBusy) {
		t.Errorf("got %v", err)
	}
	release()
	r.agent.Close()
	r.quiet()
	r.wantLog()
	r.server.Silent()
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
