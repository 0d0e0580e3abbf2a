package compaction

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestComposeWithAHook(t *testing.T) {
	plan := keepingNothing(t, said("one"), answered("two"))
	for name, c := range map[string]struct {
		reply   Reply
		err     error
		offline bool
		want    *Hooked
		wrote   string // what the summarizer was told
		summary string
		fails   string
		note    string
	}{
		"nothing":         {want: &Hooked{Used: UsedNone}, wrote: "-", summary: fullSummary},
		"context":         {reply: Reply{Context: "the port"}, want: &Hooked{Used: UsedContext}, wrote: "the port", summary: fullSummary},
		"context offline": {reply: Reply{Context: "the port"}, offline: true, want: &Hooked{Used: UsedNone}, wrote: "the port", summary: fullSummary},
		"a summary":       {reply: Reply{Summary: "## Goal\nMine", Context: "x"}, want: &Hooked{Used: UsedSummary}, summary: "## Goal\nMine"},
		"only file tags":  {reply: Reply{Summary: "<read-files>\na\n</read-files>"}, want: &Hooked{Used: UsedNone}, wrote: "-", summary: fullSummary},
		"a refusal":       {reply: Reply{Refuse: "not\nnow", Summary: "x"}, fails: "the compaction hook refused: not now"},
		"a failure": {
			reply: Reply{Summary: "half of"}, err: errors.New("exit status 1"), want: &Hooked{UsedNone, "exit status 1"}, wrote: "-",
			summary: fullSummary, note: "the compaction hook was not heard: exit status 1",
		},
	} {
		t.Run(name, func(t *testing.T) {
			wrote := ""
			hook := func(_ context.Context, q Question) (Reply, error) {
				if q.Plan != plan || q.Trigger != TriggerThreshold || q.Instructions != "briefly" {
					t.Errorf("%+v", q)
				}
				return c.reply, c.err
			}
			draft, err := Compose(t.Context(), hook, TriggerThreshold, Request{Plan: plan, Instructions: "briefly"}, func(r Request) (*Draft, error) {
				wrote = r.Context + "-"
				draft := DraftOf(r.Plan, fullSummary)
				draft.Offline = c.offline
				return draft, nil
			})
			if c.fails != "" {
				if !errors.Is(err, ErrRefused) || err.Error() != c.fails {
					t.Errorf("%v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, draft.Hooked); diff != "" || draft.Summary != c.summary {
				t.Errorf("%s%s", diff, draft.Summary)
			}
			if wrote != strings.TrimSuffix(c.wrote, "-")+strings.Repeat("-", min(1, len(c.wrote))) {
				t.Errorf("told %q", wrote)
			}
			if c.note != "" && (len(draft.Notes) == 0 || draft.Notes[0] != c.note) {
				t.Errorf("%q", draft.Notes)
			}
		})
	}
}

// TestComposeEndsWithTheContext: a compaction that is cancelled while its hook runs writes nothing more.
func TestComposeEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_, err := Compose(ctx, func(context.Context, Question) (Reply, error) {
		cancel()
		return Reply{}, errors.New("killed")
	}, TriggerManual, Request{Plan: keepingNothing(t, said("one"))}, func(Request) (*Draft, error) {
		t.Error("the summarizer is asked")
		return nil, nil
	})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestContextOfTheHookIsInThePrompt(t *testing.T) {
	s := scripted(t, answer(fullSummary))
	if _, err := Summarize(t.Context(), s, Request{Plan: keepingNothing(t, said("one")), Context: "the port is 1"}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(s.asked[0], "Further context, which the summary has to take into account:\nthe port is 1") {
		t.Error(s.asked[0])
	}
}

func TestHookIsInTheRecord(t *testing.T) {
	plan := keepingNothing(t, said("one"))
	lines, err := Records(Commit{Plan: plan, Summary: fullSummary, Trigger: TriggerOverflow, Hooked: &Hooked{UsedNone, "timed out"}})
	if err != nil || !strings.Contains(string(lines[0]), `"hook":{"used":"none","problem":"timed out"}`) || !strings.Contains(string(lines[0]), `"trigger":"overflow"`) {
		t.Errorf("%s %v", lines, err)
	}
	grow(t, nil, said("one"), string(lines[0]))
}
