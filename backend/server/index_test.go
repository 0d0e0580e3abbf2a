package server

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"palimpsest/backend"
)

func TestIndexStatisticsLedger(t *testing.T) {
	f, _ := abroad(t)
	must(t, f.backend.Scan(t.Context(), false, nil))
	if s := ok[backend.IndexStatus](f, http.StatusOK, "GET", "/api/index", ""); s.State != "idle" || s.Sessions != 1 || s.Indexed != 1 || s.DiskBytes == 0 || len(s.Skipped) != 0 {
		t.Errorf("%+v", s)
	}
	if s := ok[backend.IndexStatus](f, http.StatusOK, "POST", "/api/index", `{"action":"pause"}`); s.State != "paused" {
		t.Errorf("%+v", s)
	}
	if s := ok[backend.IndexStatus](f, http.StatusOK, "POST", "/api/index", `{"action":"cancel"}`); s.State != "cancelled" {
		t.Errorf("what nobody goes on with until it is resumed says: %+v", s)
	}
	if s := ok[backend.IndexStatus](f, http.StatusOK, "POST", "/api/index", `{"action":"resume"}`); s.State == "cancelled" {
		t.Errorf("%+v", s)
	}
	stats := ok[backend.Statistics](f, http.StatusOK, "GET", "/api/statistics?agent=pi", "")
	if stats.Totals.Sessions != 1 || stats.Totals.Prompts != 1 || stats.Totals.Input != nil || stats.Unknown.Usage != 1 || len(stats.Days) != 1 || stats.From != nil {
		t.Errorf("%+v", stats)
	}
	if stats := ok[backend.Statistics](f, http.StatusOK, "GET", "/api/statistics?project=elsewhere", ""); stats.Totals.Sessions != 0 || len(stats.Agents) != 0 {
		t.Errorf("%+v", stats)
	}
	ledger := ok[backend.Ledger](f, http.StatusOK, "GET", "/api/ledger?min=1&limit=5", "")
	if ledger.Total != 0 || len(ledger.Entries) != 0 || ledger.Coverage.Indexed != 1 {
		t.Errorf("%+v", ledger)
	}
	if list := ok[[]backend.Session](f, http.StatusOK, "GET", "/api/sessions?minCompactions=1", ""); len(list) != 0 {
		t.Errorf("%+v", list)
	}
	for path, body := range map[string]string{
		"POST /api/index": `{"action":"explode"}`, "GET /api/statistics?from=today": "", "GET /api/statistics?agentDays=perhaps": "", "GET /api/statistics?over=mood": "", "GET /api/statistics?over=agent&today=now": "", "GET /api/statistics?from=2026-02-02&to=2026-01-01": "",
		"GET /api/ledger?cursor=x": "", "GET /api/ledger?session=x": "", "GET /api/ledger?min=-1": "",
	} {
		method, at := path[:4], path[4:]
		if method == "GET " {
			method = "GET"
		} else {
			method, at = "POST", path[5:]
		}
		if a := f.ask(method, at, body); a.status != http.StatusBadRequest {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
}

func TestWithoutAnIndex(t *testing.T) {
	f := start(t)
	if s := ok[backend.IndexStatus](f, http.StatusOK, "GET", "/api/index", ""); s.State != "off" {
		t.Errorf("%+v", s)
	}
	if s := ok[backend.Statistics](f, http.StatusOK, "GET", "/api/statistics", ""); s.Totals.Sessions != 0 || s.Days == nil {
		t.Errorf("%+v", s)
	}
}

func TestForgetOverHTTP(t *testing.T) {
	f, home := abroad(t)
	const id = "pi:a/b c"
	must(t, f.backend.Scan(t.Context(), false, nil))
	forget := func() backend.Forgotten {
		t.Helper()
		done := ok[[]backend.Forgotten](f, http.StatusOK, "POST", "/api/index/forget", `{"ids":["`+id+`"]}`)
		if len(done) != 1 || done[0].ID != id {
			t.Fatalf("%+v", done)
		}
		return done[0]
	}
	if p := forget().Problem; p == nil || p.Code != backend.CodeBadInput {
		t.Errorf("its files are there: %+v", p)
	}
	must(t, os.RemoveAll(filepath.Join(home, ".pi")))
	if p := forget().Problem; p != nil {
		t.Errorf("%+v", p)
	}
	if p := forget().Problem; p == nil || p.Code != backend.CodeNotFound {
		t.Errorf("it is forgotten: %+v", p)
	}
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", "/api/index/forget", `{"ids":"x"}`)
}
