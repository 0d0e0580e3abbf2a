package opencode

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/sources/sourcetest"
)

// TestPartsWritten: opencode clears outputs of tools anywhere in a session and notes it in those parts alone. A session that was written to of
// late is known to have changed then; of an older one nobody looks at the parts.
func TestPartsWritten(t *testing.T) {
	home := chat(asked(1, "ask"), answered(2, "answer"), asked(3, "more"), answered(4, "done")).home(t, conversation.newer)
	storage := filepath.Join(home, ".local/share/opencode/storage")
	session, part := filepath.Join(storage, "session/p/ses_2.json"), filepath.Join(storage, "part/msg_002/prt_0020.json")
	text, err := os.ReadFile(session)
	if err != nil {
		t.Fatal(err)
	}
	noted := func(at time.Time) {
		t.Helper()
		if err := os.WriteFile(session, []byte(strings.ReplaceAll(string(text), "1767348060000", strconv.FormatInt(at.UnixMilli(), 10))), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	writes := func() int64 { return sourcetest.Only(t, sourcetest.Find(t, Source{}, sourcetest.Env(t, home))).Writes }
	noted(time.Now().Add(-time.Hour))
	before, cleared := writes(), time.Now().Add(time.Minute)
	if err := os.Chtimes(part, cleared, cleared); err != nil {
		t.Fatal(err)
	}
	if now := writes(); before == 0 || now == before {
		t.Errorf("%d, and %d once a part was written anew", before, now)
	}
	noted(time.Now().Add(-clearedWithin - time.Hour))
	if now := writes(); now != 0 {
		t.Errorf("of a session that rests: %d", now)
	}
}
