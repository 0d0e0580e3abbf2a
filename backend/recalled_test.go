package backend

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"palimpsest/backend/sources/picoclaw"
	"palimpsest/backend/sources/sourcetest"
)

const (
	picoPlace = ".picoclaw/workspace/sessions/"
	recalled  = `
CREATE TABLE conversations (conversation_id INTEGER PRIMARY KEY, session_key TEXT);
CREATE TABLE messages (message_id INTEGER PRIMARY KEY, conversation_id INTEGER, role TEXT, content TEXT, created_at TEXT);
CREATE TABLE summaries (summary_id TEXT, conversation_id INTEGER, kind TEXT, content TEXT, created_at TEXT);
CREATE TABLE summary_messages (summary_id TEXT, message_id INTEGER, ordinal INTEGER);
CREATE TABLE context_items (conversation_id INTEGER, ordinal INTEGER, item_type TEXT, summary_id TEXT, message_id INTEGER);
INSERT INTO conversations VALUES (1, 'sk_v1_aa');
INSERT INTO messages VALUES (1, 1, 'user', 'alpha', '2026-01-02 10:00:01'), (2, 1, 'user', 'omega', '2026-01-02 10:00:02');
INSERT INTO context_items VALUES (1, 1, 'message', NULL, 1), (1, 2, 'message', NULL, 2)`
	summarized = `
INSERT INTO summaries VALUES ('s1', 1, 'leaf', 'the gist', '2026-01-02 10:00:03');
INSERT INTO summary_messages VALUES ('s1', 1, 0);
UPDATE context_items SET item_type = 'summary', summary_id = 's1', message_id = NULL WHERE ordinal = 1`
)

// TestSummarizedElsewhere: what a database beside a session says of it is seen by all who read, though the session's files stay what they
// are: that it was summarized, and that the database does not count any more.
func TestSummarizedElsewhere(t *testing.T) {
	home := sourcetest.Home(t, map[string]string{
		".picoclaw/config.json":          `{"agents":{"defaults":{"context_manager":"seahorse"}}}`,
		picoPlace + "sk_v1_aa.jsonl":     `{"role":"user","content":"alpha"}` + "\n" + `{"role":"user","content":"omega"}` + "\n",
		picoPlace + "sk_v1_aa.meta.json": `{"key":"sk_v1_aa"}`,
	})
	inDatabase(t, home, picoPlace+"seahorse.db", recalled)
	b := scanOf(t, home, t.TempDir(), picoclaw.Source{})
	b.resident = true // as the window, which glances at it first
	const id = "picoclaw:sk_v1_aa"
	seen := func(gists int) string {
		t.Helper()
		newsMust(t, b.Scan(t.Context(), false, nil)) // finds it anew
		if n := hits(t, b, "gist"); n != gists {
			t.Errorf("%d are found", n)
		}
		opening, err := b.Opening(t.Context(), id, 0)
		newsMust(t, err)
		if n := strings.Count(fmt.Sprintf("%s", opening.Records), "gist"); n != gists {
			t.Errorf("%d are shown", n)
		}
		c, err := b.Context(id, ContextOptions{})
		newsMust(t, err)
		text, err := json.Marshal(c.Messages)
		newsMust(t, err)
		return string(text)
	}
	if got := seen(0); !strings.Contains(got, "alpha") {
		t.Error(got)
	}
	inDatabase(t, home, picoPlace+"seahorse.db", summarized)
	if got := seen(1); strings.Contains(got, "alpha") || !strings.Contains(got, "gist") || !strings.Contains(got, "omega") {
		t.Error(got)
	}
	sourcetest.Write(t, home, ".picoclaw/config.json", "{}")
	if got := seen(0); !strings.Contains(got, "alpha") {
		t.Error(got)
	}
}
