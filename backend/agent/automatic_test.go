package agent

import (
	"context"
	"errors"
	"fmt"
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
			r.toSummarize().Answer(summary)
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
		r.toSummarize().Answer(summary)
		q := r.server.Next()
		if got := q.Dialogue(); len(got) != 3 || !strings.HasSuffix(got[1], "a") || got[2] != "user: seventh" {
			t.Errorf("%q", got)
		}
		q.Answer("fine")
		if got := compactions(r.until(KindDone, sent.TurnID)); got != "started done" {
			t.Error(got)
		}
		r.round("eighth", "no second one", 0)
	})
	t.Run("messages alone", func(t *testing.T) {
		r := newRig(t)
		r.choice.Compaction.MaxMessages = 6
		for i := range 3 {
			r.round(fmt.Sprint("q", i), "a", 0)
		}
		sent := r.say("seventh")
		r.toSummarize().Answer(summary)
		q := r.server.Next()
		if got := q.Dialogue(); len(got) > 5 || q.Last() != "seventh" {
			t.Errorf("%q", got)
		}
		q.Answer("fine")
		r.done(sent.TurnID)
	})
	for name, budget := range map[string]tokens.Budget{
		"tokens": tokens.NewBudget(0, 16384, 500).Capped(4000, 0), "a part": tokens.NewBudget(0, 16384, 500).Capped(0, 0.03),
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.fill(0)
			r.choice.Budget = budget
			sent := r.say("x")
			r.toSummarize().Answer(summary)
			r.server.Next().Answer("fine")
			if got := compactions(r.until(KindDone, sent.TurnID)); got != "started done" {
				t.Error(got)
			}
		})
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

// TestAHookThatSaysTooMuch is not heard: the compaction is made without it.
func TestAHookThatSaysTooMuch(t *testing.T) {
	for name, c := range map[string]struct {
		reply compaction.Reply
		want  string
	}{
		"context": {compaction.Reply{Context: words(60_000)}, "its context is too long for the summarizer"},
		"summary": {compaction.Reply{Summary: "## Goal\n" + words(60_000)}, "its summary does not fit"},
	} {
		t.Run(name, func(t *testing.T) {
			r := narrow(t)
			r.fill(0)
			r.choice.Compaction.Hook = func(context.Context, compaction.Question) (compaction.Reply, error) { return c.reply, nil }
			sent := r.say("go on " + words(33_000))
			q := r.server.Next()
			if !q.ForSummary() || len(q.Raw) > 100_000 {
				t.Fatalf("asked for %.300s", q.Raw)
			}
			q.Answer(summary)
			q = r.server.Next()
			if len(q.Raw) > 160_000 {
				t.Errorf("a request of %d bytes", len(q.Raw))
			}
			q.Answer("fine")
			for _, e := range r.until(KindDone, sent.TurnID) {
				if d, ok := e.Data.(Compacting); ok && d.State == "done" && (d.Hook.Used != compaction.UsedNone || !strings.HasPrefix(d.Hook.Problem, c.want)) {
					t.Errorf("%+v", d.Hook)
				}
			}
		})
	}
}
