package backend

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"palimpsest/backend/library"
	"palimpsest/backend/session"
)

// TestHintOfWhatMayNotBeRead: where the system forbids it, its answer is what helps, and not that of the agent.
func TestHintOfWhatMayNotBeRead(t *testing.T) {
	for want, err := range map[string]error{
		"check their owner and mode":  fmt.Errorf("%w: open a.jsonl: %w", library.ErrUnreadable, fs.ErrPermission),
		"what that agent itself says": fmt.Errorf("%w: no text of JSON", library.ErrUnreadable),
	} {
		if hint := ProblemOf(err).Hint; !strings.Contains(hint, want) || !strings.Contains(hint, "its files were not touched") {
			t.Errorf("%q: %v", hint, err)
		}
	}
}

// TestHintOfNoRecord: of a session that is there, a list of sessions has no more records.
func TestHintOfNoRecord(t *testing.T) {
	home := t.TempDir()
	writePi(t, home, piSession())
	b := abroad(t, home)
	own, err := b.Import(t.Context(), "pi:s1")
	newsMust(t, err)
	_, theirs := b.Context("pi:s1", ContextOptions{At: 999})
	_, ours := b.Context(own.ID, ContextOptions{At: 999})
	_, forked := b.Fork(own.ID, 999)
	for what, err := range map[string]error{"another agent's": theirs, "a context": ours, "a fork": forked} {
		if p := ProblemOf(err); p.Code != CodeNotFound || !strings.Contains(p.Hint, "palimpsest show ID") {
			t.Errorf("%s: %+v", what, p)
		}
	}
	if p := ProblemOf(session.ErrNotFound); !strings.Contains(p.Hint, "palimpsest list") {
		t.Errorf("a session: %+v", p)
	}
}
