package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"palimpsest/backend"
)

// logged writes a session's log as it is given, damage and all.
func logged(t interface{ Fatal(...any) }, b *backend.Backend, lines []string) string {
	made, err := b.New(backend.NewSession{})
	if err == nil {
		err = os.WriteFile(made.Path, []byte(strings.Join(lines, "\n")+"\n"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return made.ID
}

func lineOf(seq int, text string) string {
	return fmt.Sprintf(`{"recordType":"message","schemaVersion":1,"seq":%d,"timestamp":"2026-01-02T03:04:05Z","role":"user","content":[{"type":"text","text":%s}]}`, seq, text)
}

func quoted(text string) string {
	out, err := encode(text)
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(out))
}

type failing interface {
	Errorf(format string, args ...any)
	Fatal(args ...any)
}

// readAll turns the pages of a whole log and returns how many records came. Each page has to be within the bound.
func readAll(t failing, api http.Handler, id, view string, limit int) (records int) {
	for position, total := 0, 1; position < total; {
		w := httptest.NewRecorder()
		api.ServeHTTP(w, httptest.NewRequest(http.MethodGet,
			fmt.Sprintf("http://wails.localhost/api/sessions/%s/records?index=%d&limit=%d&view=%s", id, position, limit, view), http.NoBody))
		if w.Code != http.StatusOK {
			t.Fatal(w.Code, w.Body.String())
		}
		if size := w.Body.Len(); size > backend.PageBytes {
			t.Errorf("the page at %d has %d bytes", position, size)
		}
		var page backend.Page
		if err := json.Unmarshal(w.Body.Bytes(), &page); err != nil {
			t.Fatal(err)
		}
		if page.Count == 0 && page.Total > 0 || len(page.Records) != len(page.Entries) || page.First != position {
			t.Fatal("a page that leads nowhere", page.First, page.Count, page.Total)
		}
		position, total = position+page.Count, page.Total
		records += len(page.Records)
	}
	return records
}
