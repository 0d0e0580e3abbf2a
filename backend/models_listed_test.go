package backend

import (
	"fmt"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/codex"
	"palimpsest/backend/sources/sourcetest"
)

// TestListsHaveTheModelThatAnswersLast: what the ends of a long file do not tell, a list has from what was read of it, and not from before it grew.
func TestListsHaveTheModelThatAnswersLast(t *testing.T) {
	home := t.TempDir()
	turn := func(model string) string {
		var out strings.Builder
		fmt.Fprintf(&out, `{"timestamp":"2026-01-02T10:00:01Z","type":"turn_context","payload":{"cwd":"/w","model":%q}}`+"\n", model)
		for n := range 100 {
			out.WriteString(codexSays(fmt.Sprintf("10:%02d:%02d", n/60, n%60), strings.Repeat("x", 2000)))
		}
		return out.String()
	}
	path := sourcetest.Write(t, home, liveCodexPlace, codexHead("019a0000-0000-7000-8000-000000000001", "10:00:00", "")+turn("first")+turn("second"))
	b, err := Open(Options{Home: t.TempDir(), UserHome: home, Cache: t.TempDir(), Sources: []sources.Source{codex.Source{}}, Warn: func(err error) { t.Error(err) }})
	newsMust(t, err)
	t.Cleanup(b.Close)
	listed := func(step, want string, quick bool) {
		t.Helper()
		all, err := b.List(t.Context(), ListOptions{Quick: quick})
		if err != nil || len(all) != 1 || all[0].Model != want {
			t.Errorf("%s: %+v, want %q, %v", step, all, want, err)
		}
	}
	listed("before it was read", "", true)
	scanned(t, b)
	listed("read", "second", true)
	one, err := b.Get(liveCodexID)
	if found := look(t, b, "xxx"); err != nil || one.Model != "second" || found.Hits[0].Model != "second" {
		t.Errorf("%+v, %+v, %v", one, found.Hits, err)
	}
	add(t, path, turn("third"))
	listed("grown", "third", false)
}
