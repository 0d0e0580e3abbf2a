package backend

import (
	"fmt"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

// TestATagIsNoFirstMessage: what stands first in another agent's session names it, unless an agent has put it there.
func TestATagIsNoFirstMessage(t *testing.T) {
	const place = ".gemini/tmp/p/chats/session-2026-01-02T10-00-s1.json"
	for first, want := range map[string]string{
		`<state_snapshot>\n<overall_goal>g</overall_goal></state_snapshot>`: "",
		`<image name=[Image #1] path=\"/x.png\">`:                           "",
		`# Mend the roof`: "# Mend the roof",
		`<3 roofs`:        "<3 roofs",
	} {
		home := t.TempDir()
		sourcetest.Write(t, home, place, fmt.Sprintf(`{"sessionId":"s1","startTime":"2026-01-02T10:00:00.000Z","messages":[`+
			`{"id":"a","type":"user","timestamp":"2026-01-02T10:00:01.000Z","content":"%s"},`+
			`{"id":"b","type":"gemini","timestamp":"2026-01-02T10:00:02.000Z","content":"yes","model":"m"}]}`, first))
		b := abroad(t, home)
		_, err := b.Page("gemini:s1", PageOptions{})
		newsMust(t, err)
		row, err := b.Get("gemini:s1")
		newsMust(t, err)
		if deref(row.FirstMessage) != want || row.MessageCount == nil || *row.MessageCount != 2 {
			t.Errorf("%s: %q, %v messages", first, deref(row.FirstMessage), row.MessageCount)
		}
	}
}
