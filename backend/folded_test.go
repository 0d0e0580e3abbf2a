package backend

import (
	"testing"

	"palimpsest/backend/session"
)

// TestFiltersFoldAsSearchDoes: however accents and capitals are written, a filter of a list or of statistics finds what a search finds.
func TestFiltersFoldAsSearchDoes(t *testing.T) {
	const composed, apart = "\u00fcn\u00ef", "U\u0308NI\u0308"
	b := abroad(t, t.TempDir())
	hold(t, b, session.New{Name: "plan", Cwd: "/work/" + apart},
		`{"recordType":"message","schemaVersion":1,"seq":1,"timestamp":"2026-03-05T02:00:00Z","role":"user","content":[{"type":"text","text":"go"}]}`+"\n")
	scanned(t, b)
	list, err := b.List(t.Context(), ListOptions{Query: composed})
	if err != nil || len(list) != 1 {
		t.Errorf("%+v, %v", list, err)
	}
	for _, project := range []string{composed, "/work/" + composed} {
		s, err := b.Statistics(t.Context(), StatisticsOptions{Project: project})
		if err != nil || s.Totals.Sessions != 1 {
			t.Errorf("%s: %+v, %v", project, s.Totals, err)
		}
	}
	if found := look(t, b, "project:"+composed); len(found.Hits) != 1 {
		t.Errorf("%+v", found.Hits)
	}
}
