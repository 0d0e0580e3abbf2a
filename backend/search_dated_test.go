package backend

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"palimpsest/backend/session"
)

// TestSearchHasTheTimesOfTheLog: whatever the metadata says, or its file's date, search goes by what lists and figures go by: when something was said
// last.
func TestSearchHasTheTimesOfTheLog(t *testing.T) {
	b := archive(t)
	at := func(day string) string {
		return `{"recordType":"message","schemaVersion":1,"seq":1,"role":"user","content":[{"type":"text","text":"lark"}],"timestamp":"` + day + `T12:00:00Z"}` + "\n"
	}
	for name, change := range map[string]func(log string) error{
		"as it is": func(string) error { return nil },
		"touched":  func(log string) error { return os.Chtimes(log, time.Time{}, b.now()) },
		"without metadata": func(log string) error {
			return os.Remove(filepath.Join(filepath.Dir(log), "metadata.json"))
		},
		"appended to by others": func(log string) error {
			more := `{"recordType":"message","schemaVersion":1,"seq":2,"role":"user","content":[{"type":"text","text":"lark"}],"timestamp":"2026-02-02T12:00:00Z"}` + "\n"
			return os.WriteFile(log, []byte(at("2026-01-01")+more), 0o600)
		},
	} {
		id := hold(t, b, session.New{Name: name}, at("2026-01-01"))
		newsMust(t, change(b.store.LogPath(id)))
		scanned(t, b)
		want := "2026-01-01T12:00:00Z"
		if name == "appended to by others" {
			want = "2026-02-02T12:00:00Z"
		}
		one, err := b.Get(id)
		found := look(t, b, "lark id:"+id)
		if err != nil || one.LastMessageAt != want || len(found.Hits) != 1 || found.Hits[0].LastMessageAt != want {
			t.Errorf("%s: %s, %+v, %v", name, one.LastMessageAt, found.Hits, err)
		}
		if found := look(t, b, "after:2026-03-01 id:"+id); len(found.Hits) > 0 {
			t.Errorf("%s: %+v", name, found.Hits)
		}
	}
}
