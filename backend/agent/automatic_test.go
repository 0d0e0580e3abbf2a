package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/compaction"
	"palimpsest/backend/tokens"
)

// output fills the log with turns whose tool gives back so many tokens each.
func (r *rig) output(sizes ...int) {
	r.t.Helper()
	for i, size := range sizes {
		r.tools = looking("out " + words(size))
		sent := r.say(fmt.Sprint("look ", i))
		r.server.Next().Call(0, fmt.Sprint("c", i), "look", "{}").End("tool_calls")
		r.server.Next().Answer("seen")
		if done := r.done(sent.TurnID); done.Status != StatusOK {
			r.t.Fatalf("%+v", done.Error)
		}
	}
}

// TestPrunesFirst: where clearing old tool output is enough, no summary is asked for.
func TestPrunesFirst(t *testing.T) {
	r := newRig(t)
	r.choice.Compaction.Prune, r.choice.Compaction.Protected = true, []string{"skill"}
	r.output(25_000, 30_000, 15_000, 5_000, 5_000)
	r.tools = looking("out " + words(32_000))
	sent := r.say("look")
	r.server.Next().Call(0, "last", "look", "{}").End("tool_calls")
	q := r.server.Next()
	if q.ForSummary() {
		t.Fatal("asks for a summary")
	}
	if got := strings.Count(q.Raw, "[tool result cleared: "); got != 2 {
		t.Errorf("%d results cleared: %.3000s", got, q.Raw)
	}
	q.Answer("fine")
	events := r.until(KindDone, sent.TurnID)
	if got := compactions(events); got != "pruned" {
		t.Error(got)
	}
	for _, e := range events {
		if c, ok := e.Data.(Compacting); ok && (c.TokensFreed < 54_900 || c.CommittedSeq == 0) {
			t.Errorf("%+v", c)
		}
	}
	r.wantValid("after it")
}

// TestPruningIsNotEnough: then older messages are summarized, too. Protected tools keep theirs, and so does everybody where
// pruning is off.
func TestPruningIsNotEnough(t *testing.T) {
	for name, c := range map[string]struct {
		prune     bool
		protected []string
		want      string
	}{
		"not enough": {true, nil, "pruned started done"},
		"protected":  {true, []string{"look"}, "started done"},
		"off":        {false, nil, "started done"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.choice.Compaction.Prune, r.choice.Compaction.Protected = c.prune, c.protected
			r.output(22_000, 39_000)
			r.round("and "+words(33_000), "well", 0)
			r.choice.Budget = tokens.NewBudget(90_000, 16384, 20_000)
			sent := r.say("go on " + words(20_000))
			q := r.server.Next()
			if !q.ForSummary() {
				t.Fatalf("asked for %.300s", q.Raw)
			}
			q.Answer(summary)
			r.server.Next().Answer("fine")
			if got := compactions(r.until(KindDone, sent.TurnID)); got != c.want {
				t.Error(got)
			}
		})
	}
}

// TestOtherTriggers: so many messages, so many tokens, a part of the window.
func TestOtherTriggers(t *testing.T) {
	t.Run("messages", func(t *testing.T) {
		r := newRig(t)
		r.choice.Compaction.MaxMessages, r.choice.Compaction.KeepMessages = 6, 2
		for i := range 3 {
			r.round(fmt.Sprint("q", i), "a", 0)
		}
		sent := r.say("seventh")
		q := r.server.Next()
		if !q.ForSummary() {
			t.Fatalf("asked for %.300s", q.Raw)
		}
		q.Answer(summary)
		q = r.server.Next()
		if got := q.Dialogue(); len(got) != 3 || !strings.HasSuffix(got[1], "a") || got[2] != "user: seventh" {
			t.Errorf("%q", got)
		}
		q.Answer("fine")
		if got := compactions(r.until(KindDone, sent.TurnID)); got != "started done" {
			t.Error(got)
		}
		r.round("eighth", "no second one", 0)
	})
	for name, budget := range map[string]tokens.Budget{
		"tokens": tokens.NewBudget(0, 16384, 500).Capped(4000, 0), "a part": tokens.NewBudget(0, 16384, 500).Capped(0, 0.03),
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.fill(0)
			r.choice.Budget = budget
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

// TestPruneOfACompactionThatCanNotBeWritten is taken back: the turn goes on with what was there.
func TestPruneOfACompactionThatCanNotBeWritten(t *testing.T) {
	r := newRig(t)
	for range 8 {
		r.round("q", "a", 0)
	}
	r.tools = looking("out " + words(30_000))
	sent := r.say("look")
	r.server.Next().Call(0, "c", "look", "{}").End("tool_calls")
	r.server.Next().Answer("seen")
	r.done(sent.TurnID)
	r.choice.Budget = tokens.Budget{Window: 26_000, Reserve: 2000, KeepRecent: 30_014}
	n := 0
	r.partly = func(lines [][]byte) (int, error) {
		if len(lines) == 2 && strings.Contains(string(lines[0]), `"prune"`) {
			n++
			return 1, errors.New("the disk is full")
		}
		return len(lines), nil
	}
	sent = r.say("go on")
	q := r.summarized()
	if strings.Contains(q.Raw, "[tool result cleared") {
		t.Error("what was cleared stays cleared")
	}
	q.Answer("fine")
	if got := compactions(r.until(KindDone, sent.TurnID)); got != "started failed" || n != 1 {
		t.Errorf("%s, %d", got, n)
	}
	if got := strings.Join(r.log(), "\n"); !strings.Contains(got, "prune: ") || !strings.Contains(got, "revert: ") || strings.Contains(got, "compaction: ") {
		t.Errorf("%.3000s", got)
	}
}
