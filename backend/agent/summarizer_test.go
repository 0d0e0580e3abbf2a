package agent

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/compaction"
	"palimpsest/backend/tokens"
)

// TestHookInATurn: what it says counts, and what goes wrong with it is told and in the record.
func TestHookInATurn(t *testing.T) {
	for name, c := range map[string]struct {
		reply compaction.Reply
		err   error
		asks  bool
		want  string
		hook  string
	}{
		"nothing":   {compaction.Reply{}, nil, true, "started done", `"hook":{"used":"none"}`},
		"context":   {compaction.Reply{Context: "the port is 1"}, nil, true, "started done", `"hook":{"used":"context"}`},
		"a summary": {compaction.Reply{Summary: "## Goal\nMine"}, nil, false, "started done", `"summary":"## Goal\nMine"`},
		"a refusal": {compaction.Reply{Refuse: "not now"}, nil, false, "started failed", ""},
		"a failure": {compaction.Reply{}, errors.New("exit status 1"), true, "started done", `"hook":{"used":"none","problem":"exit status 1"}`},
	} {
		t.Run(name, func(t *testing.T) {
			r := narrow(t)
			r.fill(37000)
			r.choice.Compaction.Hook = func(_ context.Context, q compaction.Question) (compaction.Reply, error) {
				if q.Trigger != compaction.TriggerThreshold || len(q.Plan.Summarize) == 0 {
					t.Errorf("%+v", q)
				}
				return c.reply, c.err
			}
			sent := r.say("x")
			if c.asks {
				q := r.server.Next()
				if !q.ForSummary() || strings.Contains(q.Raw, "the port is 1") != (c.reply.Context != "") {
					t.Errorf("asked for %.300s", q.Raw)
				}
				q.Answer(summary)
			}
			q := r.server.Next()
			if q.ForSummary() {
				t.Fatalf("asked for %.300s", q.Raw)
			}
			q.Answer("fine")
			events := r.until(KindDone, sent.TurnID)
			if got := compactions(events); got != c.want {
				t.Error(got)
			}
			for _, e := range events {
				told, ok := e.Data.(Compacting)
				if ok && told.State == "failed" && !strings.Contains(told.Error.Message, "not now") {
					t.Errorf("%+v", told.Error)
				}
				if ok && told.State == "done" && (told.Hook == nil || told.Hook.Problem != "" != (c.err != nil)) {
					t.Errorf("%+v", told.Hook)
				}
			}
			if log := r.raw(); !strings.Contains(log, c.hook) || c.hook == "" && strings.Contains(log, `"compaction"`) {
				t.Errorf("no %s in %.3000s", c.hook, log)
			}
		})
	}
}

// TestAnotherModelWritesTheSummary, in parts where its window is smaller.
func TestAnotherModelWritesTheSummary(t *testing.T) {
	r := narrow(t)
	r.fill(37000)
	r.choice.Compaction.Summarizer = &Choice{
		Asker: r.choice.Asker, Model: "cheap", Provider: "test", Budget: tokens.NewBudget(6000, 1000, 0),
	}
	sent := r.say("x")
	parts := 0
	for {
		q := r.server.Next()
		if !q.ForSummary() {
			if q.Model != "m-1" {
				t.Errorf("%s answers", q.Model)
			}
			q.Answer("fine")
			break
		}
		if parts++; q.Model != "cheap" || tokens.Estimate(q.Raw) > 6000 {
			t.Errorf("%s is asked with %d tokens", q.Model, tokens.Estimate(q.Raw))
		}
		q.Answer(summary)
	}
	r.done(sent.TurnID)
	if c := linesIn(t, r.store.LogPath(r.id))[7]; c.Model != "cheap" || parts < 2 {
		t.Errorf("%+v in %d parts", c, parts)
	}
}

// TestOneCompactionAtATime: whoever else compacts is told when this one begins and ends, whatever comes of it.
func TestOneCompactionAtATime(t *testing.T) {
	for _, fails := range []bool{false, true} {
		r := narrow(t)
		var told []string
		r.compacting = func(id string) func() {
			told = append(told, "begins "+id)
			return func() { told = append(told, "ends") }
		}
		r.fill(37000)
		sent := r.say("x")
		if q := r.server.Next(); fails {
			q.Answer("no summary")
		} else {
			q.Answer(summary)
		}
		r.server.Next().Answer("fine")
		r.done(sent.TurnID)
		if want := []string{"begins " + r.id, "ends"}; !slices.Equal(told, want) {
			t.Errorf("%q", told)
		}
	}
}
