package backend

import (
	"fmt"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/claudecode"
	"palimpsest/backend/sources/codex"
	"palimpsest/backend/sources/gemini"
	"palimpsest/backend/sources/openclaw"
	"palimpsest/backend/sources/pi"
	"palimpsest/backend/sources/sourcetest"
)

// longSession is a session of so many long messages, and what goes on with it.
type longSession struct {
	source   sources.Source
	id, path string
	head     string
	// line is a message, with its number, that of the one before, or none, and what it says.
	line func(n int, text string) string
}

func longSessions() []longSession {
	quoted := func(n int) string {
		if n < 0 {
			return "null"
		}
		return fmt.Sprintf(`"m%d"`, n)
	}
	return []longSession{
		{claudecode.Source{}, "claudecode:s1", ".claude/projects/-w/s1.jsonl", "", func(n int, text string) string {
			return fmt.Sprintf(`{"type":"user","uuid":"m%d","parentUuid":%s,"sessionId":"s1","timestamp":"2026-01-02T10:00:08.000Z","message":{"role":"user","content":%q}}`+"\n", n, quoted(n-1), text)
		}},
		{
			codex.Source{},
			"codex:019b0000-0000-7000-8000-000000000001",
			".codex/sessions/2026/01/02/rollout-2026-01-02T10-00-00-019b0000-0000-7000-8000-000000000001.jsonl",
			`{"timestamp":"2026-01-02T10:00:00.000Z","type":"session_meta","payload":{"id":"019b0000-0000-7000-8000-000000000001","timestamp":"2026-01-02T10:00:00.000Z","cwd":"/w"}}` + "\n",
			func(_ int, text string) string {
				return fmt.Sprintf(`{"timestamp":"2026-01-02T10:00:08.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":%q}]}}`+"\n", text)
			},
		},
		{pi.Source{}, "pi:s1", piPlace, piHead, func(n int, text string) string {
			return fmt.Sprintf(`{"type":"message","id":"m%d","parentId":%s,"timestamp":"2026-01-02T10:00:08.000Z","message":{"role":"user","content":%q}}`+"\n", n, quoted(n-1), text)
		}},
		{gemini.Source{}, "gemini:s1", geminiPlace, geminiHead, func(n int, text string) string {
			return fmt.Sprintf(`{"id":"m%d","timestamp":"2026-01-02T10:00:08.000Z","type":%q,"content":[{"text":%q}]}`+"\n", n, []string{"user", "gemini"}[n%2], text)
		}},
		{openclaw.Source{}, "openclaw:s1", ".openclaw/agents/main/sessions/s1.jsonl", `{"type":"session","version":3,"id":"s1","timestamp":"2026-01-02T10:00:00.000Z"}` + "\n", func(n int, text string) string {
			return fmt.Sprintf(`{"type":"message","id":"m%d","parentId":%s,"timestamp":"2026-01-02T10:00:08.000Z","message":{"role":"user","content":%q}}`+"\n", n, quoted(n-1), text)
		}},
	}
}

// TestWhatIsAppendedIsKnown: of sessions that are read on, all is known that would be if they had been read at once: by the program that has
// read them before, and by another one.
func TestWhatIsAppendedIsKnown(t *testing.T) {
	t.Parallel()
	const count = 700
	for _, one := range longSessions() {
		t.Run(one.source.Agent(), func(t *testing.T) {
			home, cache := t.TempDir(), t.TempDir()
			begin := func(cache string) *Backend {
				b := residing(t, home, t.TempDir(), cache)
				awaitIndex(t, b, "scanned", ready(1))
				b.indexing.scanner.Pause()
				return b
			}
			knows := func(b *Backend) string {
				t.Helper()
				all, err := b.digests(t.Context())
				newsMust(t, err)
				d := all[one.id]
				if d.Said.Len() < d.Messages || d.Messages < count {
					t.Errorf("%d names of %d messages", d.Said.Len(), d.Messages)
				}
				return string(d.Encode())
			}
			var text strings.Builder
			text.WriteString(one.head)
			for n := range count {
				text.WriteString(one.line(n, "short"))
			}
			path := sourcetest.Write(t, home, one.path, text.String())
			b := begin(cache)
			before := knows(b)
			for n := range 2 {
				add(t, path, one.line(count+n, "grown"))
				listing, err := b.indexing.stock.List(t.Context(), nil)
				newsMust(t, err)
				newsMust(t, b.indexing.stock.Read(t.Context(), listing.Items[0], func() error { return nil }))
			}
			now := knows(b)
			b.Close()
			if again, anew := knows(begin(cache)), knows(begin(t.TempDir())); now == before || now != anew || again != anew {
				t.Errorf("it knows\n%s\nanother program\n%s\nnot\n%s", now, again, anew)
			}
		})
	}
}
