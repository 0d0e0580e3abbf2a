package codex

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// TestPackedEnd: when the last was said in a compressed file, and with which model, only all of it tells: that is put off, and then it is as
// with the same file before it was compressed.
func TestPackedEnd(t *testing.T) {
	first := envelope(0, header(id, ""), `turn_context {"model":"m1","cwd":"/w"}`, item(user("one")))
	text := first + strings.Repeat(envelope(3, item(says(strings.Repeat("x", 1000)))), 200) + envelope(4, `turn_context {"model":"m2"}`, item(user("two")))
	for name, c := range map[string]struct {
		whole string
		cut   int
		same  bool
	}{
		"long": {text, 0, true}, "short": {first, 0, true}, "half a line at its end": {text + `{"timestamp":"2026-11-21T0`, 0, true}, "damaged": {text, 10, false},
	} {
		plain := sourcetest.Find(t, Source{}, sourcetest.Env(t, sourcetest.Home(t, map[string]string{place: c.whole})))
		pack := packed(t, c.whole)
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{place + ".zst": pack[:len(pack)-c.cut]}))
		touched := time.Date(2026, 11, 25, 0, 0, 0, 0, time.UTC)
		if err := os.Chtimes(filepath.Join(env.Home, place+".zst"), touched, touched); err != nil {
			t.Fatal(err)
		}
		env.Memory = sources.OpenMemory(filepath.Join(t.TempDir(), "memory"), "")
		before := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		if !before.UpdatedAt.Equal(touched) {
			t.Errorf("%s: %v, before it was read", name, before.UpdatedAt)
		}
		some, err := env.Memory.CatchUp(t.Context(), nil)
		if err != nil || !some {
			t.Errorf("%s: %v, %v", name, some, err)
		}
		after := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		if same := after.UpdatedAt.Equal(plain[0].UpdatedAt) && after.Model == plain[0].Model; same != c.same {
			t.Errorf("%s: %v %q, and %v %q before it was compressed", name, after.UpdatedAt, after.Model, plain[0].UpdatedAt, plain[0].Model)
		}
		if some, err := env.Memory.CatchUp(t.Context(), nil); some || err != nil {
			t.Errorf("%s: it is read again: %v", name, err)
		}
	}
}
