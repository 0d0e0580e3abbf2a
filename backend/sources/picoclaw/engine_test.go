package picoclaw

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

const (
	switchedOn = `{"agents":{"defaults":{"context_manager":"seahorse"}}}`
	schema     = `
CREATE TABLE conversations (conversation_id INTEGER PRIMARY KEY AUTOINCREMENT, session_key TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL DEFAULT (datetime('now')));
CREATE TABLE messages (message_id INTEGER PRIMARY KEY AUTOINCREMENT, conversation_id INTEGER NOT NULL REFERENCES conversations(conversation_id), role TEXT NOT NULL,
	content TEXT NOT NULL DEFAULT '', model_name TEXT, reasoning_content TEXT, token_count INTEGER NOT NULL DEFAULT 0, created_at TEXT NOT NULL);
CREATE TABLE message_parts (part_id INTEGER PRIMARY KEY AUTOINCREMENT, message_id INTEGER NOT NULL REFERENCES messages(message_id), type TEXT NOT NULL, text TEXT, name TEXT,
	arguments TEXT, tool_call_id TEXT, media_uri TEXT, mime_type TEXT, ordinal INTEGER NOT NULL DEFAULT 0);
CREATE TABLE summaries (summary_id TEXT PRIMARY KEY, conversation_id INTEGER NOT NULL REFERENCES conversations(conversation_id), kind TEXT NOT NULL, depth INTEGER NOT NULL DEFAULT 0,
	content TEXT NOT NULL, token_count INTEGER NOT NULL DEFAULT 0, earliest_at TEXT, latest_at TEXT, descendant_count INTEGER NOT NULL DEFAULT 0,
	source_message_token_count INTEGER NOT NULL DEFAULT 0, model TEXT, created_at TEXT NOT NULL);
CREATE TABLE summary_parents (summary_id TEXT NOT NULL, parent_summary_id TEXT NOT NULL, PRIMARY KEY (summary_id, parent_summary_id));
CREATE TABLE summary_messages (summary_id TEXT NOT NULL, message_id INTEGER NOT NULL, ordinal INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (summary_id, message_id));
CREATE TABLE context_items (conversation_id INTEGER NOT NULL, ordinal INTEGER NOT NULL, item_type TEXT NOT NULL, summary_id TEXT, message_id INTEGER, PRIMARY KEY (conversation_id, ordinal));`
)

// engine does to a database and a file what PicoClaw does to them, and stays open as it does.
type engine struct {
	t     testing.TB
	home  string
	db    *sql.DB
	lines []string
	now   int
	made  int
}

func newEngine(t testing.TB) *engine {
	t.Helper()
	home := sourcetest.Home(t, map[string]string{".picoclaw/config.json": switchedOn, dir + "sk_v1_aa.meta.json": meta1(`"skip":0`)})
	db, err := sql.Open("sqlite", filepath.Join(home, filepath.FromSlash(dir), seahorse)+"?_pragma=journal_mode(wal)&_pragma=synchronous(off)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	e := &engine{t: t, home: home, db: db}
	e.do(schema)
	e.begin()
	return e
}

// begin forgets all, but for a conversation of another session.
func (e *engine) begin() {
	for _, table := range []string{"conversations", "messages", "message_parts", "summaries", "summary_parents", "summary_messages", "context_items"} {
		e.do("DELETE FROM " + table)
	}
	e.do("INSERT INTO conversations VALUES (1, 'other', '2026-01-02 10:00:00'), (7, 'sk_v1_aa', '2026-01-02 10:00:00')")
	e.do("INSERT INTO messages VALUES (1, 1, 'user', 'of another', NULL, NULL, 1, '2026-01-02 10:00:00')")
	e.do("INSERT INTO context_items VALUES (1, 100, 'message', NULL, 1)")
	e.lines, e.now, e.made = nil, 0, 0
}

func (e *engine) do(query string, args ...any) {
	e.t.Helper()
	if _, err := e.db.Exec(query, args...); err != nil {
		e.t.Fatalf("%s: %v", query, err)
	}
}

func (e *engine) at() string {
	e.now++
	return fmt.Sprintf("2026-01-02 %02d:%02d:%02d", 10+e.now/3600, e.now/60%60, e.now%60)
}

// save appends a message to the file, and ingest to the database.
func (e *engine) save(message map[string]any) {
	text, err := json.Marshal(message)
	if err != nil {
		e.t.Fatal(err)
	}
	e.lines = append(e.lines, string(text))
}

func (e *engine) ingest(role, text string, parts ...string) {
	e.do("INSERT INTO messages (conversation_id, role, content, created_at) VALUES (7, ?, ?, ?)", role, text, e.at())
	for i, part := range parts {
		e.do("INSERT INTO message_parts (message_id, type, text, name, arguments, tool_call_id, media_uri, ordinal) SELECT max(message_id), "+part+", ? FROM messages", i)
	}
	e.do("INSERT INTO context_items SELECT 7, coalesce(max(ordinal), 0) + 100, 'message', NULL, (SELECT max(message_id) FROM messages) FROM context_items WHERE conversation_id = 7")
}

func (e *engine) say(role, text string) {
	e.save(map[string]any{"role": role, "content": text})
	e.ingest(role, text)
}

// summarize puts a summary in the place of what stands from one place in the context up to another, or behind all.
func (e *engine) summarize(from, to int, text string, behind ...bool) {
	items := e.items()[from:to]
	e.made++
	id, kind, depth := fmt.Sprintf("sum_%d", e.made), "leaf", 0
	if items[0].summary != "" {
		kind, depth = "condensed", 1
	}
	e.do("INSERT INTO summaries VALUES (?, 7, ?, ?, ?, 5, '2026-01-02T10:00:00Z', NULL, ?, 90, NULL, ?)", id, kind, depth, text, depth*len(items), e.at())
	for i, item := range items {
		if item.summary != "" {
			e.do("INSERT INTO summary_parents VALUES (?, ?)", id, item.summary)
		} else {
			e.do("INSERT INTO summary_messages VALUES (?, ?, ?)", id, item.message, i)
		}
		e.do("DELETE FROM context_items WHERE conversation_id = 7 AND ordinal = ?", item.ordinal)
	}
	place := (items[0].ordinal + items[len(items)-1].ordinal) / 2
	if len(behind) > 0 && behind[0] {
		place = 1<<20 + e.made
	}
	e.do("INSERT INTO context_items VALUES (7, ?, 'summary', ?, NULL)", place, id)
}

type item struct {
	ordinal, message int
	summary          string
}

func (e *engine) items() (all []item) {
	rows, err := e.db.Query("SELECT ordinal, coalesce(message_id, 0), coalesce(summary_id, '') FROM context_items WHERE conversation_id = 7 ORDER BY ordinal")
	if err != nil {
		e.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var i item
		if err := rows.Scan(&i.ordinal, &i.message, &i.summary); err != nil {
			e.t.Fatal(err)
		}
		all = append(all, i)
	}
	if rows.Err() != nil {
		e.t.Fatal(rows.Err())
	}
	return all
}

// said are the messages of the database as [engine.say] puts them into the file.
func (e *engine) said() (all []string) {
	rows, err := e.db.Query(`SELECT json_object('content', content, 'role', role) FROM messages WHERE conversation_id = 7 ORDER BY message_id`)
	if err != nil {
		e.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			e.t.Fatal(err)
		}
		all = append(all, line)
	}
	if rows.Err() != nil {
		e.t.Fatal(rows.Err())
	}
	return all
}

// assembled is what PicoClaw would give to its model: the summaries, as a part of its system prompt, and messages.
func (e *engine) assembled() (all []string) {
	var summaries, messages []string
	depth, condensed := 0, 0
	for _, i := range e.items() {
		if i.summary == "" {
			var role, text string
			if err := e.db.QueryRow("SELECT role, content FROM messages WHERE message_id = ?", i.message).Scan(&role, &text); err != nil {
				e.t.Fatal(err)
			}
			messages = append(messages, role+": "+text)
			continue
		}
		var text, kind, parents string
		var level, count int
		err := e.db.QueryRow(`SELECT content, kind, depth, descendant_count, coalesce((SELECT group_concat('    <summary_ref id="' || parent_summary_id || '" />', char(10))
			FROM (SELECT * FROM summary_parents ORDER BY parent_summary_id) p WHERE p.summary_id = s.summary_id), '') FROM summaries s WHERE summary_id = ?`, i.summary).Scan(&text, &kind, &level, &count, &parents)
		if err != nil {
			e.t.Fatal(err)
		}
		if depth = max(depth, level); kind == "condensed" {
			condensed++
			parents = "<parents>\n" + parents + "\n  </parents>\n"
		}
		text = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;").Replace(text)
		summaries = append(summaries, fmt.Sprintf("<summary id=\"%s\" kind=\"%s\" depth=\"%d\" descendant_count=\"%d\" earliest_at=\"2026-01-02T10:00:00Z\">\n  <content>\n    %s\n  </content>\n%s</summary>",
			i.summary, kind, level, count, text, parents))
	}
	if len(summaries) > 0 {
		more := oneLevel
		if depth >= 2 || condensed >= 2 {
			more = manyLevels
		}
		all = append(all, "user: "+approximate.Before+strings.Join(append(summaries, more), "\n\n"))
	}
	return append(all, messages...)
}

// reading is that of the one session.
func (e *engine) reading() *sourcetest.Reading {
	e.t.Helper()
	sourcetest.Write(e.t, e.home, dir+"sk_v1_aa.jsonl", strings.Join(append(e.lines, ""), "\n"))
	env := sourcetest.Env(e.t, e.home)
	return sourcetest.Read(e.t, Source{}, env, sourcetest.Only(e.t, sourcetest.Find(e.t, Source{}, env)))
}

// view is [sourcetest.Reading.View] with texts as they are.
func view(t testing.TB, r *sourcetest.Reading) (all []string) {
	for _, m := range r.Context(t).Messages {
		all = append(all, string(m.Role)+": "+m.Content[0].Text)
	}
	return all
}
