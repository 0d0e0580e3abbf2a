package openclaw

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/tidwall/gjson"

	"palimpsest/backend/sources/sourcetest"
)

const (
	sessionsDir = ".openclaw/agents/main/sessions/"
	head        = `{"type":"session","version":3,"id":"s1","timestamp":"2026-01-02T10:00:00.000Z","cwd":"/w"}`
)

// text is a transcript: each line is the id of an entry, that of the one it follows (- for none), and its members.
func text(entries ...string) string {
	var b strings.Builder
	b.WriteString(head + "\n")
	for i, line := range entries {
		id, rest, _ := strings.Cut(line, " ")
		parent, rest, _ := strings.Cut(rest, " ")
		up := `,"parentId":"` + parent + `"`
		switch parent {
		case "-":
			up = `,"parentId":null`
		case "?":
			up = ""
		}
		fmt.Fprintf(&b, `{"id":%q%s,"timestamp":"2026-01-02T10:00:%02d.000Z",%s}`+"\n", id, up, i, rest)
	}
	return b.String()
}

func user(text string) string {
	return `"type":"message","message":{"role":"user","content":"` + text + `"}`
}

func said(text string) string {
	return `"type":"message","message":{"role":"assistant","provider":"p","model":"m","content":[{"type":"text","text":"` + text +
		`"}],"stopReason":"stop","usage":{"input":10,"output":2,"cacheRead":3,"cacheWrite":0,"cost":{"total":0.5}}}`
}

func stopped(text string) string { return strings.Replace(said(text), `"stop"`, `"aborted"`, 1) }

// ended is an answer that ended so, with blocks.
func ended(reason, blocks string) string {
	return `"type":"message","message":{"role":"assistant","provider":"p","model":"m","content":[` + blocks + `],"stopReason":"` + reason + `"}`
}

func compacted(summary, kept string) string {
	return `"type":"compaction","summary":"` + summary + `","firstKeptEntryId":"` + kept + `","tokensBefore":9,"tokensAfter":4,"details":{"readFiles":["a"],"modifiedFiles":[]}`
}

func reset(kept string) string {
	if kept == "" {
		return `"type":"reset","firstKeptEntryId":null`
	}
	return `"type":"reset","firstKeptEntryId":"` + kept + `"`
}

func leaf(target string) string {
	if target == "-" {
		return `"type":"leaf","targetId":null`
	}
	return `"type":"leaf","targetId":"` + target + `"`
}

func shown(role, text string) string {
	return `"type":"message","message":{"role":"` + role + `","content":"` + text + `","excludeFromContext":true}`
}

func mirror(model string) string {
	return `"type":"message","message":{"role":"assistant","provider":"openclaw","model":"` + model + `","content":[{"type":"text","text":"sent"}]}`
}

func calls(id string) string {
	return `"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"` + id + `"},{"type":"toolCall","id":"` + id + `","name":"exec","arguments":{}}]}`
}

func result(id string) string {
	return `"type":"message","message":{"role":"toolResult","toolCallId":"` + id + `","content":[{"type":"text","text":"` + id + `"}]}`
}

// packed is a text as a transcript that was compressed.
func packed(t testing.TB, plain string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(plain), nil))
}

const tablesOfADatabase = `
CREATE TABLE schema_meta (meta_key TEXT, app_version TEXT);
INSERT INTO schema_meta VALUES ('primary', '2026.9.6');
CREATE TABLE session_nodes (session_key TEXT PRIMARY KEY, current_session_id TEXT, entry_json TEXT, label TEXT, display_name TEXT, archived_at INTEGER, spawned_by TEXT);
CREATE TABLE session_windows (session_id TEXT PRIMARY KEY, session_key TEXT, previous_session_id TEXT, reason TEXT, created_at INTEGER, updated_at INTEGER, model TEXT);
CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, event_zstd BLOB, PRIMARY KEY (session_id, seq));
CREATE TABLE session_transcript_archives (session_id TEXT, archive_name TEXT, encoding TEXT, archive_blob BLOB, created_at INTEGER);
CREATE TABLE session_transcript_cold_archives (session_id TEXT, archive_name TEXT, archive_blob BLOB);
CREATE TABLE auth_profile_store (secret TEXT);`

// database makes one for the agent main, whose only session is this transcript; every second event is compressed.
func database(t testing.TB, home, events string, more ...string) string {
	t.Helper()
	path := filepath.Join(home, ".openclaw/agents/main/agent/openclaw-agent.sqlite")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}()
	do := func(query string, args ...any) {
		if _, err := db.Exec(query, args...); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
	do(tablesOfADatabase)
	do(`INSERT INTO session_windows VALUES ('s1', 'agent:main:main', 's0', 'reset', 1767348000000, 1767348060000, 'm')`)
	do(`INSERT INTO session_nodes VALUES ('agent:main:main', 's1', '{"sessionId":"s1","autoLabel":"From entry"}', NULL, 'Shown', NULL, NULL)`)
	for i, line := range strings.Split(strings.TrimSpace(events), "\n") {
		if i%2 == 0 {
			do("INSERT INTO transcript_events VALUES (?,?,?,NULL)", "s1", i, line)
		} else {
			do("INSERT INTO transcript_events VALUES (?,?,NULL,?)", "s1", i, []byte(packed(t, line)))
		}
	}
	for _, statement := range more {
		do(statement)
	}
	return path
}

// reading is that of one transcript in a file.
func reading(t *testing.T, events string) *sourcetest.Reading {
	t.Helper()
	home := sourcetest.Home(t, map[string]string{sessionsDir + "s1.jsonl": events})
	env := sourcetest.Env(t, home)
	r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
	if r.Err != nil || r.Damaged > 0 {
		t.Fatal(r.Err, r.Damaged)
	}
	return r
}

func index1(members string) string {
	return `{"agent:main:main":{"sessionId":"s1","sessionFile":"/elsewhere/then/s1.jsonl","updatedAt":1767348060000,` + gjson.Get(members, "@ugly").Raw[1:] + `}`
}
