package server

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend"
	"palimpsest/backend/session"
)

// withID are the routes that have an id, with a body that is as it should be.
var withID = [][3]string{
	{"GET", "/api/sessions/%s", ""},
	{"PATCH", "/api/sessions/%s", `{"name":"x","archived":true}`},
	{"DELETE", "/api/sessions/%s", ""},
	{"POST", "/api/sessions/%s/forks", `{"at":1}`},
	{"DELETE", "/api/trash/%s", ""},
	{"POST", "/api/trash/%s/restore", ""},
	{"GET", "/api/sessions/%s/opening", ""},
	{"DELETE", "/api/sessions/%s/opening", ""},
	{"GET", "/api/sessions/%s/records", ""},
	{"POST", "/api/sessions/%s/records", message("x")},
	{"GET", "/api/sessions/%s/records/1", ""},
	{"GET", "/api/sessions/%s/outline", ""},
	{"GET", "/api/sessions/%s/prompts", ""},
	{"GET", "/api/sessions/%s/find", ""},
	{"GET", "/api/sessions/%s/context", ""},
	{"GET", "/api/sessions/%s/sizes", ""},
	{"GET", "/api/sessions/%s/blobs/" + strings.Repeat("0", 64), ""},
	{"POST", "/api/sessions/%s/reverts", `{"targetSeq":1}`},
	{"GET", "/api/sessions/%s/compactions/1", ""},
	{"GET", "/api/sessions/%s/compactions/plan", ""},
	{"POST", "/api/sessions/%s/compactions", `{"offline":true}`},
	{"POST", "/api/sessions/%s/drafts", `{"offline":true}`},
	{"GET", "/api/sessions/%s/drafts/" + nobody, ""},
	{"DELETE", "/api/sessions/%s/drafts/" + nobody, ""},
	{"POST", "/api/sessions/%s/messages", `{"text":"x"}`},
	{"DELETE", "/api/sessions/%s/messages/" + nobody, ""},
	{"GET", "/api/sessions/%s/turns", ""},
	{"DELETE", "/api/sessions/%s/turns/" + nobody, ""},
	{"POST", "/api/sessions/%s/turns/" + nobody + "/answers", `{"callId":"c","answer":"once"}`},
	{"GET", "/api/sessions/%s/permissions", ""},
	{"PUT", "/api/sessions/%s/permissions", `{"permissions":[]}`},
	{"POST", "/api/sessions/%s/undos", `{}`},
	{"GET", "/api/sessions/%s/children", ""},
	{"GET", "/api/sessions/%s/compactions/1/fidelity", ""},
	{"POST", "/api/sessions/%s/fidelity", `{"summary":"x"}`},
	{"GET", "/api/sessions/%s/export", ""},
	{"DELETE", "/api/kept/%s", ""},
}

func TestS7_8_InvalidIDIsRefused(t *testing.T) {
	f := start(t)
	id := f.session()
	before := tree(t, f.home)
	invalid := []string{
		"..%2f..", "..%2F" + id, "%2e%2e", "%2e", "..%5c..", "%2fetc%2fpasswd", id + "%2f..%2f" + id, id + "%00", "%00",
		strings.ToLower(id), id + "0", id[:25], "x", "%20", id + "%20", "%20" + id, "%0a" + id, id + "%0a",
		"01ARZ3NDEKTSV4RRFFQ69G5FAI", "01ARZ3NDEKTSV4RRFFQ69G5FAL", "01ARZ3NDEKTSV4RRFFQ69G5FAO", "01ARZ3NDEKTSV4RRFFQ69G5FAU",
		"%C3%89" + id[1:], "%EF%BC%90" + id[1:], "%FF" + id[1:], "%E2%80%AE" + id, "C:", "CON", "~", "*", id + "?", "-",
		strings.Repeat("A", 5000),
	}
	covered := map[string]bool{}
	for _, route := range withID {
		for _, bad := range invalid {
			p := f.refused(http.StatusBadRequest, backend.CodeInvalidID, route[0], fmt.Sprintf(route[1], strings.ReplaceAll(bad, "?", "%3f")), route[2])
			if len(p.Detail) > 500 {
				t.Errorf("a message of %d bytes", len(p.Detail))
			}
		}
		f.refused(http.StatusNotFound, backend.CodeNotFound, route[0], fmt.Sprintf(route[1], nobody), route[2])
		covered[route[0]+" "+route[1]] = true
	}
	for _, r := range f.server.routes() {
		if strings.Contains(r.pattern, "{id}") {
			known := strings.NewReplacer("{id}", "%s", "{seq}", "1", "{sha256}", strings.Repeat("0", 64), "{draft}", nobody, "{turn}", nobody, "{key}", nobody).Replace(r.pattern)
			if !covered[known] {
				t.Errorf("%s is not tested", r.pattern)
			}
		}
	}
	if after := tree(t, f.home); after != before {
		t.Errorf("files changed from\n%s\nto\n%s", before, after)
	}
}

// TestS7_8_InvalidIDComesFirst sends requests that are wrong otherwise, too.
func TestS7_8_InvalidIDComesFirst(t *testing.T) {
	f := start(t)
	f.refused(http.StatusBadRequest, backend.CodeInvalidID, "PATCH", "/api/sessions/bad", "{")
	f.refused(http.StatusBadRequest, backend.CodeInvalidID, "POST", "/api/sessions/bad/records", "{")
	f.refused(http.StatusBadRequest, backend.CodeInvalidID, "GET", "/api/sessions/bad/records?limit=x", "")
	f.refused(http.StatusBadRequest, backend.CodeInvalidID, "GET", "/api/sessions/bad/records/x", "")
	f.refused(http.StatusBadRequest, backend.CodeInvalidID, "GET", "/api/sessions/bad/blobs/x", "")
	f.refused(http.StatusBadRequest, backend.CodeInvalidID, "POST", "/api/sessions/bad/messages", "{")
	f.refused(http.StatusBadRequest, backend.CodeInvalidID, "DELETE", "/api/sessions/bad/turns/x", "")
	f.refused(http.StatusBadRequest, backend.CodeInvalidID, "GET", "/api/sessions/bad/compactions/plan?cut=x", "")
	f.refused(http.StatusBadRequest, backend.CodeInvalidID, "POST", "/api/sessions/bad/drafts", "{")
}

// TestS7_8_RawTraversal makes requests that no client library would send.
func TestS7_8_RawTraversal(t *testing.T) {
	f := start(t)
	api := f.server.Handler()
	for _, path := range []string{
		"/api/sessions/..", "/api/sessions/../sessions", "/api/sessions//", "/api/sessions/", "/api/trash/", "/api/trash/.",
		"/api/sessions/../records", "/api/sessions//records", "/api/trash/../restore",
	} {
		for _, method := range []string{"GET", "DELETE", "POST"} {
			r := httptest.NewRequestWithContext(t.Context(), method, "http://wails.localhost/", http.NoBody)
			r.URL.Path = path
			w := httptest.NewRecorder()
			api.ServeHTTP(w, r)
			f.isProblem(answered{w.Code, w.Header(), w.Body.Bytes()}, http.StatusBadRequest, backend.CodeInvalidID, method+" "+path)
		}
	}
}

func FuzzID(f *testing.F) {
	for _, id := range []string{nobody, "..", "../..", "x\x00", "é", strings.ToLower(nobody), nobody + "0"} {
		f.Add(id)
	}
	b, err := backend.Open(backend.Options{Home: f.TempDir()})
	must(f, err)
	api := New(b, nil, nil).Handler()
	f.Fuzz(func(t *testing.T, id string) {
		for _, route := range withID {
			r := httptest.NewRequestWithContext(t.Context(), route[0], "http://wails.localhost/", strings.NewReader(route[2]))
			r.URL.Path = fmt.Sprintf(route[1], id)
			w := httptest.NewRecorder()
			api.ServeHTTP(w, r)
			want := http.StatusBadRequest
			if session.CheckID(id) == nil {
				want = http.StatusNotFound
			}
			// What holds a slash is another path, which may not exist.
			if w.Code != want && !(strings.Contains(id, "/") && w.Code/100 == 4) {
				t.Errorf("%s %q: %d %s, want %d", route[0], r.URL.Path, w.Code, w.Body, want)
			}
		}
		if tree(t, b.Home()) != "" {
			t.Errorf("%q made a file", id)
		}
	})
}

func tree(t testing.TB, dir string) string {
	t.Helper()
	var out strings.Builder
	must(t, filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		if path != dir {
			fmt.Fprintln(&out, path, info.Size(), info.ModTime())
		}
		return nil
	}))
	return out.String()
}
