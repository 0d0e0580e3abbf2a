package opencode

import (
	"database/sql"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/drawn"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// tablesWithEvents are those of a version that notes what it writes.
const tablesWithEvents = `
CREATE TABLE session (id text PRIMARY KEY, title text NOT NULL, version text NOT NULL, directory text NOT NULL, revert text, time_created integer NOT NULL, time_updated integer NOT NULL);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, time_created integer NOT NULL, time_updated integer NOT NULL, data text NOT NULL);
CREATE TABLE event_sequence (aggregate_id text PRIMARY KEY, seq integer NOT NULL);
CREATE TABLE event (id text PRIMARY KEY, aggregate_id text NOT NULL, seq integer NOT NULL, type text NOT NULL, data text NOT NULL);
CREATE UNIQUE INDEX event_at ON event (aggregate_id, seq);
CREATE INDEX message_at ON message (session_id, time_created, id);
CREATE INDEX part_at ON part (message_id, id);
CREATE INDEX part_of ON part (session_id);
INSERT INTO session VALUES ('ses_2', 'T', '1.18.0', '/w', NULL, 1, 1);
INSERT INTO event_sequence VALUES ('ses_2', 0);
INSERT INTO event VALUES ('evt_0', 'ses_2', 0, 'session.created.1', '{}');`

// writer writes to a session as opencode does.
type writer struct {
	t    sourcetest.Failer
	path string
	db   *sql.DB
	// n is how many messages and parts were written, and events how many of those.
	n, events int
	// silent has it write without an event.
	silent bool
}

// written is a new database with a session.
func written(t sourcetest.Failer, home string) *writer {
	path := filepath.Join(home, ".local", "share", "opencode", "opencode.db")
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err != nil {
		t.Fatalf("%v", err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatalf("%v", err)
	}
	w := &writer{t: t, path: path, db: db}
	w.do("PRAGMA synchronous = off")
	w.do(tablesWithEvents)
	return w
}

func (w *writer) found() sources.Found {
	return sources.Found{Agent: "opencode", ID: "ses_2", Files: []string{w.path}}
}

func (w *writer) do(query string, args ...any) {
	if _, err := w.db.Exec(query, args...); err != nil {
		w.t.Fatalf("%s: %v", query, err)
	}
}

func (w *writer) event(kind, data string) {
	if w.silent {
		return
	}
	w.events++
	w.do("INSERT INTO event VALUES (?, 'ses_2', ?, ?, ?)", fmt.Sprintf("evt_%d", w.events), w.events, kind, data)
	w.do("UPDATE event_sequence SET seq = ?", w.events)
}

func (w *writer) message(id string, at int, data string) {
	w.do("INSERT INTO message VALUES (?, 'ses_2', ?, 1, ?) ON CONFLICT DO UPDATE SET data = excluded.data", id, at, data)
	w.event("message.updated.1", fmt.Sprintf(`{"info":{"id":%q}}`, id))
}

func (w *writer) part(id, message, data string) {
	w.do("INSERT INTO part VALUES (?, ?, 'ses_2', 1, 1, ?) ON CONFLICT DO UPDATE SET data = excluded.data", id, message, data)
	w.event("message.part.updated.1", fmt.Sprintf(`{"part":{"id":%q,"messageID":%q}}`, id, message))
}

func (w *writer) remove(message string) {
	w.do("DELETE FROM message WHERE id = ?", message)
	w.do("DELETE FROM part WHERE message_id = ?", message)
	w.event("message.removed.1", fmt.Sprintf(`{"messageID":%q}`, message))
}

func (w *writer) removePart(id, message string) {
	w.do("DELETE FROM part WHERE id = ?", id)
	w.event("message.part.removed.1", fmt.Sprintf(`{"messageID":%q,"partID":%q}`, message, id))
}

func (w *writer) revert(to string) {
	w.do("UPDATE session SET revert = nullif(?, '')", to)
	w.event("session.updated.1", "{}")
}

// rows are those of a table.
func (w *writer) rows(t *rapid.T, table, columns string) (all [][2]string) {
	rows, err := w.db.Query("SELECT " + columns + " FROM " + table + " ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var one [2]string
		if err := rows.Scan(&one[0], &one[1]); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

// somewhere draws a row, more often one of the last.
func somewhere(t *rapid.T, all [][2]string) (one [2]string, ok bool) {
	if len(all) == 0 {
		return one, false
	}
	return all[len(all)-1-rapid.IntRange(0, rapid.SampledFrom([]int{0, 1, len(all) - 1}).Draw(t, "far")).Draw(t, "row")%len(all)], true
}

func (w *writer) messages(t *rapid.T) [][2]string { return w.rows(t, "message", "id, id") }
func (w *writer) parts(t *rapid.T) [][2]string    { return w.rows(t, "part", "id, message_id") }

// drawnMessage is one of any kind, which may name others.
func (w *writer) drawnMessage(t *rapid.T) string {
	parent := ""
	if of, ok := somewhere(t, w.messages(t)); ok {
		parent = `,"parentID":"` + of[0] + `"`
	}
	return rapid.SampledFrom([]string{
		`{"role":"user","time":{"created":1}}`,
		`{"role":"user","time":{"created":1},"summary":{"diffs":[]}}`,
		`{"role":"assistant","modelID":"m","providerID":"p","time":{"created":5}` + parent + `}`,
		`{"role":"assistant","modelID":"m","providerID":"p","time":{"created":5,"completed":6},"finish":"stop","tokens":{"input":9,"output":1}` + parent + `}`,
		`{"role":"assistant","modelID":"m","providerID":"p","time":{"created":9,"completed":10},"finish":"stop","summary":true` + parent + `}`,
		`{"role":"assistant","modelID":"m","providerID":"p","time":{"created":9},"summary":true` + parent + `}`,
		`{"role":"assistant","modelID":"m","providerID":"p","time":{"created":9},"error":{"name":"MessageAbortedError"}` + parent + `}`,
	}).Draw(t, "message")
}

func (w *writer) drawnPart(t *rapid.T) string {
	tail := ""
	if from, ok := somewhere(t, w.messages(t)); ok && rapid.Bool().Draw(t, "tailed") {
		tail = `,"tail_start_id":"` + from[0] + `"`
	}
	return rapid.SampledFrom([]string{
		`{"type":"text","text":"say"}`, `{"type":"text","text":"say more"}`, `{"type":"text","text":"put in","synthetic":true}`,
		`{"type":"compaction","auto":true` + tail + `}`, `{"type":"step-start"}`, `{"type":"reasoning","text":"think"}`,
		`{"type":"tool","callID":"c","tool":"bash","state":{"status":"running","input":{}}}`,
		`{"type":"tool","callID":"c","tool":"bash","state":{"status":"completed","input":{},"output":"x","time":{"start":1,"end":2}}}`,
		`{"type":"tool","callID":"c","tool":"bash","state":{"status":"completed","input":{},"output":"x","time":{"start":1,"end":2,"compacted":7}}}`,
		`{"type":"step-finish","reason":"stop","tokens":{"input":3,"output":4}}`,
	}).Draw(t, "part")
}

// change writes something. What comes or goes is seen, too, if somebody else writes it, who notes nothing.
func (w *writer) change(t *rapid.T, silent bool) {
	message, some := somewhere(t, w.messages(t))
	part, parts := somewhere(t, w.parts(t))
	w.n++
	what := rapid.SampledFrom(strings.Fields("new new new new part part part part message again remove gone revert session")).Draw(t, "what")
	w.silent = silent && slices.Contains([]string{"new", "part", "remove", "gone"}, what)
	switch what {
	case "new":
		at := w.n
		if some && rapid.IntRange(0, 9).Draw(t, "earlier") == 0 {
			at = rapid.IntRange(0, w.n).Draw(t, "at")
		}
		w.message(fmt.Sprintf("msg_%03d", w.n), at, w.drawnMessage(t))
		w.part(fmt.Sprintf("prt_%03d", w.n), fmt.Sprintf("msg_%03d", w.n), w.drawnPart(t))
	case "part":
		if some {
			w.part(fmt.Sprintf("prt_%03d", w.n), message[0], w.drawnPart(t))
		}
	case "message":
		if some {
			w.message(message[0], 0, w.drawnMessage(t))
		}
	case "again":
		if parts {
			w.part(part[0], part[1], w.drawnPart(t))
		}
	case "remove":
		if some {
			w.remove(message[0])
		}
	case "gone":
		if parts {
			w.removePart(part[0], part[1])
		}
	case "revert":
		to := ""
		if some && rapid.Bool().Draw(t, "back") {
			to = fmt.Sprintf(`{"messageID":%q}`, message[0])
			if parts && rapid.Bool().Draw(t, "within") {
				to = fmt.Sprintf(`{"messageID":%q,"partID":%q}`, part[1], part[0])
			}
		}
		w.revert(to)
	case "session":
		w.event("session.updated.1", "{}")
	}
}

// TestFollowedRows: whatever is written to a session, what is read of it on and on is what is read of all of it.
func TestFollowedRows(t *testing.T) {
	env, n, went := sourcetest.Env(t, t.TempDir()), 0, 0
	drawn.Few(t, func(t *rapid.T) {
		n++
		env := env
		env.Home = filepath.Join(env.Home, fmt.Sprint(n))
		w := written(t, env.Home)
		defer w.db.Close()
		session := sourcetest.NewGrowing(t, Source{}, env, w.found())
		for range rapid.IntRange(1, 12).Draw(t, "looks") {
			silent := rapid.IntRange(-9, 3).Draw(t, "silent")
			for i := range rapid.IntRange(0, 3).Draw(t, "changes") {
				w.change(t, i == silent)
			}
			session.Look(func() string { return fmt.Sprint(w.messages(t), w.parts(t)) })
		}
		went += session.Went
	})
	if went == 0 {
		t.Error("no reading went on")
	}
}

// TestOneCameEarlierForOneThatWent: as many messages as before tell nothing where somebody else took one away, and noted nothing.
func TestOneCameEarlierForOneThatWent(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	w := written(t, env.Home)
	defer w.db.Close()
	say := func(n, at int) {
		w.message(fmt.Sprintf("msg_%d", n), at, `{"role":"user","time":{"created":1}}`)
		w.part(fmt.Sprintf("prt_%d", n), fmt.Sprintf("msg_%d", n), fmt.Sprintf(`{"type":"text","text":"say %d"}`, n))
	}
	for n := range 5 {
		say(n, n+10)
	}
	session := sourcetest.NewGrowing(t, Source{}, env, w.found())
	session.Look(func() string { return "at the beginning" })
	w.silent = true
	w.remove("msg_1")
	w.silent = false
	say(9, 1)
	session.Look(func() string { return "one came, one went" })
}

// TestRowsThatNobodyNotes: where the last message was written by a version that notes nothing, there is nothing to go on from.
func TestRowsThatNobodyNotes(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	w := written(t, env.Home)
	defer w.db.Close()
	for n, noted := range []bool{true, true, false} {
		w.silent = !noted
		w.message(fmt.Sprintf("msg_%d", n), n, `{"role":"user","time":{"created":1}}`)
		w.part(fmt.Sprintf("prt_%d", n), fmt.Sprintf("msg_%d", n), `{"type":"text","text":"say"}`)
		log := sources.NewLog("opencode", "ses_2", io.Discard, nil)
		reading, err := Source{}.Follow(t.Context(), env, w.found(), log)
		if err != nil || (reading != nil) != noted || log.Next() != int64(n)+2 {
			t.Errorf("message %d: %v, %v, %d", n, reading, err, log.Next())
		}
	}
}
