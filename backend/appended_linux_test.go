package backend

import (
	"fmt"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/claudecode"
	"palimpsest/backend/sources/codex"
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
		{openclaw.Source{}, "openclaw:s1", ".openclaw/agents/main/sessions/s1.jsonl", `{"type":"session","version":3,"id":"s1","timestamp":"2026-01-02T10:00:00.000Z"}` + "\n", func(n int, text string) string {
			return fmt.Sprintf(`{"type":"message","id":"m%d","parentId":%s,"timestamp":"2026-01-02T10:00:08.000Z","message":{"role":"user","content":%q}}`+"\n", n, quoted(n-1), text)
		}},
	}
}

// TestAnAppendTakesWhatIsNew: what is read and written for a line that is appended to a session that is looked at, of its files, of what was read
// of them, and of the index, is no more for a long one than for a short one: be it long of what is said, or of how often something is.
func TestAnAppendTakesWhatIsNew(t *testing.T) {
	if trafficNow() == (traffic{}) {
		t.Skip("nobody counts what is read here")
	}
	for _, one := range longSessions() {
		for _, of := range []struct {
			name      string
			few, many int
			says      string
			little    int64
		}{
			{"long", 20, 120, strings.Repeat("long ", 16<<10/5), 64 << 10},
			{"short", 4000, 8000, "short", 16 << 10},
		} {
			t.Run(one.source.Agent()+", "+of.name+" messages", func(t *testing.T) {
				few, many := one.takes(t, of.few, of.says), one.takes(t, of.many, of.says)
				if many.read-few.read > of.little {
					t.Errorf("of many %d bytes are read, and of few %d", many.read, few.read)
				}
				if many.written-few.written > of.little {
					t.Errorf("for many %d bytes are written, and for few %d", many.written, few.written)
				}
			})
		}
	}
}

// takes is what is read and written for the third line that is appended to so many.
func (s longSession) takes(t *testing.T, count int, says string) (took traffic) {
	t.Helper()
	home := t.TempDir()
	var text strings.Builder
	text.WriteString(s.head)
	for n := range count {
		text.WriteString(s.line(n, says))
	}
	path := sourcetest.Write(t, home, s.path, text.String())
	b := staying(t, home, s.source)
	awaitIndex(t, b, "scanned", ready(1))
	b.indexing.scanner.Pause()
	for n := range 3 {
		before, err := b.Page(s.id, PageOptions{Limit: 1})
		newsMust(t, err)
		add(t, path, s.line(count+n, "grown"))
		began := trafficNow()
		_, err = b.library.List(t.Context())
		newsMust(t, err)
		page, err := b.Page(s.id, PageOptions{Position: before.Total, Limit: 1})
		newsMust(t, err)
		listing, err := b.indexing.stock.List(t.Context())
		newsMust(t, err)
		newsMust(t, b.indexing.stock.Read(t.Context(), listing.Items[0], func() error { return nil }))
		if took = trafficNow().since(began); page.Total != before.Total+1 {
			t.Errorf("%d records, and %d before", page.Total, before.Total)
		}
	}
	if n := hits(t, b, "grown"); n != 3 {
		t.Errorf("%d lines are in the index", n)
	}
	return took
}

// TestWhatIsAppendedIsKnown: of sessions that are read on, all is known that would be if they had been read at once: by the program that has
// read them before, and by another one.
func TestWhatIsAppendedIsKnown(t *testing.T) {
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
				listing, err := b.indexing.stock.List(t.Context())
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
