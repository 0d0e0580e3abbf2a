package server

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"palimpsest/backend"
)

func TestDesk(t *testing.T) {
	f := start(t)
	piece := func(method, path, body, want string) {
		t.Helper()
		if got := ok[backend.DeskPiece](f, http.StatusOK, method, path, body); string(got.Value) != want {
			t.Errorf("%s %s: %s, not %s", method, path, got.Value, want)
		}
	}
	keys := func() []string {
		return ok[struct {
			Keys []string `json:"keys"`
		}](f, http.StatusOK, "GET", "/api/desk", "").Keys
	}
	if got := keys(); got == nil || len(got) != 0 {
		t.Errorf("an empty desk: %v", got)
	}
	piece("GET", "/api/desk/view", "", "null")
	piece("PUT", "/api/desk/view?by=me", `{"theme":"dark"}`, `{"theme":"dark"}`)
	piece("GET", "/api/desk/view", "", `{"theme":"dark"}`)
	if got := keys(); len(got) != 1 || got[0] != "view" {
		t.Errorf("%v", got)
	}
	piece("PUT", "/api/desk/view", "null", "null")
	if got := keys(); len(got) != 0 {
		t.Errorf("taken away: %v", got)
	}
	for _, bad := range [][2]string{
		{"/api/desk/..%2fconfig", "1"},
		{"/api/desk/View", "1"},
		{"/api/desk/view", "{"},
		{"/api/desk/view", ""},
		{"/api/desk/view?by=" + strings.Repeat("x", byMost+1), "1"},
	} {
		f.refused(http.StatusBadRequest, backend.CodeBadInput, "PUT", bad[0], bad[1])
	}
	f.refused(http.StatusRequestEntityTooLarge, backend.CodeBadInput, "PUT", "/api/desk/view", `"`+strings.Repeat("x", backend.DeskMost)+`"`)
}

func TestFind(t *testing.T) {
	f := start(t)
	id := f.sample()
	whole := ok[backend.Finds](f, http.StatusOK, "GET", "/api/sessions/"+id+"/find?q=THE", "")
	exact := ok[backend.Finds](f, http.StatusOK, "GET", "/api/sessions/"+id+"/find?q=THE&case=1", "")
	if len(whole.Matches) < 2 || len(exact.Matches) != 0 || exact.Matches == nil {
		t.Errorf("%d and %d lines", len(whole.Matches), len(exact.Matches))
	}
	second := whole.Matches[1].Index
	part := ok[backend.Finds](f, http.StatusOK, "GET", "/api/sessions/"+id+"/find?q=the&limit=1&from="+encoded(t, second), "")
	if len(part.Matches) != 1 || part.Matches[0].Index != second || part.Next == nil {
		t.Errorf("from line %d on: %+v", second, part)
	}
	fits := ok[backend.Finds](f, http.StatusOK, "GET", "/api/sessions/"+id+"/find?q=%5Cbt.e%5Cb&regex=1", "")
	if text := ok[backend.Finds](f, http.StatusOK, "GET", "/api/sessions/"+id+"/find?q=%5Cbt.e%5Cb", ""); len(fits.Matches) < 2 || len(text.Matches) != 0 {
		t.Errorf("as an expression in %d lines, as a text in %d", len(fits.Matches), len(text.Matches))
	}
	for _, query := range []string{"", "q=", "q=x&from=-1", "q=x&case=maybe", "q=x&regex=maybe", "q=%5B&regex=1", "q=" + strings.Repeat("x", 4097)} {
		f.refused(http.StatusBadRequest, backend.CodeBadInput, "GET", "/api/sessions/"+id+"/find?"+query, "")
	}
}

func TestMatches(t *testing.T) {
	f := start(t)
	found := ok[backend.Matches](f, http.StatusOK, "POST", "/api/matches", `{"q":"t.e","texts":["🎉 The","","\ud83c the"]}`)
	if got := encoded(t, found); got != `{"matches":[[3,6],[],[2,5]]}` {
		t.Error(got)
	}
	found = ok[backend.Matches](f, http.StatusOK, "POST", "/api/matches", `{"q":"t.e","case":true,"texts":["The the"]}`)
	if got := encoded(t, found); got != `{"matches":[[4,7]]}` {
		t.Error(got)
	}
	for _, body := range []string{"", `{"q":"[","texts":[]}`, `{"q":"x","texts":"x"}`, `{"q":"x","text":["x"]}`} {
		f.refused(http.StatusBadRequest, backend.CodeBadInput, "POST", "/api/matches", body)
	}
}

func encoded(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	must(t, err)
	return string(text)
}
