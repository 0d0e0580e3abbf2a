//go:build !race

package all

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/heaptest"
	"palimpsest/backend/many"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/claudecode"
	"palimpsest/backend/sources/codex"
	"palimpsest/backend/sources/crabtalk"
	"palimpsest/backend/sources/gemini"
	"palimpsest/backend/sources/openclaw"
	"palimpsest/backend/sources/opencode"
	"palimpsest/backend/sources/pi"
	"palimpsest/backend/sources/picoclaw"
	"palimpsest/backend/sources/sourcetest"
)

// growing are sessions of any length that hold all that makes a reader remember something, by how so many lines of one are written.
var growing = map[string]struct {
	source sources.Source
	write  func(t *testing.T, home string, lines int)
}{
	"claudecode": {claudecode.Source{}, linesIn(".claude/projects/-w/"+session+".jsonl", "", claudeLine)},
	"codex": {codex.Source{}, linesIn(
		".codex/sessions/2026/01/02/rollout-2026-01-02T10-00-00-"+session+".jsonl",
		`{"timestamp":"2026-01-02T10:00:00Z","type":"session_meta","payload":{"id":"`+session+`","cwd":"/w"}}`, codexLine,
	)},
	"codex without compactions": {codex.Source{}, linesIn(long["codex"].path, long["codex"].head, long["codex"].line)},
	"crabtalk":                  {crabtalk.Source{}, linesIn(long["crabtalk"].path, long["crabtalk"].head, crabLine)},
	"gemini":                    {gemini.Source{}, linesIn(long["gemini"].path, long["gemini"].head, geminiLine)},
	"gemini in an object": {gemini.Source{}, listIn(
		".gemini/tmp/p/chats/session-2026-01-02T10-00-"+session[:8]+".json",
		`{"sessionId":"`+session+`","projectHash":"p","startTime":"2026-01-02T10:00:00Z","messages":[`, "]}",
		func(i int) string {
			return fmt.Sprintf(`{"id":"%s","timestamp":"2026-01-02T10:00:00Z","type":"user","content":"go on"}`, uuid(i))
		},
	)},
	"gemini, saved": {gemini.Source{}, listIn(".gemini/tmp/p/checkpoint-a.json", `{"history":[`, "]}", func(i int) string {
		return fmt.Sprintf(`{"role":"user","parts":[{"text":"go on %d"}]}`, i)
	})},
	"openclaw": {openclaw.Source{}, linesIn(long["openclaw"].path, long["openclaw"].head, branchedLine)},
	"openclaw in a database": {openclaw.Source{}, func(t *testing.T, home string, lines int) {
		tables := stores["openclaw"]
		closed(t, in(t, home, tables.place), tables.tables, `CREATE UNIQUE INDEX of_session ON transcript_events (session_id, seq)`,
			`INSERT INTO session_windows VALUES ('s1', 'k', 1767348000000, 1767348060000, 'm')`,
			`INSERT INTO transcript_events VALUES ('s1', -1, '{"type":"session","version":3,"id":"s1","cwd":"/w"}', NULL)`,
			counted(lines/2, `INSERT INTO transcript_events SELECT 's1', i, '{"id":"a' || i || '","parentId":"a' || (i - 1) || '","type":"message","message":{"role":"user","content":"go on"}}', NULL FROM n`))
	}},
	"opencode": {opencode.Source{}, func(t *testing.T, home string, lines int) {
		const storage = ".local/share/opencode/storage/"
		sourcetest.Write(t, home, storage+"session/p/ses_1.json", `{"id":"ses_1","version":"1.1.0","projectID":"p","directory":"/w","title":"T","time":{"created":1,"updated":2}}`)
		for i := range lines / 10 { // of which each is three files
			message := fmt.Sprintf("msg_%08d", i)
			sourcetest.Write(t, home, storage+"message/ses_1/"+message+".json", fmt.Sprintf(`{"id":"%s","sessionID":"ses_1","role":"user","time":{"created":%d}}`, message, i))
			sourcetest.Write(t, home, fmt.Sprintf("%spart/%s/prt_%08d.json", storage, message, i), fmt.Sprintf(`{"id":"prt_%08d","type":"text","text":"go on"}`, i))
		}
	}},
	"opencode in a database": {opencode.Source{}, func(t *testing.T, home string, lines int) {
		tables := stores["opencode"]
		closed(t, in(t, home, tables.place), tables.tables,
			`CREATE UNIQUE INDEX named ON message (id)`, `CREATE INDEX of_session ON message (session_id, time_created, id)`, `CREATE INDEX of_message ON part (message_id, id)`,
			`INSERT INTO session VALUES ('s1', 'T', '1.2.0', '/w', 1767348000000, 1767348060000)`,
			counted(lines, `INSERT INTO message SELECT printf('m%08d', i), 's1', i, CASE i % 2 WHEN 0 THEN '{"role":"user","time":{"created":1}}'
ELSE '{"role":"assistant","modelID":"m","providerID":"p","time":{"created":1,"completed":2},"tokens":{"input":1,"output":1,"reasoning":0,"cache":{"read":0,"write":0}}}' END FROM n`),
			counted(lines, `INSERT INTO part SELECT printf('p%08d', i), printf('m%08d', i), 's1', CASE i % 2 WHEN 0 THEN '{"type":"text","text":"go on"}'
ELSE '{"type":"tool","callID":"c' || i || '","tool":"bash","state":{"status":"completed","input":{},"output":"x","time":{"start":1,"end":2}}}' END FROM n`))
	}},
	"pi":       {pi.Source{}, linesIn(long["pi"].path, long["pi"].head, branchedLine)},
	"picoclaw": {picoclaw.Source{}, linesIn(long["picoclaw"].path, "", long["picoclaw"].line)},
	"picoclaw with a database": {picoclaw.Source{}, func(t *testing.T, home string, lines int) {
		const sessions = ".picoclaw/workspace/sessions/"
		sourcetest.Write(t, home, ".picoclaw/config.json", `{"agents":{"defaults":{"context_manager":"seahorse"}}}`)
		sourcetest.Write(t, home, sessions+"sk_v1_aa.meta.json", `{"key":"sk_v1_aa","summary":"","skip":0}`)
		writeLong(t, filepath.Join(home, filepath.FromSlash(sessions+"sk_v1_aa.jsonl")), "", lines, func(i int) string {
			return fmt.Sprintf(`{"role":"user","content":"go on %d"}`, i)
		})
		closed(t, in(t, home, sessions+"seahorse.db"),
			`CREATE TABLE conversations (conversation_id INTEGER PRIMARY KEY, session_key TEXT); INSERT INTO conversations VALUES (7, 'sk_v1_aa')`,
			`CREATE TABLE messages (message_id INTEGER PRIMARY KEY, conversation_id INTEGER, role TEXT, content TEXT, created_at TEXT)`,
			`CREATE TABLE message_parts (part_id INTEGER PRIMARY KEY, message_id INTEGER, type TEXT, text TEXT, name TEXT, arguments TEXT, tool_call_id TEXT, media_uri TEXT, ordinal INTEGER)`,
			`CREATE TABLE summaries (summary_id TEXT PRIMARY KEY, conversation_id INTEGER, kind TEXT, content TEXT, created_at TEXT); INSERT INTO summaries VALUES ('sum_1', 7, 'leaf', 'S', '2026-01-02 10:00:00')`,
			`CREATE TABLE summary_messages (summary_id TEXT, message_id INTEGER, ordinal INTEGER)`,
			`CREATE TABLE context_items (conversation_id INTEGER, ordinal INTEGER, item_type TEXT, summary_id TEXT, message_id INTEGER); INSERT INTO context_items VALUES (7, 0, 'summary', 'sum_1', NULL)`,
			counted(lines, `INSERT INTO messages SELECT i + 1, 7, 'user', 'go on ' || i, '2026-01-02 10:00:00' FROM n`),
			counted(lines, `INSERT INTO message_parts SELECT i + 1, i + 1, 'text', 'go on ' || i, '', '', '', NULL, 0 FROM n`),
			counted(lines/2, `INSERT INTO summary_messages SELECT 'sum_1', i + 1, i FROM n`),
			counted(lines/2, fmt.Sprintf(`INSERT INTO context_items SELECT 7, i + 1, 'message', NULL, i + %d FROM n`, lines/2+1)))
	}},
	"picoclaw in an object": {picoclaw.Source{}, listIn(
		".picoclaw/workspace/sessions/agent_main_main.json", `{"key":"agent:main:main","summary":"","created":"2026-01-02T10:00:00Z","updated":"2026-01-02T10:00:00Z","messages":[`, "]}",
		func(int) string { return `{"role":"user","content":"go on"}` },
	)},
}

func linesIn(path, head string, line func(i int) string) func(t *testing.T, home string, lines int) {
	return func(t *testing.T, home string, lines int) {
		writeLong(t, filepath.Join(home, filepath.FromSlash(path)), head, lines, line)
	}
}

// listIn writes one object with a list in it.
func listIn(path, head, tail string, item func(i int) string) func(t *testing.T, home string, items int) {
	return func(t *testing.T, home string, items int) {
		all := make([]string, items)
		for i := range all {
			all[i] = item(i)
		}
		sourcetest.Write(t, home, path, head+strings.Join(all, ",")+tail)
	}
}

// in is a place for a file below a home.
func in(t *testing.T, home, name string) string {
	t.Helper()
	path := filepath.Join(home, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// counted is a statement that makes so many rows.
func counted(rows int, insert string) string {
	return fmt.Sprintf("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d) ", rows-1) + insert
}

// TestMemoryDoesNotGrow: four times as many records take no more memory, of whatever agent they are and whatever they are like. What is
// remembered of each is beside memory, but for its newest part, which is small here.
func TestMemoryDoesNotGrow(t *testing.T) {
	const few, all, most = 2000, 4 * 2000, 96 << 10
	many.TestOnlyLittle(t)
	for name := range growing {
		t.Run(name, func(t *testing.T) {
			heldFor(t, name, few/8) // what is made once
			less, more := heldFor(t, name, few), heldFor(t, name, all)
			if more > less+most {
				t.Errorf("%d bytes are held, and of a fourth of it %d: %.1f for each line more", more, less, float64(more-less)/(all-few))
			}
		})
	}
}

// heldFor is the most that is held while a session is found and read.
func heldFor(t *testing.T, name string, lines int) int64 {
	t.Helper()
	session, home := growing[name], t.TempDir()
	session.write(t, home, lines)
	env := sourcetest.Env(t, home)
	m := peaks{before: heaptest.InUse(), every: lines / 8}
	found := sourcetest.Only(t, sourcetest.Find(t, session.source, env))
	log := sources.NewLog(session.source.Agent(), found.ID, &m, func([]byte) (string, error) { return "", nil })
	if err := session.source.Read(context.Background(), env, found, log); err != nil || log.Damaged() > 0 {
		t.Fatal(err, log.Damaged())
	}
	if m.records < lines/10 {
		t.Fatalf("%d records were read of %d lines", m.records, lines)
	}
	return m.most
}

// peaks looks at how much is held now and then while a log is written.
type peaks struct {
	before, most   int64
	records, every int
}

func (p *peaks) Write(line []byte) (int, error) {
	if p.records%p.every == 1 {
		p.most = max(p.most, heaptest.InUse()-p.before)
	}
	p.records++
	return len(line), nil
}
