package compaction

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// dialogue has 100 tokens in each of its eight messages; 3 and 4 are a call and its result.
func dialogue() []string {
	arguments := `{"path":"` + strings.Repeat("x", 396-len(`{"path":""}`)) + `"}`
	return []string{
		said(tokensOf(100)), answered(tokensOf(100)), answered("", call("a", "read", arguments)), result("a", tokensOf(100)), // 1 to 4
		answered(tokensOf(100)), said(tokensOf(100)), answered(tokensOf(100)), said(tokensOf(100)), // 5 to 8
	}
}

func TestCutByRule(t *testing.T) {
	c := contextOf(t, dialogue()...)
	for _, m := range c.Messages {
		if m.Tokens != 100 {
			t.Fatalf("message %d has %d tokens", m.Seq, m.Tokens)
		}
	}
	for _, row := range []struct {
		keep      int
		cut       int64
		splitTurn bool
	}{
		{1, 8, false},
		{100, 8, false},
		{101, 7, true},
		{300, 6, false},
		{400, 5, true},
		{401, 5, true}, // reached in the result 4, the boundary behind it
		{501, 3, true},
		{601, 2, true},
		{0, 9, false},
	} {
		plan := planned(t, c, Options{KeepRecent: row.keep})
		if plan.CutSeq != row.cut || plan.SplitTurn != row.splitTurn || plan.TokensKept != 100*int(9-row.cut) || plan.TokensBefore != 800-plan.TokensKept {
			t.Errorf("keeping %d: cut at %d, split %v, %d and %d tokens", row.keep, plan.CutSeq, plan.SplitTurn, plan.TokensBefore, plan.TokensKept)
		}
	}
	for _, keep := range []int{701, 800, 801, 1 << 40} {
		if plan, err := Make(c, Options{KeepRecent: keep}); plan != nil || !isNothing(err) {
			t.Errorf("keeping %d: %+v, %v", keep, plan, err)
		}
	}
}

func isNothing(err error) bool {
	_, ok := errors.AsType[*Nothing](err)
	return ok
}

// TestLastResultsLargerThanTheBudgetAreKeptWithTheirCallOnly: no boundary is behind them, so it is the nearest before.
func TestLastResultsLargerThanTheBudgetAreKeptWithTheirCallOnly(t *testing.T) {
	c := contextOf(t, said("one"), answered("two"), said("three"), answered("", read("a", "a"), read("b", "b")), result("b", tokensOf(500)), result("a", tokensOf(900)))
	for _, keep := range []int{10, 500, 901, 1390} {
		if plan := planned(t, c, Options{KeepRecent: keep}); plan.CutSeq != 4 || !plan.SplitTurn {
			t.Errorf("keeping %d: cut at %d", keep, plan.CutSeq)
		}
	}
}

func TestNothingToCompact(t *testing.T) {
	for name, c := range map[string]struct {
		c    *overlay.Context
		opts Options
		says string
	}{
		"an empty log":                        {contextOf(t), Options{KeepRecent: 10}, "no messages yet"},
		"an empty log, keeping nothing":       {contextOf(t), Options{}, "no messages yet"},
		"nothing since the compaction":        {contextOf(t, said("one"), summarized(2, "s", "")), Options{}, "no messages yet"},
		"nothing but what the last one kept":  {contextOf(t, said("one"), said("two"), summarized(2, "s", "")), Options{KeepRecent: 1}, "no place"},
		"less than what is kept":              {contextOf(t, said("one"), said("two")), Options{KeepRecent: 10}, "about 2 tokens, and the newest 10 are kept"},
		"no boundary":                         {contextOf(t, answered("", read("a", "a")), result("a", tokensOf(99))), Options{KeepRecent: 50}, "no place"},
		"no boundary, and one asked for":      {contextOf(t, answered("", read("a", "a")), result("a", tokensOf(99))), Options{KeepRecent: 50, Propose: true}, "no place"},
		"a replacement and nothing behind it": {contextOf(t, said("one"), summarized(1, "", `,"replacement":[{"role":"user","content":[{"type":"text","text":"r"}]}]`)), Options{}, "no messages yet"},
	} {
		_, err := Make(c.c, c.opts)
		nothing, ok := errors.AsType[*Nothing](err)
		if !ok || !strings.Contains(nothing.Reason, c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestProposesTheMiddle(t *testing.T) {
	c := contextOf(t, append(dialogue(), said(tokensOf(300)))...)
	plan := planned(t, c, Options{KeepRecent: 5000, Propose: true})
	if plan.CutSeq != 6 || !plan.Proposed {
		t.Errorf("cut at %d, proposed %v", plan.CutSeq, plan.Proposed)
	}
	if plan := planned(t, c, Options{KeepRecent: 300, Propose: true}); plan.CutSeq != 9 || plan.Proposed {
		t.Errorf("where the rule finds a cut, %d, proposed %v", plan.CutSeq, plan.Proposed)
	}
}

func TestCutOfTheUser(t *testing.T) {
	records := []string{
		said("1"), answered("2"), said("3"), answered("", read("a", "a")), result("a", "5"), answered("6"),
		summarized(3, "what came before", ""), aLabel, said("9"),
	}
	for name, c := range map[string]struct {
		cut     int64
		takes   string
		keeps   string
		refused bool
	}{
		"a user's message":               {cut: 9, takes: "3 4 5 6", keeps: "9"},
		"an answer":                      {cut: 4, takes: "3", keeps: "4 5 6 9"},
		"the compaction":                 {cut: 7, takes: "3 4 5 6", keeps: "9"},
		"the end":                        {cut: 10, takes: "3 4 5 6 9"},
		"a result":                       {cut: 5, refused: true},
		"a label":                        {cut: 8, refused: true},
		"where the last one cut":         {cut: 3, refused: true},
		"before where the last one cut":  {cut: 2, refused: true},
		"what is not there":              {cut: 11, refused: true},
		"a number that can't be a seq's": {cut: -1, refused: true},
	} {
		plan, err := Make(contextOf(t, records...), Options{Cut: c.cut, KeepRecent: 1 << 30})
		if c.refused {
			if !errors.Is(err, ErrCut) {
				t.Errorf("%s: %+v, %v", name, plan, err)
			}
			continue
		}
		if err != nil || seqs(plan.Summarize) != c.takes || seqs(plan.Keep) != c.keeps {
			t.Errorf("%s: %+v, %v", name, plan, err)
		}
	}
	plan := planned(t, contextOf(t, said("1"), said("2"), summarized(2, "s", "")), Options{Cut: 3})
	if plan.CutSeq != 4 || len(plan.Keep) != 0 {
		t.Errorf("a compaction with nothing behind it stands for %d, keeping %s", plan.CutSeq, seqs(plan.Keep))
	}
}

// TestSecondCompactionStartsAtWhatTheFirstKept: pi lost what stood there.
func TestSecondCompactionStartsAtWhatTheFirstKept(t *testing.T) {
	log := grow(t, nil, said("1"), said("2"), said("3"), said("4"))
	log = commit(t, log, Commit{Plan: planned(t, resolve(t, log), Options{Cut: 3}), Summary: fullSummary})
	log = grow(t, log, said("6"), said("7"))
	plan := planned(t, resolve(t, log), Options{Cut: 7})
	if seqs(plan.Summarize) != "3 4 6" || plan.PreviousSeq != 5 || plan.TokensBefore != 3 {
		t.Errorf("takes %s on top of %d, %d tokens", seqs(plan.Summarize), plan.PreviousSeq, plan.TokensBefore)
	}
}

func TestKeepingNothing(t *testing.T) {
	log := grow(t, nil, said("1"), said("2"))
	log = commit(t, log, Commit{Plan: planned(t, resolve(t, log), Options{}), Summary: fullSummary})
	c := resolve(t, log)
	if c.CompactionSeq != 3 || c.Compaction.FirstKeptSeq != 3 || len(c.Messages) != 1 {
		t.Errorf("%+v, %d messages", c.Compaction, len(c.Messages))
	}
}

func TestBranchSummariesAndNotesAreSummarizedAndAreBoundaries(t *testing.T) {
	note := `{"recordType":"note","namespace":"n","data":1,"display":true,"content":[{"type":"text","text":"noted"}]}`
	silent := `{"recordType":"note","namespace":"n","data":1,"display":true}`
	c := contextOf(t, said("1"), said("2"), branch(1, "they tried"), note, silent, branch(5, ""), said("7"))
	var rows []string
	for i, row := range Rows(c) {
		shown := shownOf(t, c)[i]
		rows = append(rows, fmt.Sprintf("%d %s %v %s", row.From, shown.Role, row.Boundary, shown.Text))
	}
	want := []string{"1 user false 1", "3 branch true The conversation came back here from another branch, which is left out. A summary of that branch: <summary> they tried </summary>", "4 note true noted", "7 user true 7"}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	plan := planned(t, c, Options{Cut: 7})
	if text := Serialize(plan.Summarize); !strings.Contains(text, "they tried") || !strings.HasSuffix(text, "[User]: noted") {
		t.Errorf("%s", text)
	}
	if plan := planned(t, c, Options{Cut: 3}); seqs(plan.Keep) != "3 4 7" || plan.SplitTurn {
		t.Errorf("keeps %s", seqs(plan.Keep))
	}
}

const replaced = `,"replacement":[{"role":"user","content":[{"type":"text","text":"as it was"}]},` +
	`{"role":"assistant","content":[{"type":"toolCall","id":"r","name":"read","arguments":{"path":"of/replacement.go"}}]}]`

// TestReplacementIsSummarizedAgain: what an imported compaction kept has no summary, so it is shown as it is.
func TestReplacementIsSummarizedAgain(t *testing.T) {
	c := contextOf(t, said("1"), summarized(1, "", replaced), said("3"), said("4"), result("r", "late"), said("6"))
	for _, row := range Rows(c) {
		if row.Boundary != (row.From == 6) {
			t.Errorf("%d is a boundary: %v; its call's result is 5", row.From, row.Boundary)
		}
	}
	plan := planned(t, c, Options{Cut: 6})
	if seqs(plan.Summarize) != "5 3 4" || fmt.Sprint(plan.ReadFiles) != "[]" {
		t.Errorf("takes %s, reads %s", seqs(plan.Summarize), plan.ReadFiles)
	}
	model := scripted(t, answer(fullSummary))
	if _, err := Summarize(t.Context(), model, Request{Plan: plan}); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(model.asked[0], "<conversation>\n[User]: as it was\n[Assistant tool calls]: read(") || !strings.Contains(model.asked[0], golden(t, "initial.txt")) {
		t.Errorf("%.300s", model.asked[0])
	}
	if draft := Offline(plan); !strings.Contains(draft.Summary, "- as it was\n") {
		t.Errorf("%s", draft.Summary)
	}
}

func TestLargestResultsAreClearedIfWhatIsKeptDoesNotFit(t *testing.T) {
	log := grow(
		t, nil, said("one"), answered("", read("a", "a"), read("b", "b"), read("c", "c")),
		result("a", tokensOf(400)), result("b", tokensOf(900)), result("c", tokensOf(500)), said("six"),
	)
	c := resolve(t, log)
	plan := planned(t, c, Options{Cut: 2, Limit: 900})
	after := overlay.ClearedTokens(900) + overlay.ClearedTokens(500)
	if diff := cmp.Diff(&Prune{Seqs: []int64{4, 5}, TokensFreed: 1400 - after}, plan.Prune); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	held, err := Hold(c, plan, 900)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := Records(Commit{Plan: held, Summary: fullSummary, Trigger: TriggerManual})
	if err != nil || len(lines) != 2 || !strings.Contains(string(lines[0]), `"prune"`) {
		t.Fatalf("%s, %v", lines, err)
	}
	now := resolve(t, grow(t, log, string(lines[0]), string(lines[1])))
	if now.CompactionSeq != 8 || now.Parts()[overlay.PartKept] != plan.TokensKept || plan.TokensKept > 900 {
		t.Errorf("%d tokens are kept, %d were planned", now.Parts()[overlay.PartKept], plan.TokensKept)
	}
	if plan := planned(t, c, Options{Cut: 2, Limit: 2000}); plan.Prune != nil {
		t.Errorf("cleared where all fits: %+v", plan.Prune)
	}
	for _, limit := range []int{1, 30} {
		if plan, err := Make(c, Options{Cut: 2, Limit: limit}); !errors.Is(err, ErrOverflow) {
			t.Errorf("%+v, %v", plan, err)
		}
	}
	if _, err := Hold(c, plan, 30); !errors.Is(err, ErrOverflow) {
		t.Errorf("a smaller window at commit: %v", err)
	}
}

func TestCommitWaitsForResults(t *testing.T) {
	note := `{"recordType":"note","namespace":"n","data":1,"display":true,"content":[{"type":"text","text":"noted"}]}`
	log := grow(t, nil, said("one"), said("two"))
	plan := planned(t, resolve(t, log), Options{Cut: 2})
	hold := func(records ...string) error {
		t.Helper()
		_, err := Hold(resolve(t, grow(t, log, records...)), plan, 0)
		return err
	}
	calls := answered("", read("a", "a"), read("b", "b"))
	aborted := strings.Replace(calls, `"role"`, `"stopReason":"aborted","role"`, 1)
	for name, c := range map[string]struct {
		records []string
		open    bool
	}{
		"no results":                    {[]string{calls}, true},
		"one of two":                    {[]string{calls, result("b", "")}, true},
		"a note has come between":       {[]string{calls, result("b", ""), note}, true},
		"a label has":                   {[]string{calls, aLabel}, true},
		"all results":                   {[]string{calls, result("b", ""), result("a", "")}, false},
		"the user has gone on":          {[]string{calls, said("never mind")}, false},
		"the answer was stopped":        {[]string{aborted}, false},
		"an earlier one has no results": {[]string{calls, said("never mind"), answered("", read("c", "")), result("c", "")}, false},
	} {
		if err := hold(c.records...); errors.Is(err, ErrOpenCalls) != c.open || !c.open && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPlanHoldsOrIsStale(t *testing.T) {
	log := grow(t, nil, said("1"), answered("2"), said("3"), answered("", read("a", "a")), result("a", ""), said("6"))
	c := resolve(t, log)
	at3, nothing := planned(t, c, Options{Cut: 3}), planned(t, c, Options{})
	for name, row := range map[string]struct {
		plan    *Plan
		records []string
		keeps   string
		stale   bool
	}{
		"nothing came":                           {plan: at3, keeps: "3 4 5 6"},
		"newer messages":                         {plan: at3, records: []string{answered("7"), said("8")}, keeps: "3 4 5 6 7 8"},
		"a label":                                {plan: at3, records: []string{aLabel}, keeps: "3 4 5 6"},
		"another compaction":                     {plan: at3, records: []string{summarized(3, "s", "")}, stale: true},
		"another compaction, taken back":         {plan: at3, records: []string{summarized(6, "s", ""), `{"recordType":"revert","targetSeq":7}`}, keeps: "3 4 5 6"},
		"a branch behind the cut":                {plan: at3, records: []string{branch(5, ""), said("8")}, keeps: "3 4 5 8"},
		"a branch before the cut":                {plan: at3, records: []string{branch(2, ""), said("8")}, stale: true},
		"a branch that leaves a result behind":   {plan: planned(t, c, Options{Cut: 4}), records: []string{branch(4, ""), said("8")}, stale: true},
		"keeping nothing, and nothing came":      {plan: nothing},
		"keeping nothing, messages came":         {plan: nothing, records: []string{said("7"), answered("8")}, keeps: "7 8"},
		"keeping nothing, a label came":          {plan: nothing, records: []string{aLabel}},
		"keeping nothing, a label and a message": {plan: nothing, records: []string{aLabel, said("8")}, keeps: "8"},
		"keeping nothing, a compaction, undone":  {plan: nothing, records: []string{summarized(6, "s", ""), `{"recordType":"revert","targetSeq":7}`, said("9")}, keeps: "9"},
		"keeping nothing, a branch at the end":   {plan: nothing, records: []string{branch(6, ""), said("8")}, keeps: "8"},
		"keeping nothing, a branch has left it":  {plan: nothing, records: []string{branch(3, ""), said("8")}, stale: true},
		"the same, with a summary":               {plan: nothing, records: []string{branch(3, "they tried"), said("8")}, stale: true},
		"keeping nothing, a message left behind": {plan: nothing, records: []string{said("7"), branch(3, "")}, stale: true},
		"keeping nothing, another compaction":    {plan: nothing, records: []string{summarized(3, "s", "")}, stale: true},
	} {
		t.Run(name, func(t *testing.T) {
			log := grow(t, log, row.records...)
			held, err := Hold(resolve(t, log), row.plan, 0)
			if row.stale {
				if !errors.Is(err, ErrStale) {
					t.Errorf("%+v, %v", held, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if seqs(held.Keep) != row.keeps || seqs(held.Summarize) != seqs(row.plan.Summarize) {
				t.Errorf("cut at %d, takes %s, keeps %s", held.CutSeq, seqs(held.Summarize), seqs(held.Keep))
			}
			now := resolve(t, commit(t, log, Commit{Plan: held, Summary: fullSummary}))
			if got := seqs(now.Messages[1:]); got != row.keeps {
				t.Errorf("then the context has %s", got)
			}
		})
	}
}

// TestPlanMadeAgain: a plan that was looked at comes back as a seq, after others may have written.
func TestPlanMadeAgain(t *testing.T) {
	records := []string{said("1"), said("2")}
	again := func(more ...string) error {
		t.Helper()
		_, err := Make(contextOf(t, append(slices.Clone(records), more...)...), Options{Cut: 3, Again: true})
		return err
	}
	for name, more := range map[string][]string{
		"nothing": nil, "a label": {aLabel}, "a label and a message": {aLabel, said("4")}, "a branch at the end": {branch(2, "")},
	} {
		if err := again(more...); err != nil {
			t.Errorf("%s came: %v", name, err)
		}
	}
	if err := again(branch(1, ""), said("4")); !errors.Is(err, ErrCut) {
		t.Errorf("a branch that leaves it behind: %v", err)
	}
}

func TestRecordHasEverything(t *testing.T) {
	log := grow(
		t, nil, `{"recordType":"model","provider":"p","model":"m-2","reasoningEffort":"high"}`,
		said("one"), answered("", read("a", "a.go"), call("b", "edit", `{"path":"b.go"}`)), result("a", ""), result("b", ""), answered("six"),
	)
	plan := planned(t, resolve(t, log), Options{Cut: 6})
	log = commit(t, log, Commit{
		Plan: plan, Summary: fullSummary + "\n\n<read-files>\nlies.go\n</read-files>", Model: "m-1", Trigger: TriggerThreshold, Instructions: "short", Edited: true,
	})
	c := resolve(t, log)
	after := int64(c.Messages[0].Tokens)
	want := &record.Compaction{
		FirstKeptSeq: 6, Summary: fullSummary + "\n\n<read-files>\na.go\n</read-files>\n\n<modified-files>\nb.go\n</modified-files>",
		TokensBefore: int64(plan.TokensBefore), TokensAfter: &after, ReadFiles: []string{"a.go"}, ModifiedFiles: []string{"b.go"},
		Model: "m-1", Trigger: "threshold", Instructions: "short", Edited: true, SplitTurn: true,
		ActiveModel: &record.Model{Provider: "p", Model: "m-2", ReasoningEffort: "high"},
	}
	if diff := cmp.Diff(want, c.Compaction); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	bare, err := Records(Commit{Plan: keepingNothing(t, said("one")), Summary: "by hand", Trigger: TriggerManual})
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(bare[0], &fields); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"model", "instructions", "edited", "splitTurn", "activeModel"} {
		if value, there := fields[name]; there {
			t.Errorf("%s is %v where there is none", name, value)
		}
	}
	for _, name := range []string{"readFiles", "modifiedFiles"} {
		if list, ok := fields[name].([]any); !ok || len(list) != 0 {
			t.Errorf("%s is %v, not an empty list", name, fields[name])
		}
	}
	for _, summary := range []string{"", " \n", "<read-files>\nx\n</read-files>"} {
		if _, err := Records(Commit{Plan: plan, Summary: summary}); !errors.Is(err, ErrUnusable) {
			t.Errorf("%q: %v", summary, err)
		}
	}
}

func shownOf(t *testing.T, c *overlay.Context) []Shown {
	t.Helper()
	shown, err := Show(c, Rows(c))
	if err != nil {
		t.Fatal(err)
	}
	return shown
}

func TestRows(t *testing.T) {
	log := grow(
		t, nil, said(" a \n\n b "+strings.Repeat("é", 300)), answered("", call("1", "bash", `{"command":"ls\n-l"}`), call("2", "read", `{"path":"x.go"}`)),
		result("2", ""), answered("text", call("3", "grep", `{"pattern":"é"}`)), result("3", "found"), answered("", call("4", "mystery", "{}")),
	)
	for name, c := range map[string]*overlay.Context{"with texts": resolve(t, log), "without": resolveLight(t, log)} {
		var rows []string
		total := 0
		for i, row := range Rows(c) {
			shown := shownOf(t, c)[i]
			rows = append(rows, fmt.Sprintf("%d %s %q %q", row.From, shown.Role, shown.Tool, shown.Text))
			total += row.Tokens
		}
		want := []string{
			`1 user "" "a b ` + strings.Repeat("é", 156) + `…"`, `2 assistant "bash" "ls -l"`, `3 toolResult "read" "[no output]"`,
			`4 assistant "" "text"`, `5 toolResult "grep" "found"`, `6 assistant "mystery" ""`,
		}
		if diff := cmp.Diff(want, rows); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
		if total != c.Estimate() {
			t.Errorf("%s: rows have %d tokens, the context %d", name, total, c.Estimate())
		}
	}
}

// damaged writes a log whose seqs are as given.
func damaged(seqs []int64, objects ...string) []byte {
	var log []byte
	for i, object := range objects {
		log = append(log, fmt.Sprintf(`{"seq":%d,"schemaVersion":1,%s`+"\n", seqs[i], object[1:])...)
	}
	return log
}

// TestDamagedSeqsAreNoBoundaries: a cut is made only where its seq means that place and all that is behind it.
func TestDamagedSeqsAreNoBoundaries(t *testing.T) {
	for name, c := range map[string]struct {
		seqs []int64
		want string
	}{
		"in order":                  {[]int64{1, 2, 3, 4, 5}, "2 3 4 5"},
		"one is there twice":        {[]int64{1, 2, 3, 2, 5}, "5"},
		"the same, one after other": {[]int64{1, 2, 2, 4, 5}, "4 5"},
		"one too high":              {[]int64{1, 9, 3, 4, 5}, "4 5"},
		"one too low":               {[]int64{1, 2, 3, 1, 5}, "5"},
	} {
		log := damaged(c.seqs, said("a"), said("b"), said("c"), said("d"), said("e"))
		var got []string
		for _, row := range Rows(resolve(t, log)) {
			if row.Boundary {
				got = append(got, fmt.Sprint(row.From))
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestResultsThatNoSeqNamesAreNotCleared: a prune would clear another, or point ahead and be refused.
func TestResultsThatNoSeqNamesAreNotCleared(t *testing.T) {
	log := damaged(
		[]int64{1, 2, 30, 31, 32, 32, 5},
		said("one"), answered("", read("a", "a"), read("b", "b"), read("c", "c"), read("d", "d")),
		result("a", tokensOf(900)), result("b", tokensOf(800)), result("c", tokensOf(700)), result("d", tokensOf(600)), said("last"),
	)
	if plan, err := Make(resolve(t, log), Options{Cut: 2, Limit: 1000}); !errors.Is(err, ErrOverflow) {
		t.Errorf("%+v, %v", plan, err)
	}
	log = damaged(
		[]int64{1, 2, 3, 4, 4, 5}, said("one"), answered("", read("a", "a"), read("b", "b"), read("c", "c")),
		result("a", tokensOf(100)), result("b", tokensOf(900)), result("c", tokensOf(500)), said("last"),
	)
	if plan := planned(t, resolve(t, log), Options{Cut: 2, Limit: 1100}); fmt.Sprint(plan.Prune.Seqs) != "[4]" || plan.TokensKept < 900 {
		t.Errorf("%+v, %d tokens kept", plan.Prune, plan.TokensKept)
	}
}
