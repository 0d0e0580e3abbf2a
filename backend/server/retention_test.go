package server

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend"
)

func TestKeptOverHTTP(t *testing.T) {
	f, home := abroad(t)
	told := ok[backend.Retention](f, http.StatusOK, "GET", "/api/retention", "")
	if len(told.Agents) == 0 || told.Sessions == nil {
		t.Errorf("%+v", told)
	}
	ok[backend.Retention](f, http.StatusOK, "GET", "/api/retention?open=1&limit=1", "")
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "GET", "/api/retention?open=perhaps", "")
	const id = "pi:a/b c"
	kept := ok[[]backend.Kept](f, http.StatusOK, "POST", "/api/kept", `{"ids":["`+id+`"]}`)
	if len(kept) != 1 || kept[0].Problem != nil {
		t.Fatalf("%+v", kept)
	}
	must(t, os.RemoveAll(filepath.Join(home, ".pi")))
	if s := ok[backend.Session](f, http.StatusOK, "GET", "/api/sessions/pi%3Aa%2Fb%20c", ""); s.ID != id {
		t.Errorf("%+v", s)
	}
	if all := ok[[]backend.KeptCopy](f, http.StatusOK, "GET", "/api/kept", ""); len(all) != 1 || all[0].There {
		t.Errorf("%+v", all)
	}
	if lines := f.ask("GET", "/api/kept?parts=1", ""); strings.Count(string(lines.body), "\n") != 1 {
		t.Errorf("%s", lines.body)
	}
	ok[map[string]string](f, http.StatusOK, "DELETE", "/api/kept/pi%3Aa%2Fb%20c", "")
	f.refused(http.StatusNotFound, backend.CodeNotFound, "DELETE", "/api/kept/pi%3Aa%2Fb%20c", "")
	f.refused(http.StatusNotFound, backend.CodeNotFound, "POST", "/api/drops", `{"ids":["`+id+`"]}`)
	if done := ok[map[string][]string](f, http.StatusOK, "POST", "/api/drops", `{"ids":[]}`); done["dropped"] == nil || len(done["dropped"]) > 0 {
		t.Errorf("%+v", done)
	}
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", "/api/cleanup", `{"dryRun":true}`)
	only := `{"olderThanDays":1,"only":[` + strings.Repeat(`"01KD0000000000000000000000",`, 100_000) + `"x"]}`
	if gone := ok[backend.CleanedPart](f, http.StatusOK, "POST", "/api/cleanup", only); gone.Count != 0 {
		t.Errorf("%+v", gone)
	}
	f.refused(http.StatusRequestEntityTooLarge, backend.CodeBadInput, "POST", "/api/kept", only)
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", "/api/cleanup", `{"olderThanDays":1,"dryRun":true,"from":-1}`)
	if gone := ok[backend.CleanedPart](f, http.StatusOK, "POST", "/api/cleanup", `{"olderThanDays":1,"dryRun":true}`); gone.Count != 0 || gone.IDs == nil {
		t.Errorf("%+v", gone)
	}
}
