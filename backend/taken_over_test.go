package backend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestTakenOverStaysOneSession: PicoClaw writes its early sessions anew, under another name. Such a one has the id that it had, in what the index kept
// from before, too: it is listed, counted and found once, and a copy of it is followed.
func TestTakenOverStaysOneSession(t *testing.T) {
	const place, id = ".picoclaw/workspace/sessions/", "picoclaw:cli:demo"
	home := t.TempDir()
	sourcetest.Write(t, home, place+"cli_demo.json",
		`{"key":"cli:demo","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"there"}],"summary":"","created":"2026-01-02T10:00:00Z","updated":"2026-01-02T10:00:05Z"}`)
	b := abroad(t, home)
	scanned(t, b)
	first, err := b.Import(t.Context(), id)
	newsMust(t, err)
	before, err := b.Statistics(t.Context(), StatisticsOptions{Agent: "picoclaw"})
	newsMust(t, err)

	line := func(role, text string) string {
		return `{"role":"` + role + `","content":"` + text + `","created_at":"2026-01-02T10:00:05Z"}` + "\n"
	}
	sourcetest.Write(t, home, place+"sk_v1_aa.jsonl", line("user", "hi")+line("assistant", "there"))
	sourcetest.Write(t, home, place+"sk_v1_aa.meta.json", `{"key":"sk_v1_aa","summary":"","skip":0,"count":2,"created_at":"2026-01-02T10:00:00Z","updated_at":"2026-01-02T10:00:05Z","aliases":["cli:demo"]}`)
	early := filepath.Join(home, filepath.FromSlash(place), "cli_demo.json")
	newsMust(t, os.Rename(early, early+".migrated"))
	scanned(t, b)
	list, err := b.List(t.Context(), ListOptions{})
	newsMust(t, err)
	var ids []string
	for _, s := range list {
		if s.Foreign {
			ids = append(ids, s.ID)
		}
		if s.Gone {
			t.Errorf("%+v", s)
		}
	}
	if strings.Join(ids, " ") != id {
		t.Errorf("listed %q", ids)
	}
	after, err := b.Statistics(t.Context(), StatisticsOptions{Agent: "picoclaw"})
	newsMust(t, err)
	if len(after.Agents) != 1 || after.Agents[0].Sessions != before.Agents[0].Sessions || after.Agents[0].Messages != before.Agents[0].Messages {
		t.Errorf("%+v, and before %+v", after.Agents, before.Agents)
	}
	made, err := b.Import(t.Context(), id)
	newsMust(t, err)
	if made.ID != first.ID && (made.Replaced == nil || *made.Replaced != first.ID) {
		t.Errorf("%+v", made)
	}
}
