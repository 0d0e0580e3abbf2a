package backend

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/agent"
	"palimpsest/backend/modeltest"
)

// ear listens to a draft and puts together what its events say.
type ear struct {
	t      *testing.T
	events <-chan Event
	id     string

	n           int64
	text        string
	part, parts int
	state       string
	problem     *agent.Problem
}

func listen(t *testing.T, b *Backend) *ear {
	t.Helper()
	events, cancel := b.Subscribe()
	t.Cleanup(cancel)
	return &ear{t: t, events: events}
}

// until hears events of the draft until it is so.
func (e *ear) until(what string, so func() bool) {
	e.t.Helper()
	timeout := time.After(modeltest.Deadline)
	for !so() {
		select {
		case event, open := <-e.events:
			if !open {
				e.t.Fatalf("the news ended before %s", what)
			}
			if event.TurnID == nil || *event.TurnID != e.id {
				continue
			}
			if event.N != e.n+1 {
				e.t.Fatalf("event %d came behind %d", event.N, e.n)
			}
			e.n = event.N
			e.take(event)
		case <-timeout:
			e.t.Fatalf("no %s; %+v", what, e)
		}
	}
}

func (e *ear) take(event Event) {
	e.t.Helper()
	data, ok := event.Data.(agent.Drafting)
	if !ok || event.Kind != agent.KindCompaction {
		e.t.Fatalf("%+v", event)
	}
	switch e.state = data.State; data.State {
	case "text":
		e.text += data.Text
	case "restart":
		e.text, e.part, e.parts = "", data.Part, data.Parts
	}
	if data.Error != nil {
		e.problem = data.Error
	}
}

func (e *ear) ends() {
	e.t.Helper()
	e.until("end", func() bool { return e.state == "ready" || e.state == "failed" || e.state == "cancelled" })
}

func started(t *testing.T, b *Backend, id string, r DraftRequest) DraftState {
	t.Helper()
	state, err := b.StartDraft(t.Context(), id, r)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func draftNow(t *testing.T, b *Backend, id, draftID string) DraftState {
	t.Helper()
	state, err := b.Draft(id, draftID)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func TestDraftIsHeardAndFound(t *testing.T) {
	model := asks(t)
	b, id := open(t, work())
	e := listen(t, b)
	begun := started(t, b, id, DraftRequest{Cut: cutAt(5), Instructions: "short"})
	e.id = begun.DraftID
	if begun.State != DraftRunning || begun.SessionID != id || begun.Plan.CutSeq != 5 || begun.Plan.TokensAfter != nil || begun.Draft != nil {
		t.Errorf("%+v", begun)
	}
	asked := model.Next()
	asked.Say(sectioned[:20])
	e.until("first text", func() bool { return e.text == sectioned[:20] })
	half := draftNow(t, b, id, e.id)
	if half.State != DraftRunning || half.N != e.n || half.Text != e.text || half.Part != 1 || half.Parts != 1 {
		t.Errorf("event %d, %q heard; %+v", e.n, e.text, half)
	}
	asked.Say(sectioned[20:]).Usage(5, 6).End("stop")
	e.ends()
	done := draftNow(t, b, id, e.id)
	if done.State != DraftReady || done.N != e.n || done.Text != e.text || e.text != sectioned || e.part != 1 || e.parts != 1 || done.Error != nil {
		t.Errorf("event %d, %q heard; %+v", e.n, e.text, done)
	}
	if d := done.Draft; d.Summary != sectioned+"\n\n<read-files>\na.go\n</read-files>" || *d.Model != "m-1" || d.Usage.Input != 5 || *done.Plan.TokensAfter < 20 {
		t.Errorf("%+v", d)
	}
	if logText(t, b, id) != work() {
		t.Error("a draft wrote something")
	}
	if _, err := b.Draft(newID(t, b), e.id); !errors.Is(err, ErrNoDraft) {
		t.Errorf("by another session: %v", err)
	}
}

func newID(t *testing.T, b *Backend) string {
	t.Helper()
	s, err := b.New(NewSession{})
	if err != nil {
		t.Fatal(err)
	}
	return s.ID
}

func TestDraftIsCommitted(t *testing.T) {
	for name, c := range map[string]struct {
		edit   func(string) string
		other  bool
		edited bool
		model  string
	}{
		"as it is":             {func(s string) string { return s }, false, false, "m-1"},
		"with other file tags": {func(s string) string { return strings.Replace(s, "a.go", "b.go", 1) }, false, false, "m-1"},
		"changed":              {func(s string) string { return strings.Replace(s, "Fix", "Mend", 1) }, false, true, "m-1"},
		"of another session":   {func(s string) string { return s }, true, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			model := asks(t)
			model.Script(func(q *modeltest.Asked) { q.Answer(sectioned) })
			b, id := open(t, work())
			e := listen(t, b)
			e.id = started(t, b, id, DraftRequest{Cut: cutAt(5), Instructions: "short"}).DraftID
			e.ends()
			draft := draftNow(t, b, id, e.id)
			if c.other {
				id = newID(t, b)
				if _, err := b.Append(t.Context(), id, strings.NewReader(strings.Repeat(`{"recordType":"message","role":"user","content":[{"type":"text","text":"x"}]}`+"\n", 6))); err != nil {
					t.Fatal(err)
				}
			}
			before := logText(t, b, id)
			r := Compact{Cut: cutAt(5), Summary: new(c.edit(draft.Draft.Summary)), DraftID: e.id, Previous: PreviousSeq{Given: true}}
			if _, err := b.Compact(t.Context(), id, r); err != nil {
				t.Fatal(err)
			}
			got := appended(t, before, logText(t, b, id))[0].Compaction
			if got.Edited != c.edited || got.Model != c.model || c.model != "" && got.Instructions != "short" {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestPlanThatKeepsNothingIsCommittedAfterALabel: between review and commit, what does no harm may come.
func TestPlanThatKeepsNothingIsCommittedAfterALabel(t *testing.T) {
	asksNobody(t)
	b, id := open(t, work())
	review, err := b.PlanCompaction(t.Context(), id, cutAt(10))
	if err != nil || review.Plan.CutSeq != 10 {
		t.Fatalf("%+v, %v", review.Plan, err)
	}
	if _, err := b.Append(t.Context(), id, strings.NewReader(`{"recordType":"label","targetSeq":1,"label":"x"}`)); err != nil {
		t.Fatal(err)
	}
	done, err := b.Compact(t.Context(), id, Compact{Cut: cutAt(10), Previous: PreviousSeq{Given: true}, Offline: true})
	if err != nil || *done.CommittedSeq != 11 {
		t.Errorf("%+v, %v", done, err)
	}
}

func TestDraftStale(t *testing.T) {
	asksNobody(t)
	b, id := open(t, work()+compactionLine(10, 5))
	for name, previous := range map[string]PreviousSeq{"none": {Given: true}, "another": {Seq: 4, Given: true}} {
		if _, err := b.StartDraft(t.Context(), id, DraftRequest{Cut: cutAt(8), Previous: previous}); ProblemOf(err).Code != CodeStale {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := b.StartDraft(t.Context(), id, DraftRequest{Cut: cutAt(7)}); ProblemOf(err).Code != CodeBadInput {
		t.Errorf("no boundary: %v", err)
	}
}

func TestDraftOffline(t *testing.T) {
	model := asks(t)
	b, id := open(t, work())
	e := listen(t, b)
	e.id = started(t, b, id, DraftRequest{Cut: cutAt(5), Offline: true}).DraftID
	e.ends()
	if done := draftNow(t, b, id, e.id); done.State != DraftReady || !done.Draft.Offline || done.Draft.Model != nil || done.N != e.n {
		t.Errorf("%+v", done)
	}
	model.Silent()
}

func TestDraftFails(t *testing.T) {
	model := asks(t)
	model.Script(func(q *modeltest.Asked) { q.Say("## Goal\nhalf").End("length") })
	b, id := open(t, work())
	e := listen(t, b)
	e.id = started(t, b, id, DraftRequest{Cut: cutAt(5)}).DraftID
	e.ends()
	failed := draftNow(t, b, id, e.id)
	if failed.State != DraftFailed || failed.Draft != nil || failed.N != e.n || failed.Text != "## Goal\nhalf" || e.state != "failed" {
		t.Errorf("%+v", failed)
	}
	if failed.Error == nil || failed.Error.Code != CodeFailed || e.problem == nil || e.problem.Message != failed.Error.Message || failed.Error.Hint == "" {
		t.Errorf("%+v, heard %+v", failed.Error, e.problem)
	}
	if _, err := b.Compact(t.Context(), id, Compact{Cut: cutAt(5), Summary: new("x"), DraftID: e.id}); err != nil {
		t.Errorf("a text of one's own: %v", err)
	}
}

// TestDraftRestartsItsText: an overflow makes what was written so far void.
func TestDraftRestartsItsText(t *testing.T) {
	model := asks(t)
	b, id := open(t, work())
	e := listen(t, b)
	e.id = started(t, b, id, DraftRequest{Cut: cutAt(9)}).DraftID
	model.Next().Fail(400, `{"error":{"message":"This model's maximum context length is 10 tokens.","code":"context_length_exceeded"}}`)
	model.Next().Answer(sectioned)
	e.ends()
	done := draftNow(t, b, id, e.id)
	if done.State != DraftReady || e.text != sectioned || done.Text != sectioned || done.N != e.n || !strings.Contains(fmt.Sprint(done.Draft.Notes), "were not shown to it") {
		t.Errorf("%q heard; %+v, %+v", e.text, done, done.Draft)
	}
}

func TestDraftCancelledIsForgotten(t *testing.T) {
	model := asks(t)
	b, id := open(t, work())
	e := listen(t, b)
	e.id = started(t, b, id, DraftRequest{Cut: cutAt(5)}).DraftID
	asked := model.Next().Say("## Goal\n")
	e.until("text", func() bool { return e.text != "" })
	if err := b.CancelDraft(newID(t, b), e.id); !errors.Is(err, ErrNoDraft) {
		t.Errorf("by another session: %v", err)
	}
	if err := b.CancelDraft(id, e.id); err != nil {
		t.Fatal(err)
	}
	e.ends()
	asked.Gone()
	if e.state != "cancelled" || e.problem != nil {
		t.Errorf("%+v", e)
	}
	_, err := b.Draft(id, e.id)
	if again := b.CancelDraft(id, e.id); !errors.Is(err, ErrNoDraft) || !errors.Is(again, ErrNoDraft) || ProblemOf(err).Code != CodeNotFound {
		t.Errorf("%v, %v", err, again)
	}
	if logText(t, b, id) != work() {
		t.Error("something was written")
	}
}

func TestDraftsEndWithTheBackend(t *testing.T) {
	model := asks(t)
	b, id := open(t, work())
	draft := started(t, b, id, DraftRequest{Cut: cutAt(5)})
	asked := model.Next().Say("## Goal\n")
	b.Close()
	asked.Gone()
	if state := draftNow(t, b, id, draft.DraftID); state.State != DraftCancelled || state.Error != nil {
		t.Errorf("%+v", state)
	}
	if _, err := b.StartDraft(t.Context(), id, DraftRequest{Cut: cutAt(5)}); !errors.Is(err, agent.ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
}

// TestLastDraftsAreKept: running ones always, finished ones the last few.
func TestLastDraftsAreKept(t *testing.T) {
	model := asks(t)
	b, id := open(t, work())
	running := started(t, b, id, DraftRequest{Cut: cutAt(5)})
	asked := model.Next()
	var ids []string
	for range draftsKept + 3 {
		e := listen(t, b)
		e.id = started(t, b, id, DraftRequest{Cut: cutAt(5), Offline: true}).DraftID
		e.ends()
		ids = append(ids, e.id)
	}
	started(t, b, id, DraftRequest{Cut: cutAt(5), Offline: true})
	for i, draftID := range ids {
		if _, err := b.Draft(id, draftID); (err == nil) != (i >= 3) {
			t.Errorf("draft %d of %d: %v", i+1, len(ids), err)
		}
	}
	draftNow(t, b, id, running.DraftID)
	asked.Answer(sectioned)
}

// TestDraftInParts: the text is that of the part being written.
func TestDraftInParts(t *testing.T) {
	model := asks(t)
	t.Setenv("PALIMPSEST_CONTEXT_WINDOW", "4000")
	t.Setenv("PALIMPSEST_COMPACTION_RESERVE_TOKENS", "1000")
	var log strings.Builder
	for seq := 1; seq <= 5; seq++ {
		log.WriteString(said(seq, "user", strings.Repeat("word", 600)))
	}
	b, id := open(t, log.String())
	model.Script(func(q *modeltest.Asked) { q.Answer(sectioned) })
	e := listen(t, b)
	e.id = started(t, b, id, DraftRequest{Cut: cutAt(5)}).DraftID
	e.ends()
	done := draftNow(t, b, id, e.id)
	if e.parts < 2 || done.Parts != e.parts || done.Part != e.parts || e.part != e.parts || e.text != sectioned || done.Text != sectioned || done.N != e.n {
		t.Errorf("part %d of %d, %q heard; %+v", e.part, e.parts, e.text, done)
	}
}
