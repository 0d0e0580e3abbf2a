package server

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend"
)

func TestBadInput(t *testing.T) {
	f := start(t)
	id := f.sample()
	at := "/api/sessions/" + id
	big := "9007199254740992" // 2^53
	for _, c := range [][3]string{
		{"GET", "/api/sessions?limit=x", ""},
		{"GET", "/api/sessions?limit=-1", ""},
		{"GET", "/api/sessions?limit=1.5", ""},
		{"GET", "/api/sessions?limit=" + big, ""},
		{"GET", "/api/sessions?archived=yes", ""},
		{"GET", "/api/sessions?quick=2", ""},
		{"GET", "/api/sessions?parts=2", ""},
		{"GET", "/api/sessions?query=%zz", ""},
		{"GET", "/api/sessions?a;b", ""},
		{"GET", at + "/records?from=x", ""},
		{"GET", at + "/records?from=%2b1", ""},
		{"GET", at + "/records?index=-1", ""},
		{"GET", at + "/records?limit=1e3", ""},
		{"GET", at + "/records?view=some", ""},
		{"GET", at + "/records?from=1&index=1", ""},
		{"GET", at + "/records/0", ""},
		{"GET", at + "/records/-1", ""},
		{"GET", at + "/records/x", ""},
		{"GET", at + "/records/" + big, ""},
		{"GET", at + "/records/1?offset=-1", ""},
		{"GET", at + "/records/1?limit=x", ""},
		{"GET", at + "/prompts?first=x", ""},
		{"GET", at + "/prompts?from=1&before=2", ""},
		{"GET", at + "/context?at=x", ""},
		{"GET", at + "/outline?at=x", ""},
		{"GET", at + "/records?at=-1", ""},
		{"GET", at + "/context?messages=2", ""},
		{"GET", at + "/sizes?points=-1", ""},
		{"POST", "/api/sessions", "{"},
		{"POST", "/api/sessions", "null"},
		{"POST", "/api/sessions", "[]"},
		{"POST", "/api/sessions", `{"name":1}`},
		{"POST", "/api/sessions", `{"nme":"x"}`},
		{"POST", "/api/sessions", `{"name":"x"}{}`},
		{"POST", "/api/sessions", `{"name":"x"} x`},
		{"POST", "/api/sessions", "{\"name\":\"\xff\"}"},
		{"POST", "/api/sessions", `{"source":"other"}`},
		{"POST", "/api/sessions", `{"cronJobId":"x"}`},
		{"PATCH", at, ""},
		{"PATCH", at, "{}"},
		{"PATCH", at, `{"archived":"yes"}`},
		{"PATCH", at, `{"name":"` + strings.Repeat("x", 1001) + `"}`},
		{"POST", at + "/forks", `{"at":-1}`},
		{"POST", at + "/forks", `{"at":1.5}`},
		{"POST", at + "/reverts", ""},
		{"POST", at + "/reverts", `{"targetSeq":0}`},
		{"POST", at + "/reverts", `{"targetSeq":1}`}, // a message
		{"POST", at + "/records", `{"recordType":"message"}`},
		{"POST", at + "/records", "no JSON"},
		{"POST", at + "/records", `{"recordType":"revert","targetSeq":100000}`},
	} {
		if p := f.refused(http.StatusBadRequest, backend.CodeBadInput, c[0], c[1], c[2]); p.Error.Hint == "" {
			t.Errorf("%v: no hint", c)
		}
	}
	for _, c := range [][3]string{
		{"GET", at + "/records?from=100000", ""},
		{"GET", at + "/records/100000", ""},
		{"GET", at + "/context?at=100000", ""},
		{"GET", at + "/outline?at=100000", ""},
		{"GET", at + "/records?at=100000", ""},
		{"POST", at + "/forks", `{"at":100000}`},
		{"POST", at + "/reverts", `{"targetSeq":100000}`},
	} {
		f.refused(http.StatusNotFound, backend.CodeNotFound, c[0], c[1], c[2])
	}
}

func TestTooLarge(t *testing.T) {
	f := start(t)
	id := f.session()
	large := `{"name":"` + strings.Repeat("x", bodyMost) + `"}`
	f.refused(http.StatusRequestEntityTooLarge, backend.CodeBadInput, "POST", "/api/sessions", large)
	f.refused(http.StatusRequestEntityTooLarge, backend.CodeBadInput, "PATCH", "/api/sessions/"+id, large)
	batch := message("x") + "\n" + strings.Repeat(" ", batchMost)
	f.refused(http.StatusRequestEntityTooLarge, backend.CodeBadInput, "POST", "/api/sessions/"+id+"/records", batch)
	if s := ok[backend.Session](f, http.StatusOK, "GET", "/api/sessions/"+id, ""); *s.MessageCount != 0 {
		t.Error("something of it was written")
	}
	if a := f.ask("POST", "/api/sessions/"+id+"/records", batch[:batchMost]); a.status != http.StatusCreated {
		t.Errorf("the longest there may be: %d %s", a.status, a.body)
	}
}

func TestUnknownPathsAndMethods(t *testing.T) {
	f := start(t)
	for _, path := range []string{
		"/api", "/api/", "/api/x", "/api/sessions/" + nobody + "/x", "/api/config/", "/api/config/x", "/api//config",
		"/api/sessions/" + nobody + "/records/1/x", "/api/x/%2e%2e/config",
	} {
		for _, method := range []string{"GET", "POST", "OPTIONS"} {
			f.refused(http.StatusNotFound, backend.CodeNotFound, method, path, "")
		}
	}
	for path, allow := range map[string]string{
		"/api/sessions":                         "GET, HEAD, POST",
		"/api/sessions/" + nobody:               "DELETE, GET, HEAD, PATCH",
		"/api/sessions/" + nobody + "/forks":    "POST",
		"/api/sessions/" + nobody + "/records":  "GET, HEAD, POST",
		"/api/trash":                            "DELETE, GET, HEAD",
		"/api/trash/" + nobody:                  "DELETE",
		"/api/trash/" + nobody + "/restore":     "POST",
		"/api/sample":                           "POST",
		"/api/config":                           "GET, HEAD",
		"/api/events":                           "GET, HEAD",
		"/api/sessions/" + nobody + "/blobs/00": "GET, HEAD",
	} {
		for _, method := range []string{"PUT", "OPTIONS", "TRACE", "PROPFIND"} {
			a := f.ask(method, path, "")
			f.isProblem(a, http.StatusMethodNotAllowed, backend.CodeBadInput, method+" "+path)
			if got := a.header.Get("Allow"); got != allow {
				t.Errorf("%s allows %s, want %s", path, got, allow)
			}
		}
	}
}

func TestFailure(t *testing.T) {
	f := start(t)
	must(t, os.WriteFile(filepath.Join(f.home, "sessions"), nil, 0o600)) // where a directory should be
	f.refused(http.StatusInternalServerError, backend.CodeFailed, "POST", "/api/sessions", "{}")
	f.refused(http.StatusInternalServerError, backend.CodeFailed, "GET", "/api/sessions", "")
}

func TestUnfinishedSaysWhatIsWritten(t *testing.T) {
	f := start(t)
	w := httptest.NewRecorder()
	refuse(w, &unfinished{os.ErrClosed, []int64{4, 5}})
	p := f.isProblem(answered{w.Code, w.Header(), w.Body.Bytes()}, http.StatusInternalServerError, backend.CodeFailed, "a full disk")
	if !slices.Equal(p.Committed, []int64{4, 5}) {
		t.Errorf("%+v", p)
	}
}

func TestPanic(t *testing.T) {
	f := start(t)
	for what, value := range map[string]any{"text": "oh", "error": os.ErrClosed} {
		w := httptest.NewRecorder()
		f.server.recovered(handler(func(http.ResponseWriter, *http.Request) error { panic(value) })).
			ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "POST", "/api/x", strings.NewReader("secret body")))
		f.isProblem(answered{w.Code, w.Header(), w.Body.Bytes()}, http.StatusInternalServerError, backend.CodeFailed, what)
		if log := f.log.String(); !strings.Contains(log, "/api/x") || !strings.Contains(log, "stack=") || strings.Contains(log, "secret") {
			t.Errorf("log: %s", log)
		}
	}
	w := httptest.NewRecorder()
	f.server.recovered(handler(func(w http.ResponseWriter, _ *http.Request) error {
		_, err := w.Write([]byte("half an ans"))
		must(t, err)
		panic("oh")
	})).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/api/x", http.NoBody))
	if w.Body.String() != "half an ans" {
		t.Errorf("%s", w.Body)
	}
	defer func() {
		if recover() != http.ErrAbortHandler { //nolint:errorlint // the very value
			t.Error("ErrAbortHandler was kept")
		}
	}()
	f.server.recovered(handler(func(http.ResponseWriter, *http.Request) error { panic(http.ErrAbortHandler) })).
		ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "GET", "/api/x", http.NoBody))
}

func FuzzQuery(f *testing.F) {
	for _, query := range []string{"", "limit=5&index=2", "from=3&view=model", "offset=1&limit=-1", "at=9007199254740992", "a;b=%zz", "messages=0", "archived=1&query=<"} {
		f.Add(query)
	}
	b, err := backend.Open(backend.Options{Home: f.TempDir()})
	must(f, err)
	sample, err := b.AddSample()
	must(f, err)
	api := New(b, nil, nil).Handler()
	f.Fuzz(func(t *testing.T, text string) {
		values, malformed := url.ParseQuery(text)
		for _, path := range []string{"", "/" + sample.ID + "/records", "/" + sample.ID + "/records/1", "/" + sample.ID + "/context"} {
			r := httptest.NewRequestWithContext(t.Context(), "GET", "http://wails.localhost/api/sessions"+path, http.NoBody)
			r.URL.RawQuery = text
			w := httptest.NewRecorder()
			api.ServeHTTP(w, r)
			if !slices.Contains([]int{http.StatusOK, http.StatusBadRequest, http.StatusNotFound}, w.Code) {
				t.Errorf("%s?%s: %d %s", path, text, w.Code, w.Body)
			}
			if malformed != nil && w.Code != http.StatusBadRequest {
				t.Errorf("%s?%s: %d", path, text, w.Code)
			}
			if limit := values.Get("limit"); strings.HasPrefix(limit, "-") && !strings.HasSuffix(path, "/context") && w.Code != http.StatusBadRequest {
				t.Errorf("%s?%s: %d", path, text, w.Code)
			}
			if w.Body.Len() > backend.PageBytes && strings.HasSuffix(path, "/records") {
				t.Error(fmt.Sprint(w.Body.Len(), " bytes"))
			}
		}
	})
}
