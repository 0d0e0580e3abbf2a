package backend

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend/session"
)

func TestPlanCompactionShowsWhatItWouldTake(t *testing.T) {
	model := asks(t)
	b, id := open(t, work()+compactionLine(10, 2)+said(11, "user", "Eleven."))
	review, err := b.PlanCompaction(t.Context(), id, cutAt(8))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]int64{{2, 3, 4, 5, 6, 7}, {8, 9, 11}}, [][]int64{review.Plan.Summarize, review.Plan.Keep}); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	var rows []string
	for _, row := range review.Rows {
		tool := ""
		if row.Tool != nil {
			tool = *row.Tool
		}
		rows = append(rows, fmt.Sprintf("%d %s %s %q %v", row.Seq, row.Role, tool, row.Text, row.Boundary))
	}
	want := []string{
		`2 assistant read "a.go" false`, `3 toolResult read "package a" false`, `4 assistant  "Found it." true`, `5 user  "Go on." true`,
		`6 assistant edit "b.go" true`, `7 toolResult edit "ok" false`, `8 assistant  "Fixed." true`, `9 user  "Thanks." true`, `11 user  "Eleven." true`,
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("rows (-want +got)\n%s", diff)
	}
	if !review.Plan.SplitTurn || review.EndSeq != 12 || review.TotalRows != 9 || review.FirstRow != 0 || review.Proposed || review.Reason != nil || review.Compaction != nil {
		t.Errorf("%+v", review)
	}
	if *review.Model != "m-1" || review.Requests != 1 || review.InputTokens < 400 {
		t.Errorf("%s, %d tokens in %d requests", *review.Model, review.InputTokens, review.Requests)
	}
	if p := review.Previous; p.Seq != 10 || p.Summary != "summary 10" || p.Timestamp != "2026-03-02T09:00:00Z" || p.Tokens < 20 || *review.Plan.PreviousSeq != 10 {
		t.Errorf("%+v", p)
	}
	if diff := cmp.Diff([][]string{{"a"}, {"b.go"}}, [][]string{review.Plan.ReadFiles[1:], review.Plan.ModifiedFiles}); diff == "" {
		t.Error("files are not sorted")
	}
	if fmt.Sprint(review.Plan.ReadFiles, review.Plan.ModifiedFiles) != "[a a.go] [b.go]" {
		t.Errorf("files %q and %q", review.Plan.ReadFiles, review.Plan.ModifiedFiles)
	}
	// Each row that says so is a place where a cut is taken, and no other is.
	for _, row := range review.Rows {
		if _, err := b.PlanCompaction(t.Context(), id, cutAt(row.Seq)); (err == nil) != row.Boundary {
			t.Errorf("a cut at %d, boundary %v: %v", row.Seq, row.Boundary, err)
		}
	}
	end, err := b.PlanCompaction(t.Context(), id, cutAt(review.EndSeq))
	if err != nil || len(end.Plan.Keep) != 0 {
		t.Errorf("keeping nothing: %+v, %v", end.Plan, err)
	}
	model.Silent()
}

func TestPlanCompactionProposesOrSaysWhyNot(t *testing.T) {
	asksNobody(t)
	b, id := open(t, work())
	without, err := b.PlanCompaction(t.Context(), id, Cut{})
	if err != nil || without.Plan != nil || !strings.Contains(*without.Reason, "the newest 20,000 are kept") || len(without.Rows) != 9 || without.Model != nil {
		t.Errorf("%+v, %v", without, err)
	}
	proposed, err := b.PlanCompaction(t.Context(), id, Cut{Propose: true})
	if err != nil || !proposed.Proposed || proposed.Plan.CutSeq != 4 || proposed.Reason != nil || proposed.Previous != nil || proposed.Plan.PreviousSeq != nil {
		t.Errorf("%+v, %v", proposed.Plan, err)
	}
}

func TestReviewOfAPastCompaction(t *testing.T) {
	asksNobody(t)
	b, id := open(t, work())
	for _, cut := range []int64{4, 9} {
		if _, err := b.Compact(t.Context(), id, Compact{Cut: cutAt(cut), Offline: true, Instructions: "short"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Revert(t.Context(), id, 11); err != nil {
		t.Fatal(err)
	}
	first, err := b.Review(id, 10)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]int64{{1, 2, 3}, {4, 5, 6, 7, 8, 9}}, [][]int64{first.Plan.Summarize, first.Plan.Keep}); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if c := first.Compaction; c.State != StateInForce || c.Seq != 10 || *c.Trigger != "manual" || c.Instructions != nil || c.Edited || c.Model != nil || c.RevertedBy != nil || c.Summary == "" {
		t.Errorf("%+v", c)
	}
	if !first.Plan.SplitTurn || first.Previous != nil || first.EndSeq != 10 || first.TotalRows != 9 || first.Plan.CutSeq != 4 {
		t.Errorf("%+v", first)
	}
	second, err := b.Review(id, 11)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]int64{{4, 5, 6, 7, 8}, {9}}, [][]int64{second.Plan.Summarize, second.Plan.Keep}); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if c := second.Compaction; c.State != StateReverted || *c.RevertedBy != 12 || int(*c.TokensAfter) != *second.Plan.TokensAfter {
		t.Errorf("%+v", c)
	}
	if second.Previous == nil || second.Previous.Seq != 10 || *second.Plan.PreviousSeq != 10 {
		t.Errorf("%+v", second.Previous)
	}
	tokens := 0
	for _, row := range second.Rows {
		tokens += row.Tokens
	}
	if tokens != second.Plan.TokensBefore+second.Plan.TokensKept {
		t.Errorf("rows have %d tokens, %d were summarized and %d kept", tokens, second.Plan.TokensBefore, second.Plan.TokensKept)
	}
	for seq, want := range map[int64]error{1: session.ErrInput, 12: session.ErrInput, 99: session.ErrNotFound} {
		if _, err := b.Review(id, seq); !errors.Is(err, want) {
			t.Errorf("record %d: %v", seq, err)
		}
	}
}

// TestReviewOfAReplacement: it stands for everything before it, whatever its firstKeptSeq says.
func TestReviewOfAReplacement(t *testing.T) {
	asksNobody(t)
	line := strings.Replace(compactionLine(10, 5), `"trigger"`, `"replacement":[{"role":"user","content":[{"type":"text","text":"r"}]}],"trigger"`, 1)
	b, id := open(t, work()+line)
	review, err := b.Review(id, 10)
	if err != nil || len(review.Plan.Keep) != 0 || len(review.Plan.Summarize) != 9 || review.Plan.Goes != 9 || review.Plan.TokensKept != 0 {
		t.Errorf("%+v, %v", review.Plan, err)
	}
}

// TestReviewCountsTheMessagesThatTheBandCounts: notes are none, and what a replacement has word for word stayed.
func TestReviewCountsTheMessagesThatTheBandCounts(t *testing.T) {
	note := `{"recordType":"note","schemaVersion":2,"seq":10,"namespace":"n","content":[{"type":"text","text":"It rains."}]}` + "\n"
	log := work() + note + said(11, "user", "Eleven.")
	again := `"replacement":[{"role":"user","content":[{"type":"text","text":"Thanks."}]}],"keptSeqs":[9],"trigger"`
	for made, want := range map[string][]int{
		compactionLine(12, 11): {9, 1},
		strings.Replace(compactionLine(12, 12), `"trigger"`, again, 1): {9, 1},
	} {
		b, id := open(t, log+made)
		outline, err := b.Outline(id)
		newsMust(t, err)
		review, err := b.Review(id, 12)
		newsMust(t, err)
		p := review.Plan
		if got := []int{p.Goes, p.Stays, *outline.Compactions[0].Messages}; !slices.Equal(got, append(want, want[0])) {
			t.Errorf("%s%v went and stayed, and the band says: %v", made, p, got)
		}
		if len(p.Summarize)+len(p.Keep) != review.TotalRows || p.TokensKept == 0 {
			t.Errorf("%+v of %d rows", p, review.TotalRows)
		}
	}
	b, id := open(t, log)
	planned, err := b.PlanCompaction(t.Context(), id, cutAt(11))
	newsMust(t, err)
	if p := planned.Plan; p.Goes != 9 || p.Stays != 1 || len(p.Summarize) != 10 {
		t.Errorf("%+v", p)
	}
}

// TestReviewOfWhatAnotherAgentCompacted: its numbers are of all that its model saw, and so are those that a review comes to with them.
func TestReviewOfWhatAnotherAgentCompacted(t *testing.T) {
	asksNobody(t)
	theirs := func(seq, kept int, tokens string) string {
		line := strings.Replace(compactionLine(seq, kept), `"tokensBefore":9,"tokensAfter":5`, tokens, 1)
		return strings.Replace(line, `"trigger"`, `"origin":{"agent":"pi","session":"s"},"trigger"`, 1)
	}
	b, id := open(t, work()+theirs(10, 5, `"tokensBefore":1000,"tokensAfter":700`)+theirs(11, 8, `"tokensBefore":2000`)+
		theirs(12, 9, `"tokensBefore":0`)+compactionLine(13, 9))
	for seq, want := range map[int64]struct{ before, after int }{10: {1000, 700}, 11: {2000, 0}, 12: {0, 0}} {
		review, err := b.Review(id, seq)
		newsMust(t, err)
		plan, before, after := review.Plan, review.Plan.TokensBefore+review.Plan.TokensKept, 0
		if review.Previous != nil {
			before += review.Previous.Tokens
		}
		if plan.TokensAfter != nil {
			after = *plan.TokensAfter + plan.TokensKept
		}
		if want.before == 0 { // nothing is told: what went is estimated
			for _, row := range review.Rows[:len(plan.Summarize)] {
				want.before += row.Tokens
			}
			want.before += plan.TokensKept + review.Previous.Tokens
		}
		if plan.TokensKept == 0 || plan.TokensBefore == 0 || before != want.before || after != want.after || !review.Compaction.Foreign {
			t.Errorf("%d: from %d to %d, not %d to %d: %+v", seq, before, after, want.before, want.after, plan)
		}
	}
	ours, err := b.Review(id, 13)
	if err != nil || ours.Compaction.Foreign || ours.Plan.TokensBefore != 9 {
		t.Errorf("%+v, %v", ours, err)
	}
}

// TestReviewOfTheCutWhateverStayedBeforeIt: the rows are those around the cut, also where many before it stayed word for word.
func TestReviewOfTheCutWhateverStayedBeforeIt(t *testing.T) {
	const n, stayed = rowsMost + 500, 2000
	var log, seqs strings.Builder
	for seq := 1; seq <= n; seq++ {
		log.WriteString(said(seq, []string{"assistant", "user"}[seq%2], "message"))
		if seq <= stayed {
			fmt.Fprintf(&seqs, ",%d", seq)
		}
	}
	again := `"replacement":[{"role":"user","content":[{"type":"text","text":"message"}]}],"keptSeqs":[` + seqs.String()[1:] + `],"trigger"`
	b, id := open(t, log.String()+strings.Replace(compactionLine(n+1, n+1), `"trigger"`, again, 1))
	review, err := b.Review(id, n+1)
	newsMust(t, err)
	if review.FirstRow != n-rowsMost || len(review.Rows) != rowsMost || len(review.Plan.Summarize) != n-stayed {
		t.Errorf("%d rows from %d on, of which %d went", len(review.Rows), review.FirstRow, len(review.Plan.Summarize))
	}
}
