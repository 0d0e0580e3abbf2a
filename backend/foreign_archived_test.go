package backend

import (
	"database/sql"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite" // the driver

	"palimpsest/backend/sources/sourcetest"
)

// TestArchivedWhen: a session of another agent was archived when its agent says, and else, as far as anybody knows, at its last message. So it
// stays when its files are gone, whether a copy of them was kept or not.
func TestArchivedWhen(t *testing.T) {
	const (
		claws   = ".openclaw/agents/main/sessions/"
		rollout = `{"timestamp":"2026-01-02T10:00:00Z","type":"session_meta","payload":{"id":"$","timestamp":"2026-01-02T10:00:00Z","cwd":"/w"}}` + "\n" +
			`{"timestamp":"2026-01-02T10:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"mend"}]}}` + "\n"
		claw = `{"type":"session","version":3,"id":"$","timestamp":"2026-01-02T10:00:00Z","cwd":"/w"}` + "\n" +
			`{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-02T10:00:01Z","message":{"role":"user","content":"mend","timestamp":1767348001000}}` + "\n"
		named, unnamed = "01a1fbb2-517a-7cd2-9976-548effd87cf7", "01a1fbb2-517a-7cd2-9976-548effd87cf8"
	)
	home := t.TempDir()
	write := func(place, text, id string) { sourcetest.Write(t, home, place, strings.ReplaceAll(text, "$", id)) }
	for _, id := range []string{named, unnamed} {
		write(".codex/archived_sessions/rollout-2026-01-02T10-00-00-"+id+".jsonl", rollout, id)
	}
	db, err := sql.Open("sqlite", filepath.Join(home, ".codex/state_5.sqlite"))
	newsMust(t, err)
	_, err = db.Exec("CREATE TABLE threads (id TEXT, archived_at INTEGER); INSERT INTO threads VALUES ('" + named + "', 1767358800), ('other', NULL)")
	newsMust(t, err)
	newsMust(t, db.Close())
	write(claws+"c1.jsonl.reset.2026-01-02T13-00-00.500Z", claw, "c1")
	write(claws+"c2.jsonl.deleted.once", claw, "c2")
	write(claws+"c3.jsonl", claw, "c3")
	write(claws+"sessions.json", `{"agent:main:main":{"sessionId":"c3","updatedAt":1767348001000,"archivedAt":1767358800000}}`, "")
	store := ".local/share/opencode/storage/"
	write(store+"session/p/ses_1.json", `{"id":"ses_1","version":"1.1.65","projectID":"p","directory":"/w","title":"t",`+
		`"time":{"created":1767348000000,"updated":1767348001000,"archived":1767358800000}}`, "")
	b := abroad(t, home)
	want := map[string]string{
		"codex:" + named: "2026-01-02T13:00:00Z", "codex:" + unnamed: "2026-01-02T10:00:01Z", "openclaw:c1": "2026-01-02T13:00:00.5Z",
		"openclaw:c2": "2026-01-02T10:00:01Z", "openclaw:c3": "2026-01-02T13:00:00Z", "opencode:ses_1": "2026-01-02T13:00:00Z",
	}
	told := func() map[string]string {
		all, err := b.List(t.Context(), ListOptions{Archived: true})
		newsMust(t, err)
		times := map[string]string{}
		for _, row := range all {
			times[row.ID] = deref(row.ArchivedAt)
		}
		return times
	}
	if got := told(); !maps.Equal(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
	newsMust(t, b.Scan(t.Context(), false, nil))
	kept, err := b.Keep(t.Context(), []string{"codex:" + named, "codex:" + unnamed, "openclaw:c1", "opencode:ses_1"})
	for _, one := range kept {
		if err != nil || one.Problem != nil {
			t.Fatalf("%+v, %v", one, err)
		}
	}
	for _, dir := range []string{".openclaw", ".codex", ".local"} {
		newsMust(t, os.RemoveAll(filepath.Join(home, dir)))
	}
	newsMust(t, b.Scan(t.Context(), false, nil))
	if got := told(); !maps.Equal(got, want) {
		t.Errorf("of those that are gone %v, not %v", got, want)
	}
}
