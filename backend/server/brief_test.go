package server

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend"
)

// onlyOpen are the members that rows leave out.
var onlyOpen = []string{"createdAt", "forkedAtSeq", "metrics", "activeSeconds", "agentVersion", "title", "importedFrom", "path"}

// TestBriefRows: what a row leaves out besides that is as in most of them, and all else it tells.
func TestBriefRows(t *testing.T) {
	f, _ := abroad(t)
	plain, forked := f.session(), f.sample()
	ok[backend.Session](f, http.StatusCreated, "POST", "/api/sessions/"+forked+"/forks", `{}`)
	ok[backend.Session](f, http.StatusOK, "PATCH", "/api/sessions/"+plain, `{"archived":true}`)
	ok[backend.Session](f, http.StatusCreated, "POST", "/api/sessions", `{"source":"cron","cronJobId":"nightly","key":"k","name":"n","cwd":"/w"}`)
	const path = "/api/sessions?archived=1"
	whole := ok[[]map[string]any](f, http.StatusOK, "GET", path, "")
	rows := ok[[]map[string]any](f, http.StatusOK, "GET", path+"&brief=1", "")
	if len(rows) != len(whole) || len(rows) != 5 {
		t.Fatalf("%d rows of %d", len(rows), len(whole))
	}
	for i, row := range rows {
		want := maps.Clone(whole[i])
		for _, name := range onlyOpen {
			delete(want, name)
		}
		maps.DeleteFunc(want, func(name string, value any) bool {
			count := name == "messageCount" || name == "compactions"
			return value == nil || value == false || value == "" || value == float64(0) && !count || name == "source" && value == "interactive"
		})
		got, err := json.Marshal(row)
		must(t, err)
		wanted, err := json.Marshal(want)
		must(t, err)
		if !bytes.Equal(got, wanted) {
			t.Errorf("%s\nnot %s", got, wanted)
		}
	}
	f.refused(http.StatusBadRequest, backend.CodeBadInput, "GET", path+"&brief=perhaps", "")
	ok[backend.Session](f, http.StatusOK, "PATCH", "/api/sessions/"+plain, `{"archived":false}`)
	f.ask("DELETE", "/api/sessions/"+plain, "")
	if lines := f.ask("GET", "/api/trash?brief=1&parts=1", ""); !strings.HasPrefix(string(lines.body), `{"id":"`+plain) || strings.Contains(string(lines.body), "createdAt") {
		t.Errorf("%s", lines.body)
	}
}

// TestPartsAreZipped: over a port, for who takes it, and with what is in them unchanged; the window is answered as it asks.
func TestPartsAreZipped(t *testing.T) {
	s := listen(t, Options{Token: token})
	for range 20 {
		s.session()
	}
	const path = "/api/sessions?parts=1"
	bare := s.ask("GET", path, "", "Accept-Encoding", "identity")
	zipped := s.ask("GET", path, "", "Accept-Encoding", "br, gzip;q=0.8")
	if zipped.header.Get("Content-Encoding") != "gzip" || len(zipped.body)*3 > len(bare.body) {
		t.Fatalf("%v, %d bytes of %d", zipped.header, len(zipped.body), len(bare.body))
	}
	from, err := gzip.NewReader(bytes.NewReader(zipped.body))
	must(t, err)
	text, err := io.ReadAll(from)
	must(t, err)
	if !bytes.Equal(text, bare.body) {
		t.Errorf("%s\nnot %s", text, bare.body)
	}
	for _, accepted := range []string{"identity", "gzip;q=0", "gzip; q=0.00", "xgzip", "br"} {
		if a := s.ask("GET", path, "", "Accept-Encoding", accepted); a.header.Get("Content-Encoding") != "" || !bytes.Equal(a.body, bare.body) {
			t.Errorf("%s: %v", accepted, a.header)
		}
	}
	if a := s.ask("GET", "/api/sessions", "", "Accept-Encoding", "gzip"); a.header.Get("Content-Encoding") != "" {
		t.Errorf("not in parts: %v", a.header)
	}
	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "http://wails.localhost"+path, http.NoBody)
	r.Header.Set("Accept-Encoding", "gzip")
	s.server.Handler().ServeHTTP(w, r)
	if slices.Contains(w.Header().Values("Content-Encoding"), "gzip") || !bytes.Equal(w.Body.Bytes(), bare.body) {
		t.Errorf("the window: %v", w.Header())
	}
}
