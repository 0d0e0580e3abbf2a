package claudecode

import (
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestCopyOfAnotherName: a file that somebody copied beside the session's own is no session while it has nothing that this has not.
func TestCopyOfAnotherName(t *testing.T) {
	const (
		row   = `{"type":"user","uuid":"u1","parentUuid":null,"timestamp":"2026-01-02T10:00:00Z","sessionId":"p","cwd":"/w","message":{"role":"user","content":"one"}}` + "\n"
		more  = `{"type":"user","uuid":"u2","parentUuid":"u1","timestamp":"2026-01-02T10:00:01Z","sessionId":"p","message":{"role":"user","content":"two"}}` + "\n"
		other = `{"type":"user","uuid":"u3","parentUuid":"u1","timestamp":"2026-01-02T10:00:01Z","sessionId":"p","message":{"role":"user","content":"three"}}` + "\n"
	)
	for name, c := range map[string]struct {
		own, copy string
		want      int
	}{
		"the same": {row + more, row + more, 1}, "of before": {row + more, row, 1}, "went on": {row + more, row + other, 2}, "longer": {row, row + more, 2},
	} {
		env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{".claude/projects/-w/p.jsonl": c.own, ".claude/projects/-w/p copy.jsonl": c.copy}))
		if found := sourcetest.Find(t, Source{}, env); len(found) != c.want {
			t.Errorf("%s: %+v", name, found)
		}
	}
	env := sourcetest.Env(t, sourcetest.Home(t, map[string]string{".claude/projects/-w/p copy.jsonl": row}))
	sourcetest.Only(t, sourcetest.Find(t, Source{}, env)) // alone it is all there is
}
