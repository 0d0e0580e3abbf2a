package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestRetentionOfTheNewest: what an agent deletes since there are too many goes the next time it runs, in each folder for itself.
func TestRetentionOfTheNewest(t *testing.T) {
	m := &machine{t, t.TempDir(), t.TempDir(), time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)}
	sourcetest.Write(t, m.others, ".gemini/settings.json", `{"general":{"sessionRetention":{"enabled":true,"maxAge":"60d","maxCount":3}}}`)
	for i, folder := range []string{"one", "one", "one", "one", "two", "two"} {
		at := m.now.Add(-time.Duration(i+1) * sources.Day)
		id := fmt.Sprintf("%08d-0000-4000-8000-000000000000", i)
		stamp := at.Format(time.RFC3339)
		path := sourcetest.Write(t, m.others, ".gemini/tmp/"+folder+"/chats/session-2026-01-0"+fmt.Sprint(i+1)+"T10-00-"+id[:8]+".jsonl",
			`{"sessionId":"`+id+`","projectHash":"h","startTime":"`+stamp+`","lastUpdated":"`+stamp+`","kind":"main"}`+"\n"+
				`{"id":"u`+id+`","timestamp":"`+stamp+`","type":"user","content":[{"text":"go"}]}`+"\n")
		newsMust(t, os.Chtimes(path, at, at))
	}
	told, err := m.open().Retention(t.Context(), RetentionOptions{})
	newsMust(t, err)
	var soon []string
	for _, s := range told.Sessions {
		if s.GoesAt == "2026-02-01T00:00:00Z" {
			soon = append(soon, s.LastMessageAt)
		}
	}
	slices.Sort(soon)
	if want := []string{"2026-01-28T00:00:00Z", "2026-01-29T00:00:00Z"}; !slices.Equal(soon, want) || told.Total != 6 {
		t.Errorf("%v go, of %d, not %v", soon, told.Total, want)
	}
	at := slices.IndexFunc(told.Agents, func(a AgentRetention) bool { return a.Agent == "gemini" })
	if a := told.Agents[at]; a.Most == nil || *a.Most != 3 || a.Going != 2 || filepath.Base(*a.File) != "settings.json" {
		t.Errorf("%+v", a)
	}
}
