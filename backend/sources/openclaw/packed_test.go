package openclaw

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestPackedEnd: when the last was said in a compressed transcript, with which model, and what it is called, only all of it tells: that is put
// off, and then it is as with the same file before it was compressed.
func TestPackedEnd(t *testing.T) {
	lines := []string{"0 - " + user("one")}
	for range 100 {
		lines = append(lines, "1 0 "+user(strings.Repeat("long ", 200)))
	}
	const place = sessionsDir + "s1.jsonl.deleted.2026-01-03T10-00-00.000Z"
	whole := text(append(lines, "2 1 "+said("x"))...) + `{"type":"session_info","id":"n","parentId":"2","timestamp":"2026-01-02T10:00:09.000Z","name":"Named"}` + "\n"
	plain := sourcetest.Only(t, sourcetest.Find(t, Source{}, sourcetest.Env(t, sourcetest.Home(t, map[string]string{place: whole}))))
	env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{place + ".zst": packed(t, whole)}))
	touched := time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(env.Home, place+".zst"), touched, touched); err != nil {
		t.Fatal(err)
	}
	env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "memory"), "")
	if before := sourcetest.Only(t, sourcetest.Find(t, Source{}, env)); !before.UpdatedAt.Equal(touched) {
		t.Errorf("%v, before it was read", before.UpdatedAt)
	}
	if some, err := env.Memory.CatchUp(t.Context(), nil); !some || err != nil {
		t.Errorf("%v, %v", some, err)
	}
	after := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	if !after.UpdatedAt.Equal(plain.UpdatedAt) || after.UpdatedAt.Equal(touched) || after.Model != plain.Model || after.Title != "Named" || plain.Title != "Named" {
		t.Errorf("%v %q %q, and %v %q %q before it was compressed", after.UpdatedAt, after.Model, after.Title, plain.UpdatedAt, plain.Model, plain.Title)
	}
	if some, err := env.Memory.CatchUp(t.Context(), nil); some || err != nil {
		t.Errorf("it is read again: %v", err)
	}
}
