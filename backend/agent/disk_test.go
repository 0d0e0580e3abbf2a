package agent

import (
	"bufio"
	"errors"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/modeltest"
)

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
	if got := <-r.unsent; got != "waiting" {
		t.Errorf("came back: %q", got)
	}
	r.agent.Close()
	if len(r.unsent) > 0 {
		t.Errorf("%q came back, whose sender was told", <-r.unsent)
	}
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

// TestKilled kills the process that talks: while its answer streams, while a tool runs, and while the user is asked.
func TestKilled(t *testing.T) {
	for _, while := range []string{"text", "tool", "ask"} {
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
			if while == "ask" {
				q.Call(0, "c1", "ask", "{}").Call(1, "c2", "look", "{}").End("tool_calls")
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
			if while == "ask" {
				want = append(want, "assistant: Once upon[c1 ask {}][c2 look {}]",
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
