package agent

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"palimpsest/backend/llm"
)

// TestTimeOfTurns: what a turn takes is booked, tools with it, and without the time in which the user was asked.
func TestTimeOfTurns(t *testing.T) {
	r := newRig(t)
	var elapsed atomic.Int64
	pass := func(d time.Duration) { elapsed.Add(int64(d)) }
	r.agent.deps.Now = func() time.Time { return time.Unix(0, elapsed.Load()) }
	r.tools = toolFunc(func(context.Context, llm.Call) Result {
		pass(3 * time.Second)
		return Result{Text: "looked"}
	})
	r.asking = func(_ llm.Call, from Caller) Result {
		_, err := from.Ask(func() *Question {
			return &Question{CallID: "b"}
		})
		return Result{Text: "asked", IsError: err != nil}
	}
	sent := r.say("go on")
	q := r.server.Next()
	pass(2 * time.Second)
	q.Call(0, "a", "look", "{}").Call(1, "b", "ask", "{}").End("tool_calls")
	r.until(KindPermission, sent.TurnID)
	pass(time.Hour)
	must(t, r.agent.Answer(r.id, sent.TurnID, "b", 0, func(Question) (Reply, error) { return Reply{Allow: true}, nil }))
	q = r.server.Next()
	pass(time.Second)
	q.Answer("done")
	r.done(sent.TurnID)
	m, err := r.store.Metadata(r.id)
	must(t, err)
	if m.ActiveSeconds == nil || *m.ActiveSeconds != 6 {
		t.Errorf("%v seconds, want 6", m.ActiveSeconds)
	}
}

// TestNoHistoryBooksNothing: it leaves no trace in metadata either.
func TestNoHistoryBooksNothing(t *testing.T) {
	r := newRig(t)
	path := filepath.Join(filepath.Dir(r.store.LogPath(r.id)), "metadata.json")
	before, err := os.ReadFile(path)
	must(t, err)
	sent := r.submit(Message{Text: "are you there?", NoHistory: true})
	q := r.server.Next()
	if len(q.Messages) != 1 {
		t.Errorf("%d messages", len(q.Messages))
	}
	q.Usage(3, 4).Answer("yes")
	if done := r.done(sent.TurnID); done.Status != StatusOK || len(done.Seqs) != 0 {
		t.Errorf("%+v", done)
	}
	after, err := os.ReadFile(path)
	if err != nil || string(after) != string(before) || r.raw() != "" {
		t.Errorf("%s\n%s, %v", after, r.raw(), err)
	}
}

// TestCostIsWrittenDown: of answers and of summaries, at the prices of the model that was asked.
func TestCostIsWrittenDown(t *testing.T) {
	r := newRig(t)
	r.choice.Prices = &llm.Prices{Input: 2, Output: 10}
	sent := r.say("hello")
	r.server.Next().Usage(1_000_000, 500_000).Answer("hi")
	done := r.done(sent.TurnID)
	if done.Usage == nil || done.Usage.Cost == nil || *done.Usage.Cost != 7 {
		t.Errorf("%+v", done.Usage)
	}
	if !strings.Contains(r.raw(), `"cost":7`) {
		t.Error(r.raw())
	}
	r.choice.Prices = nil
	sent = r.say("and again")
	r.server.Next().Usage(10, 5).Answer("hi")
	if done := r.done(sent.TurnID); done.Usage.Cost != nil || strings.Count(r.raw(), `"cost"`) != 1 {
		t.Errorf("%+v\n%s", done.Usage, r.raw())
	}
}
