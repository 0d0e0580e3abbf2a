package backend

import (
	"testing"

	"palimpsest/backend/session"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/codex"
	"palimpsest/backend/sources/sourcetest"
)

// TestANameThatWentIsNotFound: whoever took it away, a session is not found any more by what it was called.
func TestANameThatWentIsNotFound(t *testing.T) {
	home := t.TempDir()
	const place = ".codex/session_index.jsonl"
	sourcetest.Write(t, home, liveCodexPlace, codexHead("019a0000-0000-7000-8000-000000000001", "10:00:00", "")+codexSays("10:00:01", "one"))
	sourcetest.Write(t, home, place, `{"id":"019a0000-0000-7000-8000-000000000001","thread_name":"zebra"}`+"\n")
	b, err := Open(Options{Home: t.TempDir(), UserHome: home, Cache: t.TempDir(), Sources: []sources.Source{codex.Source{}}, Warn: func(err error) { t.Error(err) }})
	newsMust(t, err)
	t.Cleanup(b.Close)
	id := hold(t, b, session.New{Name: "zebra"}, said(1, "user", "one"))
	for _, step := range []struct {
		then func()
		want int
	}{
		{func() {}, 2},
		{func() { _, err := b.Rename(t.Context(), id, ""); newsMust(t, err) }, 1},
		{func() { sourcetest.Write(t, home, place, "") }, 0},
		{func() { _, err := b.Rename(t.Context(), id, "zebra"); newsMust(t, err) }, 1},
	} {
		step.then()
		scanned(t, b)
		for text, want := range map[string]int{"zebra": step.want, "one": 2} {
			if found := look(t, b, text); len(found.Hits) != want {
				t.Errorf("%s: %q, want %d", text, told(found), want)
			}
		}
	}
}
