package server

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend"
	"palimpsest/backend/compaction"
	"palimpsest/backend/modeltest"
)

func TestCompactions(t *testing.T) {
	f, model := talking(t)
	id := f.sample()
	at := "/api/sessions/" + id
	before := f.said(id)

	ok[backend.Models](f, http.StatusOK, "GET", "/api/models", "") // by which it is known that the session's model is not offered
	review := ok[backend.Review](f, http.StatusOK, "GET", at+"/compactions/plan?propose=1", "")
	if review.Plan == nil || review.Model == nil || *review.Model != "m-1" || len(review.Rows) == 0 || review.Previous == nil {
		t.Fatalf("%+v", review)
	}
	cut := review.Plan.CutSeq
	moved := ok[backend.Review](f, http.StatusOK, "GET", fmt.Sprintf("%s/compactions/plan?cut=%d", at, cut), "")
	if moved.Plan == nil || moved.Plan.CutSeq != cut {
		t.Errorf("%+v", moved.Plan)
	}
	i := slices.IndexFunc(review.Rows, func(r backend.ReviewRow) bool { return !r.Boundary })
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "GET", fmt.Sprintf("%s/compactions/plan?cut=%d", at, review.Rows[i].Seq), "")

	dry := ok[backend.Compacted](f, http.StatusOK, "POST", at+"/compactions", fmt.Sprintf(`{"dryRun":true,"offline":true,"cut":%d}`, cut))
	if dry.Plan == nil || dry.Draft == nil || !dry.Draft.Offline || dry.CommittedSeq != nil {
		t.Errorf("%+v", dry)
	}
	if now := f.said(id); len(now) != len(before) {
		t.Error("a dry run wrote something")
	}
	model.Silent()
	if a := f.ask("POST", at+"/compactions", `{"keepRecent":1000000}`); a.status != http.StatusOK || !strings.HasPrefix(string(a.body), `{"plan":null,"reason":"`) {
		t.Errorf("nothing to compact: %d %s", a.status, a.body)
	}

	model.Script(echo)
	previous := review.Plan.PreviousSeq
	made := ok[backend.Compacted](f, http.StatusCreated, "POST", at+"/compactions", fmt.Sprintf(`{"cut":%d,"previousSeq":%d,"instructions":"mind the pods"}`, cut, *previous))
	if made.CommittedSeq == nil || made.Draft.Model == nil || *made.Draft.Model != "m-1" || made.Draft.Offline {
		t.Fatalf("%+v", made)
	}
	reviewed := ok[backend.Review](f, http.StatusOK, "GET", fmt.Sprintf("%s/compactions/%d", at, *made.CommittedSeq), "")
	if c := reviewed.Compaction; c == nil || c.Trigger == nil || *c.Trigger != "manual" || c.Edited || c.Instructions == nil || *c.Instructions != "mind the pods" {
		t.Errorf("%+v", c)
	}

	kept := ok[compaction.Fidelity](f, http.StatusOK, "GET", fmt.Sprintf("%s/compactions/%d/fidelity", at, *made.CommittedSeq), "")
	if diff := cmp.Diff(made.Draft.Fidelity, &kept); diff != "" || kept.Total == 0 {
		t.Errorf("of %d facts\n%s", kept.Total, diff)
	}
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "GET", at+"/compactions/1/fidelity", "")
	none := ok[compaction.Fidelity](f, http.StatusOK, "POST", at+"/fidelity", `{"keepRecent":0,"summary":""}`)
	all := ok[compaction.Fidelity](f, http.StatusOK, "POST", at+"/fidelity", fmt.Sprintf(`{"keepRecent":0,"summary":%q}`, made.Draft.Summary))
	if none.Kept != 0 || none.Total == 0 || all.Kept == 0 || all.Total != none.Total {
		t.Errorf("%+v, %+v", none, all)
	}

	// What was planned before is stale: of another previous compaction, of none.
	for _, old := range []string{fmt.Sprint(*previous), "null"} {
		p := f.refused(http.StatusConflict, backend.CodeStale, "POST", at+"/compactions", fmt.Sprintf(`{"cut":%d,"previousSeq":%s,"summary":"## Goal\nx"}`, cut, old))
		if p.Error.Hint == "" {
			t.Errorf("%+v", p.Error)
		}
		f.refused(http.StatusConflict, backend.CodeStale, "POST", at+"/drafts", fmt.Sprintf(`{"previousSeq":%s}`, old))
		f.refused(http.StatusConflict, backend.CodeStale, "POST", at+"/fidelity", fmt.Sprintf(`{"cut":%d,"previousSeq":%s,"summary":"x"}`, cut, old))
	}
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", at+"/compactions", `{"previousSeq":0}`)
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", at+"/compactions", `{"keepRecent":0,"summary":" "}`)
	given := ok[backend.Compacted](f, http.StatusCreated, "POST", at+"/compactions", fmt.Sprintf(`{"keepRecent":0,"previousSeq":%d,"summary":"## Goal\nMine"}`, *made.CommittedSeq))
	if given.CommittedSeq == nil || !strings.HasPrefix(given.Draft.Summary, "## Goal\nMine") {
		t.Errorf("%+v", given)
	}
	ok[map[string]int64](f, http.StatusCreated, "POST", at+"/reverts", fmt.Sprintf(`{"targetSeq":%d}`, *given.CommittedSeq))
	if now := f.said(id); !slices.Equal(now[:len(before)], before) {
		t.Error("what was there before has changed")
	}
}

// TestCompactionThatDoesNotFit: every message is too long for the summarizer.
func TestCompactionThatDoesNotFit(t *testing.T) {
	f, model := talking(t)
	t.Setenv("PALIMPSEST_CONTEXT_WINDOW", "")
	id := logged(t, f.backend, []string{lineOf(1, quoted(strings.Repeat("word ", 110_000))), lineOf(2, quoted("short"))})
	f.refused(http.StatusUnprocessableEntity, backend.CodeOverflow, "POST", "/api/sessions/"+id+"/compactions", `{"cut":2}`)
	model.Silent()
}

func TestDrafts(t *testing.T) {
	f, model := talking(t)
	id := f.sample()
	at := "/api/sessions/" + id
	events := f.subscribe(t)
	started := ok[backend.DraftState](f, http.StatusAccepted, "POST", at+"/drafts", `{"keepRecent":0}`)
	if started.State != backend.DraftRunning || started.SessionID != id || started.Plan == nil || started.Draft != nil {
		t.Errorf("%+v", started)
	}
	asked := model.Next()
	asked.Say("## Goal\nSo far")
	events.until("compaction", started.DraftID)
	asked.Say("\n" + strings.TrimPrefix(summary, "## Goal\n")).End("stop")
	for {
		state := ok[backend.DraftState](f, http.StatusOK, "GET", at+"/drafts/"+started.DraftID, "")
		if state.State == backend.DraftRunning {
			events.until("compaction", started.DraftID)
			continue
		}
		if state.State != backend.DraftReady || state.Draft == nil || state.Error != nil || !strings.Contains(state.Text, "So far") {
			t.Errorf("%+v", state)
		}
		break
	}
	if a := f.ask("DELETE", at+"/drafts/"+started.DraftID, ""); a.status != http.StatusOK || string(a.body) != fmt.Sprintf(`{"draftId":%q}`+"\n", started.DraftID) {
		t.Errorf("%d %s", a.status, a.body)
	}
	f.refused(http.StatusNotFound, backend.CodeNotFound, "GET", at+"/drafts/"+started.DraftID, "")
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", at+"/drafts", `{"keepRecent":1000000}`)

	cancelled := ok[backend.DraftState](f, http.StatusAccepted, "POST", at+"/drafts", `{"keepRecent":0}`)
	asked = model.Next()
	asked.Say("## Goal")
	f.ask("DELETE", at+"/drafts/"+cancelled.DraftID, "")
	asked.Gone()
	model.Script(func(q *modeltest.Asked) { q.Fail(http.StatusBadRequest, `{"error":{"message":"no"}}`) })
	failed := ok[backend.DraftState](f, http.StatusAccepted, "POST", at+"/drafts", `{"keepRecent":0}`)
	events.until("compaction", failed.DraftID)
	for {
		state := ok[backend.DraftState](f, http.StatusOK, "GET", at+"/drafts/"+failed.DraftID, "")
		if state.State == backend.DraftRunning {
			events.until("compaction", failed.DraftID)
			continue
		}
		if state.State != backend.DraftFailed || state.Error == nil || state.Draft != nil {
			t.Errorf("%+v", state)
		}
		break
	}
	if said := f.said(id); strings.Count(strings.Join(said, "\n"), "\ncompaction") != 2 {
		t.Error("a draft was written down")
	}
}
