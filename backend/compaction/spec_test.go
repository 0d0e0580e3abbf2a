package compaction

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend/overlay"
)

// The tests of this file are the specification's scenarios of §7.7 that are about what a compaction summarizes, by their
// numbers. S7.6, that it appends and rewrites nothing, and S7.11, the context after it, are package session's and the
// facade's.

// callsAndResults has a call for every way in which its result can come. Each pair is the seq of a call's message and
// that of its result.
func callsAndResults(t *testing.T) (c *overlay.Context, pairs [][2]int64) {
	t.Helper()
	return contextOf(
		t, said("one"), // 1
		answered("two calls at once", read("a", "a"), read("b", "b")), // 2
		result("b", "of b, first"), result("a", "of a, second"),       // 3, 4
		answered("five"), said("six"), // 5, 6
		answered("", read("c", "c")),                              // 7
		said("are you there?"), answered("yes, it takes a while"), // 8, 9
		result("c", "far behind its call"), answered("eleven"), // 10, 11
		said("twelve"), answered("", read("d", "d")), // 12, 13: its result never came
		said("fourteen"), answered("fifteen"), // 14, 15
		answered("", read("a", "the same id again")), result("a", "sixteen's"), // 16, 17
	), [][2]int64{{2, 3}, {2, 4}, {7, 10}, {16, 17}}
}

func TestS7_13_NeverCutsBetweenACallAndItsResult(t *testing.T) {
	c, pairs := callsAndResults(t)
	var boundaries []int64
	for _, row := range Rows(c) {
		if row.Boundary {
			boundaries = append(boundaries, row.From)
		}
	}
	if diff := cmp.Diff([]int64{2, 5, 6, 7, 11, 12, 14, 15, 16}, boundaries); diff != "" {
		t.Errorf("boundaries (-want +got)\n%s", diff)
	}
	check := func(plan *Plan) {
		t.Helper()
		for _, pair := range pairs {
			if pair[0] < plan.CutSeq && plan.CutSeq <= pair[1] {
				t.Errorf("a cut at %d is between the call %d and its result %d", plan.CutSeq, pair[0], pair[1])
			}
		}
		if got := len(plan.Summarize) + len(plan.Keep); got != len(c.Messages) {
			t.Errorf("a cut at %d has %d messages of %d", plan.CutSeq, got, len(c.Messages))
		}
	}
	cuts := map[int64]bool{}
	for keep := range c.Estimate() + 2 {
		plan, err := Make(c, Options{KeepRecent: keep})
		if _, nothing := errors.AsType[*Nothing](err); nothing {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		check(plan)
		cuts[plan.CutSeq] = true
	}
	if len(cuts) < 6 {
		t.Errorf("the rule came to these cuts only: %v", cuts)
	}
	for seq := int64(1); seq <= 17; seq++ {
		plan, err := Make(c, Options{Cut: seq})
		if slices.Contains(boundaries, seq) != (err == nil) || err != nil && !errors.Is(err, ErrCut) {
			t.Errorf("a cut at %d: %v", seq, err)
		}
		if err == nil {
			check(plan)
		}
	}
}

func TestS7_14_SummaryFollowsTheStructuredFormat(t *testing.T) {
	order := []string{
		"## Goal", "## Constraints & Preferences", "## Progress", "### Done", "### In Progress", "### Blocked",
		"## Key Decisions", "## Next Steps", "## Critical Context",
	}
	plan := keepingNothing(t, said("Ship it."), answered("Shipped."))
	draft := Offline(plan)
	if got := regexp.MustCompile(`(?m)^##.*$`).FindAllString(draft.Summary, -1); !slices.Equal(got, order) {
		t.Errorf("the offline draft has %q", got)
	}
	if len(draft.MissingHeadings) != 0 {
		t.Errorf("the offline draft lacks %q", draft.MissingHeadings)
	}
	if whole := ask(t, plan, answer(fullSummary)); len(whole.MissingHeadings) != 0 {
		t.Errorf("the whole format lacks %q", whole.MissingHeadings)
	}
	_, err := Summarize(t.Context(), scripted(t, answer("They shipped it.\n### Done\nGoal")), Request{Plan: plan})
	if !errors.Is(err, ErrUnusable) {
		t.Errorf("a draft without sections: %v", err)
	}
	some := ask(t, plan, answer("## Goal\nx\n\n## next steps:\n1. y\n\n##Progress\n"))
	want := []string{"Constraints & Preferences", "Progress", "Key Decisions", "Critical Context"}
	if diff := cmp.Diff(want, some.MissingHeadings); diff != "" {
		t.Errorf("missing (-want +got)\n%s", diff)
	}
}

func TestS7_15_FilesAreCumulative(t *testing.T) {
	log := grow(
		t, nil, said("one"),
		answered("", read("a", "kept/read.go"), call("b", "write", `{"path":"written.go"}`), read("c", "later/edited.go")),
		result("a", ""), result("b", ""), result("c", ""),
	)
	first := planned(t, resolve(t, log), Options{})
	log = commit(t, log, Commit{Plan: first, Summary: fullSummary, Trigger: TriggerManual})
	log = grow(
		t, log, said("two"), answered("", read("a", "new.go"), call("b", "edit", `{"path":"later/edited.go"}`), read("c", "written.go")),
		result("a", ""), result("b", ""), result("c", ""),
	)
	second := planned(t, resolve(t, log), Options{})
	log = commit(t, log, Commit{Plan: second, Summary: fullSummary, Trigger: TriggerManual})
	for i, want := range [][2][]string{
		{{"kept/read.go", "later/edited.go"}, {"written.go"}},
		{{"kept/read.go", "new.go"}, {"later/edited.go", "written.go"}},
	} {
		plan := []*Plan{first, second}[i]
		if diff := cmp.Diff(want, [2][]string{plan.ReadFiles, plan.ModifiedFiles}); diff != "" {
			t.Errorf("compaction %d (-want +got)\n%s", i+1, diff)
		}
	}
	stored := resolve(t, log).Compaction
	if diff := cmp.Diff([2][]string{second.ReadFiles, second.ModifiedFiles}, [2][]string{stored.ReadFiles, stored.ModifiedFiles}); diff != "" {
		t.Errorf("the record (-plan +record)\n%s", diff)
	}
	tags := "\n\n<read-files>\nkept/read.go\nnew.go\n</read-files>\n\n<modified-files>\nlater/edited.go\nwritten.go\n</modified-files>"
	if stored.Summary != fullSummary+tags {
		t.Errorf("the summary is %q", stored.Summary)
	}
}

func TestS7_16_FilesModifiedAreNotListedAsRead(t *testing.T) {
	plan := keepingNothing(
		t, said("one"), answered("", read("a", "both.go"), call("b", "edit", `{"path":"both.go"}`), read("c", "only.go")),
		result("a", ""), result("b", ""), result("c", ""),
	)
	if fmt.Sprint(plan.ReadFiles, plan.ModifiedFiles) != "[only.go] [both.go]" {
		t.Errorf("read %q, modified %q", plan.ReadFiles, plan.ModifiedFiles)
	}
}

func TestS7_17_UpdatePromptWithThePreviousSummary(t *testing.T) {
	tagged := fullSummary + "\n\n<read-files>\na.go\n</read-files>\n\n<modified-files>\nb.go\n</modified-files>"
	plan := keepingNothing(t, said("one"), summarized(2, tagged, ""), said("What pods?"), answered("None."))
	model := scripted(t, answer(fullSummary))
	if _, err := Summarize(t.Context(), model, Request{Plan: plan}); err != nil {
		t.Fatal(err)
	}
	want := "<conversation>\n[User]: What pods?\n[Assistant]: None.\n</conversation>\n\n<previous-summary>\n" + fullSummary +
		"\n</previous-summary>\n\n" + golden(t, "update.txt")
	if diff := cmp.Diff(want, model.asked[0]); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if draft := Offline(plan); !strings.Contains(draft.Summary, "- The port is 8421\n") || !strings.Contains(draft.Summary, "- [x] Wrote parse.go") {
		t.Errorf("offline, the previous summary's information is gone:\n%s", draft.Summary)
	}
}

func TestS7_18_MessagesAreFlatText(t *testing.T) {
	c := contextOf(
		t, said("What pods are running?"), answered("Let me check.", call("tc_1", "bash", `{"command":"kubectl get pods"}`)),
		result("tc_1", "NAME   READY   STATUS\nnginx  1/1     Running"),
		answered("There is one pod running: nginx, with status Running."),
	)
	want := `[User]: What pods are running?
[Assistant]: Let me check.
[Assistant tool calls]: bash(command="kubectl get pods")
[Tool result]: NAME   READY   STATUS
nginx  1/1     Running
[Assistant]: There is one pod running: nginx, with status Running.`
	if diff := cmp.Diff(want, Serialize(c.Messages)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
