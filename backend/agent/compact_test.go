package agent

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/llm"
	"palimpsest/backend/modeltest"
	"palimpsest/backend/tokens"
)

const summary = `## Goal
Talk.

## Constraints & Preferences
- none

## Progress
### Done
- [x] Talked

### In Progress
- [ ] Talking

### Blocked
- nothing

## Key Decisions
- **none**: none

## Next Steps
1. Talk

## Critical Context
- none`

// words are a text of so many tokens.
func words(n int) string { return strings.Repeat("abc ", n) }

// narrow is a rig whose model has a window of 40000 tokens, of which 4000 are reserved and 500 kept.
func narrow(t *testing.T) *rig {
	r := newRig(t)
	r.choice.Budget = tokens.NewBudget(40000, 4000, 500)
	return r
}

// fill talks for about 5000 tokens, in six records; the last answer reports that so many were used.
func (r *rig) fill(used int) {
	r.t.Helper()
	for i := range 3 {
		report := 0
		if i == 2 {
			report = used
		}
		r.round(fmt.Sprint("message ", i, " ", words(830)), fmt.Sprint("answer ", i, " ", words(830)), report)
	}
	if c := r.context(); used > 0 && (c.Reported == nil || *c.Reported != used) {
		r.t.Fatalf("reported %v", c.Reported)
	}
}

// round is one message and its answer, which reports that it used so many tokens; 0 reports nothing.
func (r *rig) round(text, answer string, used int) {
	r.t.Helper()
	sent := r.say(text)
	q := r.server.Next()
	if used > 0 {
		q.Usage(used, 0)
	}
	q.Answer(answer)
	if done := r.done(sent.TurnID); done.Status != StatusOK {
		r.t.Fatalf("%+v", done.Error)
	}
}

// compactions are the states that events tell.
func compactions(events []Event) string {
	var out []string
	for _, e := range events {
		if c, ok := e.Data.(Compacting); ok {
			out = append(out, c.State)
		}
	}
	return strings.Join(out, " ")
}

// TestTheTriggerIsStrict: at exactly the window less the reserve nothing is compacted, one token above it is. The anchor
// is reported usage, and what follows is estimated: the message "x" is one token.
func TestTheTriggerIsStrict(t *testing.T) {
	for used, want := range map[int]string{35999: "", 36000: "started done"} {
		t.Run(fmt.Sprint(used), func(t *testing.T) {
			r := narrow(t)
			r.fill(used)
			sent := r.say("x")
			q := r.server.Next()
			if want != "" {
				if !q.ForSummary() {
					t.Fatalf("asked for %.300s", q.Raw)
				}
				q.Usage(50, 20).Answer(summary)
				q = r.server.Next()
				if !strings.Contains(q.Messages[0].Content, "## Goal") {
					t.Errorf("the request does not begin with the summary: %.300q", q.Dialogue())
				}
			}
			q.Usage(30, 1).Answer("fine")
			events := r.until(KindDone, sent.TurnID)
			if got := compactions(events); got != want {
				t.Errorf("compactions: %q, want %q", got, want)
			}
			if want == "" {
				return
			}
			i := slices.IndexFunc(events, func(e Event) bool { return e.Kind == KindCompaction && data[Compacting](t, e).State == "done" })
			lines := linesIn(t, r.store.LogPath(r.id))
			c := lines[7]
			if c.RecordType != "compaction" || c.Trigger != "threshold" || c.Model != "m-1" || !strings.HasPrefix(c.Summary, "## Goal") ||
				c.Seq != data[Compacting](t, events[i]).CommittedSeq {
				t.Errorf("%+v", c)
			}
			done := data[Done](t, events[len(events)-1])
			if !slices.Equal(done.Seqs, []int64{7, 8, 9}) || done.Usage.Input != 80 || done.Usage.Output != 21 {
				t.Errorf("%+v %+v", done, done.Usage)
			}

			// The usage from before does not trigger again.
			r.round("y", "z", 40)
			if got := len(r.log()); got != 11 {
				t.Errorf("%q", r.log())
			}
		})
	}
}

// TestCompactsBetweenToolResultsAndTheNextRequest, and not again when the kept part is as small as it can be.
func TestCompactsBetweenToolResultsAndTheNextRequest(t *testing.T) {
	r := narrow(t)
	r.tools = toolFunc(func(context.Context, llm.Call) Result { return Result{Text: "long " + words(33000)} })
	r.fill(0)
	sent := r.say("look")
	r.server.Next().Call(0, "c1", "look", "{}").End("tool_calls")
	r.toSummarize().Answer(summary)
	q := r.server.Next()
	if q.ForSummary() {
		t.Fatalf("compacted twice in a row: %.300s", q.Raw)
	}
	called := false
	for _, m := range q.Messages {
		for _, call := range m.ToolCalls {
			called = called || call.ID == "c1"
		}
		if m.Role == "tool" && !called {
			t.Errorf("a result without its call: %.300q", q.Dialogue())
		}
	}
	q.Answer("seen")
	events := r.until(KindDone, sent.TurnID)
	if got := compactions(events); got != "started done" {
		t.Error(got)
	}
	if _, err := r.store.Check(r.id); err != nil {
		t.Error(err)
	}
	r.server.Silent()
}

// TestCompactionThatFails is told, and the turn goes on with what there is.
func TestCompactionThatFails(t *testing.T) {
	r := narrow(t)
	r.fill(37000)
	sent := r.say("x")
	q := r.server.Next()
	if !q.ForSummary() {
		t.Fatalf("asked for %.300s", q.Raw)
	}
	q.Fail(http.StatusBadRequest, `{"error":{"message":"no summaries here"}}`)
	q = r.server.Next()
	if q.ForSummary() || len(q.Messages) != 7 {
		t.Errorf("then asked for %.300q", q.Dialogue())
	}
	q.Answer("fine")
	events := r.until(KindDone, sent.TurnID)
	if got := compactions(events); got != "started failed" {
		t.Error(got)
	}
	for _, e := range events {
		if c, ok := e.Data.(Compacting); ok && c.State == "failed" && (c.Error == nil || !strings.Contains(c.Error.Message, "no summaries here")) {
			t.Errorf("%+v", c.Error)
		}
	}
	if done := data[Done](t, events[len(events)-1]); done.Status != StatusOK {
		t.Errorf("%+v", done)
	}
	if got := len(r.log()); got != 8 {
		t.Errorf("%d records", got)
	}
}

// TestUnusableSummaryIsNotWritten: one that is empty, or cut, or none at all.
func TestUnusableSummaryIsNotWritten(t *testing.T) {
	for name, answer := range map[string]func(*modeltest.Asked){
		"empty": func(q *modeltest.Asked) { q.End("stop") },
		"cut":   func(q *modeltest.Asked) { q.Say(summary).End("length") },
		"prose": func(q *modeltest.Asked) { q.Answer("Sure! What next?") },
		"call":  func(q *modeltest.Asked) { q.Say(summary).Call(0, "c", "look", "{}").End("tool_calls") },
	} {
		t.Run(name, func(t *testing.T) {
			r := narrow(t)
			r.fill(37000)
			sent := r.say("x")
			answer(r.server.Next())
			r.server.Next().Answer("fine")
			if got := compactions(r.until(KindDone, sent.TurnID)); got != "started failed" {
				t.Error(got)
			}
			if got := r.log(); len(got) != 8 {
				t.Errorf("%d records", len(got))
			}
		})
	}
}

func TestNoCompactionWhereItIsOff(t *testing.T) {
	r := narrow(t)
	r.choice.Compaction.Auto = false
	r.fill(37000)
	sent := r.say("x")
	q := r.server.Next()
	if q.ForSummary() {
		t.Error("compacted")
	}
	q.Answer("fine")
	if got := kinds(r.until(KindDone, sent.TurnID)); strings.Contains(got, "compaction") {
		t.Error(got)
	}
}

// TestNothingToCompact: one message that is too long alone is sent as it is, and no summary asked for.
func TestNothingToCompact(t *testing.T) {
	r := narrow(t)
	sent := r.say("hello " + words(41000))
	q := r.server.Next()
	if q.ForSummary() {
		t.Fatal("there is nothing to summarize")
	}
	q.Fail(http.StatusBadRequest, `{"error":{"message":"maximum context length is 40000"}}`)
	events := r.until(KindDone, sent.TurnID)
	if done := data[Done](t, events[len(events)-1]); done.Status != StatusError || done.Error.Code != "overflow" {
		t.Errorf("%+v", done)
	}
}

func TestStopWhileCompacting(t *testing.T) {
	r := narrow(t)
	r.fill(37000)
	sent := r.say("x")
	q := r.server.Next()
	q.Say("## Go")
	if state := r.agent.State(r.id); state.Running == nil || state.Running.State != StateCompacting || state.Running.Answer != "" {
		t.Errorf("%+v", state.Running)
	}
	_, _, err := r.agent.End(r.id, sent.TurnID)
	must(t, err)
	if done := r.done(sent.TurnID); done.Status != StatusAborted {
		t.Errorf("%+v", done)
	}
	q.Gone()
	r.server.Silent()
	if got := r.log(); len(got) != 7 || got[6] != "user: x" {
		t.Errorf("%d records", len(got))
	}
	if !CanRetry(r.context()) {
		t.Error("can't be tried again")
	}
}

// TestLongTalkInANarrowWindow goes on for long: what is asked never exceeds the window by more than one message, and the
// log stays whole.
func TestLongTalkInANarrowWindow(t *testing.T) {
	r := narrow(t)
	asked := 0
	r.server.Script(func(q *modeltest.Asked) {
		if q.ForSummary() {
			asked++
			q.Answer(summary)
			return
		}
		size := 0
		for _, m := range q.Messages {
			size += tokens.Estimate(m.Content)
		}
		if size > 36000+2600 {
			t.Errorf("asked with about %d tokens", size)
		}
		q.Usage(size, 2500).Answer(words(2500))
	})
	for i := range 30 {
		sent := r.say(fmt.Sprint(i, words(2500)))
		if done := r.done(sent.TurnID); done.Status != StatusOK {
			t.Fatalf("%d: %+v", i, done.Error)
		}
	}
	if report, err := r.store.Check(r.id); err != nil || !report.Sound() {
		t.Errorf("%+v, %v", report, err)
	}
	if asked < 3 || asked > 10 {
		t.Errorf("compacted %d times", asked)
	}
}
