package server

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend"
)

// TestLastListIsOnePart: as the list itself begins, of no more than what is handed out at once; nothing where none was asked for before.
func TestLastListIsOnePart(t *testing.T) {
	for what, cwd := range map[string]string{"short rows": "/w", "long rows": strings.Repeat("/x", 2<<10)} {
		t.Run(what, func(t *testing.T) {
			f := startWith(t, func(opts *backend.Options) { opts.Resident, opts.Cache = true, t.TempDir() })
			there := f.fill(firstRows+5, cwd)
			const last = "/api/sessions?last=1&brief=1&parts=1"
			if got := f.part(last); len(got.ids) > 0 || got.total != 0 || got.next != "" {
				t.Errorf("before any list: %+v", got)
			}
			whole := f.part("/api/sessions?archived=1&quick=1&brief=1&parts=1")
			f.backend.Close() // by then it is kept
			got := f.part(last)
			if !slices.Equal(got.ids, whole.ids) || got.total != len(there) || got.next != "" {
				t.Errorf("%d rows of %d, and then %q; the list began with %d", len(got.ids), got.total, got.next, len(whole.ids))
			}
			f.refused(http.StatusBadRequest, backend.CodeBadInput, "GET", "/api/sessions?last=perhaps", "")
		})
	}
}
