package backend

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"palimpsest/backend/session"
)

// TestAnIDIsOnePlaceMore: of a session whose id is looked for, what says that id is found as in any other, and counted.
func TestAnIDIsOnePlaceMore(t *testing.T) {
	b, ids := shelved(t)
	id := ids["story"]
	names := func(o *SearchOptions) { o.Scopes = []string{"name"} }
	outputs := func(o *SearchOptions) { o.Scopes = []string{"output"} }
	tell := func(want int, scopes map[string]int, more ...func(*SearchOptions)) {
		t.Helper()
		opts := SearchOptions{Text: strings.ToLower(id)}
		for _, change := range more {
			change(&opts)
		}
		found := look(t, b, opts.Text, more...)
		places := 0
		for _, hit := range found.Hits {
			within, err := b.SearchIn(t.Context(), hit.ID, opts)
			newsMust(t, err)
			if len(within.Hits) != hit.Count || within.Total != hit.Count {
				t.Errorf("%d places, not %d: %+v", hit.Count, within.Total, within.Hits)
			}
			places += hit.Count
		}
		if diff := cmp.Diff(scopes, found.Scopes); places != want || diff != "" || !found.Counted {
			t.Errorf("%d places: %v %s", places, told(found), diff)
		}
	}
	tell(1, map[string]int{"name": 1})
	lines := `{"recordType":"message","schemaVersion":1,"role":"user","content":[{"type":"text","text":"this is ` + id + `"}]}` + "\n" +
		`{"recordType":"message","schemaVersion":1,"role":"assistant","content":[{"type":"text","text":"` + id + `, I see"}]}` + "\n"
	_, err := b.Append(t.Context(), id, strings.NewReader(lines))
	newsMust(t, err)
	hold(t, b, session.New{Name: "about it"}, said(1, "user", "look at "+id))
	scanned(t, b)
	tell(4, map[string]int{"name": 1, "user": 2, "assistant": 1})
	tell(1, map[string]int{"name": 1}, names)
	tell(0, map[string]int{}, outputs)
	if found := look(t, b, strings.ReplaceAll(id, "K", "\u212A")); len(found.Hits) != 2 || found.Hits[0].Hit.Excerpt.Match != id {
		t.Errorf("%v", told(found))
	}
	if first, err := b.SearchIn(t.Context(), id, SearchOptions{Text: id, Limit: 2}); err != nil || len(first.Hits) != 2 || first.Complete {
		t.Errorf("%+v, %v", first, err)
	}
}

// TestNamesAreMetAsTextsAre: a filter minds neither case nor how a letter with an accent is written.
func TestNamesAreMetAsTextsAre(t *testing.T) {
	b := archive(t)
	hold(t, b, session.New{Name: "ΟΔΟΣ nai\u0308ve", Cwd: "/home/ann/cafe\u0301/ΟΔΟΣ"}, said(1, "user", "hello"))
	scanned(t, b)
	for _, text := range []string{"name:naïve", "name:nai\u0308ve", "name:οδος", "name:οδοσ", "project:caf\u00e9", "project:οδος", "project:/CAFE\u0301/"} {
		if found := look(t, b, text); len(found.Hits) != 1 {
			t.Errorf("%s: %v", text, told(found))
		}
	}
}

// TestNamedInTime: to count what is in sessions that are found by their ids takes no longer than there is time; what was not counted is told.
func TestNamedInTime(t *testing.T) {
	b, ids := shelved(t)
	id := ids["story"]
	var lines strings.Builder
	for range 200 {
		lines.WriteString(`{"recordType":"message","schemaVersion":1,"role":"user","content":[{"type":"text","text":"this is ` + id + strings.Repeat(" and more", 2000) + `"}]}` + "\n")
	}
	_, err := b.Append(t.Context(), id, strings.NewReader(lines.String()))
	newsMust(t, err)
	scanned(t, b)
	for within, all := range map[time.Duration]bool{0: false, time.Nanosecond: false, time.Hour: true} {
		s, err := b.searching(t.Context(), SearchOptions{Text: id})
		newsMust(t, err)
		out := Search{Scopes: map[string]int{}, Counted: true}
		newsMust(t, s.named(t.Context(), []string{id}, s.indexQuery(), within, &out))
		if len(out.Hits) != 1 || out.Counted != all || all && out.Hits[0].Count != 201 {
			t.Errorf("in %v: %v counted: %v", within, told(out), out.Counted)
		}
	}
}
