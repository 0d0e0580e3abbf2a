package agent

import (
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

// TestInjectedIsCounted: what is told besides can be what makes a context too large.
func TestInjectedIsCounted(t *testing.T) {
	r := narrow(t)
	r.fill(0)
	r.inject = func(string) string { return words(32000) }
	sent := r.say("x")
	q := r.server.Next()
	if !q.ForSummary() {
		t.Fatalf("asked for %.300s", q.Raw)
	}
	q.Answer(summary)
	r.server.Next().Answer("fine")
	if got := compactions(r.until(KindDone, sent.TurnID)); got != "started done" {
		t.Error(got)
	}
}
