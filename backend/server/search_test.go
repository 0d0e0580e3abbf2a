package server

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend"
)

// startIndexed is start with an index.
func startIndexed(t *testing.T) *fixture {
	t.Helper()
	cache := t.TempDir()
	return startWith(t, func(opts *backend.Options) { opts.Cache = cache })
}

func (f *fixture) scan() {
	f.t.Helper()
	must(f.t, f.backend.Scan(f.t.Context(), false, nil))
}

func TestSearch(t *testing.T) {
	f := startIndexed(t)
	id := f.session()
	ok[map[string][]int64](f, http.StatusCreated, "POST", "/api/sessions/"+id+"/records", message("the lantern & <the> foghorn")+"\n"+message("a lantern again"))
	f.scan()
	found := ok[backend.Search](f, http.StatusOK, "GET", "/api/search?q=lantern&limit=5&count=1", "")
	if len(found.Hits) != 1 || found.Hits[0].ID != id || found.Hits[0].Count != 2 || found.Scopes["user"] != 2 || !found.Counted || !found.Complete {
		t.Errorf("%+v", found)
	}
	if hit := found.Hits[0].Hit; hit == nil || *hit.Seq != 2 || *hit.Index != 1 || *hit.State != "context" || hit.Excerpt.Match != "lantern" {
		t.Errorf("%+v", hit)
	}
	for query, n := range map[string]int{
		"q=LANTERN": 1, "q=LANTERN&case=1": 0, "q=l.ntern": 0, "q=l.ntern&regex=1": 1, "q=lantern&scope=output": 0, "q=lantern&scope=user,output": 1,
		"q=": 0, "": 0, "q=is:foreign": 0, "q=-is:foreign": 1, "q=%26+%3Cthe%3E": 1,
	} {
		if found := ok[backend.Search](f, http.StatusOK, "GET", "/api/search?"+query, ""); len(found.Hits) != n || found.Hits == nil || found.Skipped == nil {
			t.Errorf("%s: %+v", query, found)
		}
	}
	if a := f.ask("GET", "/api/search?q=", ""); !strings.Contains(string(a.body), `"cursor":null`) || !strings.Contains(string(a.body), `"skipped":[]`) {
		t.Errorf("%s", a.body)
	}
	in := ok[backend.SessionSearch](f, http.StatusOK, "GET", "/api/search?q=lantern&session="+id, "")
	if in.ID != id || in.Total != 2 || len(in.Hits) != 2 || *in.Hits[0].Seq != 1 || !in.Complete {
		t.Errorf("%+v", in)
	}
	f.refused(http.StatusBadRequest, backend.CodeInvalidID, "GET", "/api/search?session=..%2fx&limit=x", "")
	f.refused(http.StatusNotFound, backend.CodeNotFound, "GET", "/api/search?q=x&session="+nobody, "")
	for _, query := range []string{"limit=x", "case=2", "scope=x&q=x", "q=x&cursor=%21", "q=is:gone&cursor=x", "q=" + strings.Repeat("x", 5000)} {
		f.refused(http.StatusBadRequest, backend.CodeBadInput, "GET", "/api/search?"+query, "")
	}
}

// FuzzSearch: no text is an error.
func FuzzSearch(f *testing.F) {
	for _, text := range []string{"a", `"`, "-", "/[/", "in:x", "after:2026-02-30", `C:\x`, "(", "\xff", "tool:bash -x", "/a{1000}{1000}/", "compactions:>=5", "id:01"} {
		f.Add(text, false)
		f.Add(text, true)
	}
	b, err := backend.Open(backend.Options{Home: f.TempDir(), Cache: f.TempDir()})
	must(f, err)
	f.Cleanup(b.Close)
	s, err := b.AddSample()
	must(f, err)
	must(f, b.Scan(f.Context(), false, nil))
	api := New(b, nil, nil).Handler()
	f.Fuzz(func(t *testing.T, text string, regex bool) {
		if len(text) > 4096 {
			return
		}
		query := url.Values{"q": {text}}
		if regex {
			query.Set("regex", "1")
		}
		for _, session := range []string{"", s.ID} {
			query.Set("session", session)
			w := httptest.NewRecorder()
			api.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/api/search?"+query.Encode(), http.NoBody))
			if w.Code != http.StatusOK {
				t.Errorf("%q: %d %s", text, w.Code, w.Body)
			}
		}
	})
}

func TestSavedSearches(t *testing.T) {
	f := start(t)
	if a := f.ask("GET", "/api/searches", ""); string(a.body) != `{"searches":[]}`+"\n" {
		t.Errorf("%s", a.body)
	}
	body := `{"searches":[{"name":"what is <lost>","q":"in:dropped"}]}` + "\n"
	if a := f.ask("PUT", "/api/searches", body); a.status != http.StatusOK || string(a.body) != body {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := f.ask("GET", "/api/searches", ""); string(a.body) != body {
		t.Errorf("%s", a.body)
	}
	if _, err := os.Stat(filepath.Join(f.home, "desk", "searches.json")); err != nil {
		t.Error(err)
	}
	many := fmt.Sprintf(`{"searches":[%s{"name":"x","q":"x"}]}`, strings.Repeat(`{"name":"x","q":"x"},`, 200))
	for _, bad := range []string{"", "{}", `{"searches":null}`, `{"searches":[{"name":"","q":"x"}]}`, `{"searches":[{"name":"x","q":"x","z":1}]}`, "[]", many} {
		f.refused(http.StatusBadRequest, backend.CodeBadInput, "PUT", "/api/searches", bad)
	}
	if a := f.ask("GET", "/api/searches", ""); string(a.body) != body {
		t.Errorf("changed by what was refused: %s", a.body)
	}
}
