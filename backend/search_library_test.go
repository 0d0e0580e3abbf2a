package backend

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"palimpsest/backend/digest"
	"palimpsest/backend/query"
)

// TestTheLibrarysFilterMeansTheSame reads the table that the page's filter is tested with.
func TestTheLibrarysFilterMeansTheSame(t *testing.T) {
	var table struct {
		Sessions []struct {
			ID, Agent, Name, First, Cwd, Model string
			Last                               time.Time
			Compactions                        int
			Archived, Gone                     bool
		}
		Asks, Reads map[string][]string
	}
	text, err := os.ReadFile("../frontend/src/lib/library/filters.json")
	if err != nil {
		t.Fatal(err)
	}
	if err = json.Unmarshal(text, &table); err != nil {
		t.Fatal(err)
	}
	all := map[string]digested{}
	for _, s := range table.Sessions {
		all[s.ID] = digested{ID: s.ID, Updated: s.Last, Gone: s.Gone, Digest: &digest.Digest{
			About:       digest.About{Agent: s.Agent, Title: s.Name, First: s.First, Cwd: s.Cwd, Model: s.Model, Archived: s.Archived},
			Compactions: s.Compactions, Lines: 1,
		}}
	}
	for ask, wanted := range table.Asks {
		q := query.Parse(ask, false)
		if len(q.Terms) > 0 || len(q.Problems) > 0 {
			t.Errorf("%s: %+v", ask, q)
		}
		c := chooser{filters: q.Filters, all: all, now: time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)}
		found := []string{}
		for _, s := range table.Sessions {
			if c.keeps(s.ID) {
				found = append(found, s.ID)
			}
		}
		if !slices.Equal(found, wanted) {
			t.Errorf("%s finds %q, wanted %q", ask, found, wanted)
		}
	}
	for ask, wanted := range table.Reads {
		if told := piecesTold(ask); !slices.Equal(told, wanted) {
			t.Errorf("%s is %q, wanted %q", ask, told, wanted)
		}
	}
}

// piecesTold are the terms of a text and then its filters.
func piecesTold(text string) (told []string) {
	q := query.Parse(text, false)
	sign := map[bool]string{true: "-"}
	for _, term := range q.Terms {
		told = append(told, sign[term.Not]+term.Text)
	}
	for _, f := range q.Filters {
		told = append(told, sign[f.Not]+string(f.Name)+":"+f.Value)
	}
	return told
}
