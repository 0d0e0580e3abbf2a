package backend

import (
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestACopyIsCalledAsItsOriginal: each import brings the name up to date, as long as the user gave the copy none.
func TestACopyIsCalledAsItsOriginal(t *testing.T) {
	home := t.TempDir()
	const names = ".codex/session_index.jsonl"
	head := codexHead("019a0000-0000-7000-8000-000000000001", "10:00:00", "")
	written := func(texts ...string) func() {
		return func() {
			text := head
			for _, one := range texts {
				text += codexSays("10:00:01", one)
			}
			sourcetest.Write(t, home, liveCodexPlace, text)
		}
	}
	called := func(name string) func() {
		return func() {
			sourcetest.Write(t, home, names, `{"id":"019a0000-0000-7000-8000-000000000001","thread_name":"`+name+`"}`+"\n")
		}
	}
	written("one")()
	b := abroad(t, home)
	last := ""
	rename := func(name string) func() {
		return func() { _, err := b.Rename(t.Context(), last, name); newsMust(t, err) }
	}
	for i, step := range []struct {
		then func()
		did  string
		name string
	}{
		{func() {}, ImportCreated, ""},
		{called("first"), ImportUpdated, "first"},
		{func() {}, ImportUnchanged, "first"},
		{called("second"), ImportUpdated, "second"},
		{func() { called("third")(); written("one", "two")() }, ImportUpdated, "third"},
		{func() { called("fourth")(); written("other")() }, ImportUpdated, "fourth"},
		{called(""), ImportUpdated, ""},
		{rename("mine"), ImportUnchanged, "mine"},
		{called("fifth"), ImportUnchanged, "mine"},
		{written("another"), ImportUpdated, "mine"},
		{called("sixth"), ImportUnchanged, "mine"},
		{rename(""), ImportUnchanged, ""},
	} {
		step.then()
		made, err := b.Import(t.Context(), liveCodexID)
		newsMust(t, err)
		if last = made.ID; made.Did != step.did || deref(made.Name) != step.name {
			t.Errorf("%d: %s, %q", i, made.Did, deref(made.Name))
		}
	}
}
