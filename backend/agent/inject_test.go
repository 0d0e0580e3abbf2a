package agent

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"palimpsest/backend/modeltest"
)

// TestInjectedAnewForEachRequest: between tool results and the next request, too, and right after a compaction; none of it is
// ever in the log.
func TestInjectedAnewForEachRequest(t *testing.T) {
	r := narrow(t)
	n := 0
	r.inject = func(id string) string {
		if id != r.id {
			t.Errorf("for %q", id)
		}
		n++
		return fmt.Sprint("told ", n)
	}
	r.tools = looking("seen")
	r.fill(0)
	sent := r.say("look")
	next := func(want string) *modeltest.Asked {
		q := r.server.Next()
		if q.Messages[0].Role != "system" || q.Messages[0].Content != want {
			t.Errorf("%.100q, want %s", q.Dialogue()[0], want)
		}
		return q
	}
	next("told 4").Call(0, "c", "look", "{}").End("tool_calls")
	next("told 5").Usage(37000, 1).Answer("fine")
	r.done(sent.TurnID)
	sent = r.say("go on")
	r.server.Next().Answer(summary)
	q := next("told 7")
	if !strings.Contains(q.Messages[1].Content, "## Goal") {
		t.Errorf("%.200q", q.Dialogue())
	}
	q.Answer("fine")
	r.done(sent.TurnID)
	for _, line := range r.log() {
		if strings.Contains(line, "told") {
			t.Errorf("in the log: %s", line)
		}
	}
}

// TestInjectedLeavesNoRoom: where no compaction can help, none is made, and the user is told why.
func TestInjectedLeavesNoRoom(t *testing.T) {
	r := narrow(t)
	r.fill(0)
	r.inject = func(string) string { return words(37000) }
	sent := r.say("x")
	q := r.server.Next()
	if q.ForSummary() {
		t.Fatalf("asked for %.300s", q.Raw)
	}
	q.Answer("fine")
	events := r.until(KindDone, sent.TurnID)
	if got := compactions(events); got != "failed" {
		t.Error(got)
	}
	for _, e := range events {
		if c, ok := e.Data.(Compacting); ok && !strings.Contains(c.Error.Message, "AGENTS.md") {
			t.Errorf("%+v", c.Error)
		}
	}
}

// TestNotEnoughIsNotTriedAgain: a compaction after which there still is too much is not followed by another one before the next
// request of the turn.
func TestNotEnoughIsNotTriedAgain(t *testing.T) {
	r := narrow(t)
	r.tools = looking("seen")
	r.fill(0)
	r.inject = func(string) string { return words(35500) }
	sent := r.say("look " + words(600))
	r.server.Next().Answer(summary)
	for i := range 3 {
		q := r.server.Next()
		if q.ForSummary() {
			t.Fatalf("asked for %.300s", q.Raw)
		}
		if i == 2 {
			q.Answer("fine")
			break
		}
		q.Call(0, fmt.Sprint("c", i), "look", "{}").End("tool_calls")
	}
	if done := r.done(sent.TurnID); done.Status != StatusOK {
		t.Errorf("%+v", done)
	}
}

// TestNothingIsAskedWithoutInstructions: an agent that was not told what it must not do is not let loose.
func TestNothingIsAskedWithoutInstructions(t *testing.T) {
	r := newRig(t)
	r.injectErr = errors.New("can't be read")
	sent := r.say("x")
	if done := r.done(sent.TurnID); done.Status != StatusError || !strings.Contains(done.Error.Message, "can't be read") {
		t.Errorf("%+v", done)
	}
	r.server.Silent()
}

// TestInjectedIsCounted: what is told besides can be what makes a context too large.
func TestInjectedIsCounted(t *testing.T) {
	r := narrow(t)
	r.fill(0)
	r.inject = func(string) string { return words(32000) }
	sent := r.say("x")
	r.toSummarize().Answer(summary)
	r.server.Next().Answer("fine")
	if got := compactions(r.until(KindDone, sent.TurnID)); got != "started done" {
		t.Error(got)
	}
}
