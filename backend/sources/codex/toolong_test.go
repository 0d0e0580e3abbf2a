package codex

import (
	"os"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestRecordTooLong: what a record says that is too long to be read may be another context, so it is damage; what stands behind it is read.
func TestRecordTooLong(t *testing.T) {
	said := func(text string) string {
		return `{"timestamp":"2026-01-02T10:00:00Z","type":"response_item","payload":` + user(text) + "}"
	}
	head := `{"type":"session_meta","payload":{"id":"` + id + `","cwd":"/w"}}` + "\n" + said("before") + "\n"
	env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{place: head + `{"type":"compacted","payload":{"message":"`}))
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	sourcetest.Stretch(t, found.Files[0], int64(len(head))+sources.LineMost+1)
	file, err := os.OpenFile(found.Files[0], os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = file.WriteString("\n" + said("after") + "\n")
	}
	if err != nil || file.Close() != nil {
		t.Fatal(err)
	}
	r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
	if view := strings.Join(r.View(t), "\n"); r.Err != nil || r.Damaged != 1 || view != "user: before\nuser: after" || !strings.Contains(string(r.Log), "a line of 268435458 bytes") || r.Overlong() == "" {
		t.Errorf("%v, %d damaged: %s\n%.3000s", r.Err, r.Damaged, view, r.Log)
	}
}
