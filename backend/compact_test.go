package backend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend/compaction"
	"palimpsest/backend/modeltest"
	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// asksNobody makes sure that no model of the machine is asked.
func asksNobody(t *testing.T) {
	t.Helper()
	for _, name := range []string{"PALIMPSEST_BASE_URL", "PALIMPSEST_MODEL", "PALIMPSEST_API_KEY", "OPENAI_API_KEY"} {
		t.Setenv(name, "")
	}
}

// asks makes a model the configured one; t.Setenv comes before the backend is opened.
func asks(t *testing.T) *modeltest.Server {
	t.Helper()
	asksNobody(t)
	model := modeltest.New(t)
	t.Setenv("PALIMPSEST_BASE_URL", model.URL)
	t.Setenv("PALIMPSEST_MODEL", "m-1")
	return model
}

// unasked fails the test if the model is asked, and lets it go on.
func unasked(t *testing.T, model *modeltest.Server) {
	t.Helper()
	model.Script(func(q *modeltest.Asked) {
		t.Errorf("the model was asked: %.200s", q.Raw)
		q.Answer(sectioned)
	})
}

func logText(t *testing.T, b *Backend, id string) string {
	t.Helper()
	log, err := os.ReadFile(b.store.LogPath(id))
	if err != nil {
		t.Fatal(err)
	}
	return string(log)
}

// appended are the records that are in the log behind what was there.
func appended(t *testing.T, before, after string) []record.Record {
	t.Helper()
	rest, ok := strings.CutPrefix(after, before)
	if !ok {
		t.Fatal("what was in the log before is not there any more")
	}
	var records []record.Record
	for line := range strings.Lines(rest) {
		rec, err := record.Decode([]byte(strings.TrimSpace(line)))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		records = append(records, rec)
	}
	return records
}

func tool(seq int, name, path, output string) string {
	return fmt.Sprintf(`{"recordType":"message","schemaVersion":1,"seq":%d,"role":"assistant","content":[{"type":"toolCall","id":"c","name":%q,"arguments":{"path":%q}}]}`+"\n", seq, name, path) +
		said(seq+1, "toolResult", output)
}

// work is a conversation of nine messages; 2, 3 and 6, 7 are calls and their results.
func work() string {
	return said(1, "user", "Fix the importer. Never delete files.") + tool(2, "read", "a.go", "package a") + said(4, "assistant", "Found it.") +
		said(5, "user", "Go on.") + tool(6, "edit", "b.go", "ok") + said(8, "assistant", "Fixed.") + said(9, "user", "Thanks.")
}

const sectioned = "## Goal\nFix the importer.\n\n## Constraints & Preferences\n- Never delete files.\n\n## Progress\n### Done\n- [x] b.go\n\n" +
	"## Key Decisions\n- none\n\n## Next Steps\n1. none\n\n## Critical Context\n- none"

const bothTags = "\n\n<read-files>\na.go\n</read-files>\n\n<modified-files>\nb.go\n</modified-files>"

func cutAt(seq int64) Cut { return Cut{Cut: seq} }

func TestS7_6_CompactAppendsOneRecord(t *testing.T) {
	model := asks(t)
	model.Script(func(q *modeltest.Asked) { q.Say(sectioned).Usage(120, 30).End("stop") })
	b, id := open(t, work())
	before := logText(t, b, id)
	done, err := b.Compact(t.Context(), id, Compact{Cut: cutAt(8), Instructions: "Mention the importer."})
	if err != nil {
		t.Fatal(err)
	}
	records := appended(t, before, logText(t, b, id))
	if len(records) != 1 || done.CommittedSeq == nil || *done.CommittedSeq != 10 || records[0].Seq != 10 {
		t.Fatalf("%d records, committed %v", len(records), done.CommittedSeq)
	}
	emitted, err := b.Context(id, ContextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	after := int64(overlay.Estimate(overlay.SummaryBlocks(sectioned + bothTags)))
	want := &record.Compaction{
		FirstKeptSeq: 8, Summary: sectioned + bothTags, TokensBefore: records[0].Compaction.TokensBefore, TokensAfter: &after,
		ReadFiles: []string{"a.go"}, ModifiedFiles: []string{"b.go"}, Model: "m-1", Trigger: "manual",
		Instructions: "Mention the importer.", SplitTurn: true, Usage: &record.Usage{Input: 120, Output: 30},
	}
	if diff := cmp.Diff(want, records[0].Compaction); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if emitted.Parts.Summary != int(after) || *done.Plan.TokensAfter != int(after) || len(emitted.Messages) != 3 || want.TokensBefore != int64(done.Plan.TokensBefore) || want.TokensBefore < 10 {
		t.Errorf("%d tokens emitted, %d recorded, %d told; %d before", emitted.Parts.Summary, after, *done.Plan.TokensAfter, want.TokensBefore)
	}
	if d := done.Draft; *d.Model != "m-1" || d.Offline || d.Usage.Input != 120 || d.Usage.Output != 30 || strings.Join(d.MissingHeadings, " ") != "Turn So Far" {
		t.Errorf("%+v", d)
	}
}

func TestCompactDryRunWritesNothing(t *testing.T) {
	model := asks(t)
	model.Script(func(q *modeltest.Asked) { q.Answer(sectioned) })
	b, id := open(t, work())
	before := snapshot(t, b.Home())
	nothing := 0
	for name, r := range map[string]Compact{
		"by a model": {DryRun: true, Cut: cutAt(5)}, "offline": {DryRun: true, Cut: cutAt(5), Offline: true},
		"keeping nothing": {DryRun: true, Cut: Cut{KeepRecent: &nothing}}, "a given text": {DryRun: true, Cut: cutAt(5), Summary: new("by hand")},
	} {
		done, err := b.Compact(t.Context(), id, r)
		if err != nil || done.CommittedSeq != nil || done.Draft == nil || done.Plan.TokensAfter == nil {
			t.Errorf("%s: %+v, %v", name, done, err)
		}
	}
	if diff := cmp.Diff(before, snapshot(t, b.Home())); diff != "" {
		t.Errorf("(-before +after)\n%s", diff)
	}
}

func TestCompactWithoutAModelIsOffline(t *testing.T) {
	asksNobody(t)
	b, id := open(t, work())
	done, err := b.Compact(t.Context(), id, Compact{Cut: cutAt(9)})
	if err != nil || !done.Draft.Offline || done.Draft.Model != nil || !strings.Contains(done.Draft.Summary, "- Never delete files.") {
		t.Errorf("%+v, %v", done.Draft, err)
	}
	if c := appended(t, work(), logText(t, b, id))[0].Compaction; c.Model != "" || c.Edited || c.SplitTurn {
		t.Errorf("%+v", c)
	}
}

func TestCompactNothingIsAResultAndAsksNoModel(t *testing.T) {
	unasked(t, asks(t))
	b, id := open(t, work())
	done, err := b.Compact(t.Context(), id, Compact{})
	if err != nil || done.Plan != nil || done.Draft != nil || !strings.Contains(done.Reason, "the newest 20,000 are kept") {
		t.Errorf("%+v, %v", done, err)
	}
	if logText(t, b, id) != work() {
		t.Error("something was written")
	}
	if _, err := b.StartDraft(t.Context(), id, DraftRequest{}); !errors.Is(err, session.ErrInput) || !strings.Contains(err.Error(), "nothing to compact") {
		t.Errorf("a draft of nothing: %v", err)
	}
}

func TestCompactRefusals(t *testing.T) {
	unasked(t, asks(t))
	b, id := open(t, work()+compactionLine(10, 5))
	before := logText(t, b, id)
	less := -1
	for name, c := range map[string]struct {
		r    Compact
		code Code
	}{
		"a cut at a result":            {Compact{Cut: cutAt(7)}, CodeBadInput},
		"a cut where the last one cut": {Compact{Cut: cutAt(5)}, CodeBadInput},
		"a cut that is not there":      {Compact{Cut: cutAt(99)}, CodeBadInput},
		"a negative cut":               {Compact{Cut: cutAt(-1)}, CodeBadInput},
		"keeping less than nothing":    {Compact{Cut: Cut{KeepRecent: &less}}, CodeBadInput},
		"an empty text":                {Compact{Cut: cutAt(8), Summary: new("<read-files>\nx\n</read-files>")}, CodeBadInput},
		"made on another compaction":   {Compact{Cut: cutAt(8), Previous: PreviousSeq{Seq: 4, Given: true}}, CodeStale},
		"made on none":                 {Compact{Cut: cutAt(8), Previous: PreviousSeq{Given: true}}, CodeStale},
		"a boundary no longer":         {Compact{Cut: cutAt(7), Previous: PreviousSeq{Seq: 10, Given: true}}, CodeStale},
	} {
		if done, err := b.Compact(t.Context(), id, c.r); err == nil || ProblemOf(err).Code != c.code {
			t.Errorf("%s: %+v, %v", name, done, err)
		}
	}
	if logText(t, b, id) != before {
		t.Error("something was written")
	}
}

// TestPreviousSeqNullIsNone: null says that the plan was made where no compaction was in force, and is not the same as
// saying nothing.
func TestPreviousSeqNullIsNone(t *testing.T) {
	for text, want := range map[string]PreviousSeq{
		`{}`: {}, `{"previousSeq":null}`: {Given: true}, `{"previousSeq":7}`: {Seq: 7, Given: true},
	} {
		var r Compact
		var d DraftRequest
		if err := errors.Join(json.Unmarshal([]byte(text), &r), json.Unmarshal([]byte(text), &d)); err != nil || r.Previous != want || d.Previous != want {
			t.Errorf("%s: %+v, %+v, %v", text, r.Previous, d.Previous, err)
		}
	}
	for _, text := range []string{`{"previousSeq":0}`, `{"previousSeq":-1}`, `{"previousSeq":1.5}`, `{"previousSeq":"7"}`} {
		if err := json.Unmarshal([]byte(text), &Compact{}); err == nil {
			t.Errorf("%s was taken", text)
		}
	}
}

func TestCompactUnusableSummaryWritesNothing(t *testing.T) {
	model := asks(t)
	b, id := open(t, work())
	for name, script := range map[string]func(*modeltest.Asked){
		"no sections": func(q *modeltest.Asked) { q.Answer("They fixed it.") },
		"length":      func(q *modeltest.Asked) { q.Say(sectioned).End("length") },
		"a call":      func(q *modeltest.Asked) { q.Say(sectioned).Call(0, "x", "read", "{}").End("tool_calls") },
		"empty":       func(q *modeltest.Asked) { q.End("stop") },
		"refused":     func(q *modeltest.Asked) { q.Fail(401, `{"error":{"message":"no"}}`) },
	} {
		model.Script(script)
		if done, err := b.Compact(t.Context(), id, Compact{Cut: cutAt(5)}); err == nil {
			t.Errorf("%s: %+v", name, done.Draft)
		}
	}
	if logText(t, b, id) != work() {
		t.Error("something was written")
	}
}

func TestCompactGivenTextIsEdited(t *testing.T) {
	unasked(t, asks(t))
	b, id := open(t, work())
	if _, err := b.Compact(t.Context(), id, Compact{Cut: cutAt(5), Summary: new("by hand\n<read-files>\nlies\n</read-files>"), Instructions: "mine"}); err != nil {
		t.Fatal(err)
	}
	c := appended(t, work(), logText(t, b, id))[0].Compaction
	if !c.Edited || c.Model != "" || c.Instructions != "mine" || c.Summary != "by hand\n\n<read-files>\na.go\n</read-files>" {
		t.Errorf("%+v", c)
	}
}

// TestCompactClearsResultsFirst: prune and compaction are one batch, in this order.
func TestCompactClearsResultsFirst(t *testing.T) {
	asksNobody(t)
	t.Setenv("PALIMPSEST_CONTEXT_WINDOW", "4000")
	t.Setenv("PALIMPSEST_COMPACTION_RESERVE_TOKENS", "1000")
	big := func(n int) string { return strings.Repeat("word", n) }
	log := said(1, "user", "go") + tool(2, "read", "a.go", big(2900)) + tool(4, "read", "b.go", big(900)) + said(6, "user", "on")
	b, id := open(t, log)
	done, err := b.Compact(t.Context(), id, Compact{Cut: cutAt(2)})
	if err != nil {
		t.Fatal(err)
	}
	records := appended(t, log, logText(t, b, id))
	if len(records) != 2 || records[0].Prune == nil || records[1].Compaction == nil || *done.CommittedSeq != 8 {
		t.Fatalf("%+v, %+v", records, done)
	}
	if p := records[0].Prune; len(p.Seqs) != 1 || p.Seqs[0] != 3 || int(p.TokensFreed) != done.Plan.Prune.TokensFreed {
		t.Errorf("%+v", p)
	}
	seen, err := b.Context(id, ContextOptions{})
	if err != nil || seen.Parts.Kept > 3000 || !strings.Contains(string(seen.Messages[2].Content[0]), "cleared: 2900 tokens") {
		t.Errorf("%+v, %v", seen.Parts, err)
	}
	t.Setenv("PALIMPSEST_COMPACTION_RESERVE_TOKENS", "2000")
	full := said(1, "user", "go") + said(2, "user", big(2500)) + said(3, "user", "on")
	unasked(t, asks(t))
	b, id = open(t, full)
	if _, err := b.Compact(t.Context(), id, Compact{Cut: cutAt(2)}); !errors.Is(err, compaction.ErrOverflow) || ProblemOf(err).Code != CodeOverflow {
		t.Errorf("what can't be cleared: %v", err)
	}
}

// TestCompactWhileTheLogGrows: what comes while the summary is written decides whether the plan holds.
func TestCompactWhileTheLogGrows(t *testing.T) {
	nothing := 0
	for name, c := range map[string]struct {
		cut   Cut
		grows string
		code  Code
		kept  string
	}{
		"nothing":                        {cutAt(5), "", "", "m5 m6 m7 m8 m9"},
		"a message and a label":          {cutAt(5), `{"recordType":"message","role":"user","content":[{"type":"text","text":"ten"}]}` + "\n" + `{"recordType":"label","targetSeq":1,"label":"x"}`, "", "m5 m6 m7 m8 m9 m10"},
		"keeping nothing, and a message": {Cut{KeepRecent: &nothing}, `{"recordType":"message","role":"user","content":[{"type":"text","text":"ten"}]}`, "", "m10"},
		"keeping nothing, and a branch":  {Cut{KeepRecent: &nothing}, `{"recordType":"branch","fromSeq":4}`, CodeStale, ""},
		"another compaction":             {cutAt(5), strings.TrimSpace(strings.Replace(compactionLine(10, 5), `"seq":10,`, "", 1)), CodeStale, ""},
		"a branch before the cut":        {cutAt(5), `{"recordType":"branch","fromSeq":4}`, CodeStale, ""},
		"a call without its result":      {cutAt(5), `{"recordType":"message","role":"assistant","content":[{"type":"toolCall","id":"d","name":"ls","arguments":{}}]}`, CodeBusy, ""},
	} {
		t.Run(name, func(t *testing.T) {
			model := asks(t)
			b, id := open(t, work())
			model.Script(func(q *modeltest.Asked) {
				if _, err := b.Append(context.Background(), id, strings.NewReader(c.grows)); err != nil {
					t.Error(err)
				}
				q.Answer(sectioned)
			})
			_, err := b.Compact(t.Context(), id, Compact{Cut: c.cut})
			if c.code != "" {
				if err == nil || ProblemOf(err).Code != c.code || len(appended(t, work(), logText(t, b, id))) != 1 {
					t.Errorf("%v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			seen, err := b.Context(id, ContextOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, m := range seen.Messages[1:] {
				got = append(got, fmt.Sprint("m", m.Seq))
			}
			if strings.Join(got, " ") != c.kept || len(seen.Repairs) != 0 {
				t.Errorf("kept %s, repairs %v", got, seen.Repairs)
			}
		})
	}
}

func TestCompactCancelledWritesNothing(t *testing.T) {
	model := asks(t)
	b, id := open(t, work())
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error)
	go func() {
		_, err := b.Compact(ctx, id, Compact{Cut: cutAt(5)})
		failed <- err
	}()
	asked := model.Next().Say("## Goal\nhalf")
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	asked.Gone()
	if logText(t, b, id) != work() {
		t.Error("something was written")
	}
}
