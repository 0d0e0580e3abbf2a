package agent

import (
	"bufio"
	"errors"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/modeltest"
	"palimpsest/backend/tokens"
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

// TestKilledWhileCompacting kills the process that compacts: while the summary streams, and when it has written the prune that
// comes before the compaction, and not that. The conversation goes on with all that it had.
func TestKilledWhileCompacting(t *testing.T) {
	for _, while := range []string{"summary", "prune"} {
		t.Run(while, func(t *testing.T) {
			r := newRig(t)
			for range 8 {
				r.round("q", "a", 0)
			}
			r.output(30_000)
			before := len(r.log())
			other := r.other()
			other.Env = append(other.Env, childCompacts+"="+while)
			out, err := other.StdoutPipe()
			must(t, err)
			must(t, other.Start())
			q := r.server.Next()
			if !q.ForSummary() {
				t.Fatalf("asks for %.300s", q.Raw)
			}
			q.Say("## G")
			if while == "prune" {
				q.Say(strings.TrimPrefix(summary, "## G")).End("stop")
			}
			lines := bufio.NewScanner(out)
			if !lines.Scan() || lines.Text() != while {
				t.Fatalf("the other process says %q", lines.Text())
			}
			must(t, other.Process.Kill())
			_ = other.Wait() // killed
			log := r.log()[before:]
			want := []string{"user: from the other process"}
			if while == "prune" {
				want = append(want, "prune: ")
			}
			if report, err := r.store.Check(r.id); err != nil || !report.Sound() || !slices.Equal(log, want) {
				t.Errorf("%+v, %v, %q", report, err, log)
			}
			if !CanRetry(r.context()) {
				t.Error("can't be tried again")
			}
			sent := r.submit(Message{Retry: true})
			q = r.server.Next()
			if got := q.Dialogue(); len(got) != 8*2+4+1 || got[0] != "user: q" || q.Last() != "from the other process" || strings.Contains(q.Raw, "## Goal") {
				t.Errorf("%.3000q", got)
			}
			q.Answer("fine")
			if done := r.done(sent.TurnID); done.Status != StatusOK {
				t.Errorf("%+v", done)
			}
			// And the compaction can be made now, where it still takes one.
			r.choice.Budget = tight
			sent = r.say("go on")
			r.summarized().Answer("fine")
			if got := compactions(r.until(KindDone, sent.TurnID)); got != map[string]string{"summary": "started done"}[while] {
				t.Error(got)
			}
			r.choice.Budget = tokens.Budget{}
			r.wantValid("after it")
		})
	}
}

// holding takes the session's lock as another program would.
