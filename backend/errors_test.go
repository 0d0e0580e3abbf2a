package backend

import (
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"palimpsest/backend/library"
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
