package openclaw

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// rewritten is the table that marks what is rewritten.
const rewritten = `CREATE TABLE transcript_rewrite_watermarks (session_id TEXT NOT NULL PRIMARY KEY, generation TEXT NOT NULL, updated_at INTEGER NOT NULL)`

// rowWriter writes to the session s1 as OpenClaw does.
type rowWriter struct {
	t  sourcetest.Failer
	db *sql.DB
	// seqs are those of its events, and n is how many things were written.
	seqs []int
	n    int
}

func (w *rowWriter) do(query string, args ...any) {
	if _, err := w.db.Exec(query, args...); err != nil {
		w.t.Fatalf("%s: %v", query, err)
	}
}

func (w *rowWriter) next() int {
	if len(w.seqs) == 0 {
		return 0
	}
	return w.seqs[len(w.seqs)-1] + 1
}

func (w *rowWriter) add(event string) {
	seq := w.next()
	w.seqs = append(w.seqs, seq)
	w.do("INSERT INTO transcript_events VALUES ('s1', ?, ?, NULL)", seq, event)
}

// rotates gives the session another name.
func (w *rowWriter) rotates() {
	w.n++
	w.do("INSERT INTO transcript_rewrite_watermarks VALUES ('s1', ?, 1) ON CONFLICT DO UPDATE SET generation = excluded.generation", fmt.Sprint(w.n))
}

// drawn is an event of any kind, which may name others.
func (w *rowWriter) drawn(t *rapid.T) string {
	w.n++
	other := fmt.Sprintf("e%d", rapid.IntRange(max(0, w.n-4), w.n-1).Draw(t, "other"))
	entry := rapid.SampledFrom([]string{
		user("ask " + fmt.Sprint(w.n)), user("ask"), said("say " + fmt.Sprint(w.n)), calls("c1"), result("c1"), stopped("half"), said("NO_REPLY"),
		user("[OpenClaw heartbeat poll]"), said("HEARTBEAT_OK"), compacted("sum", other), reset(other), reset(""), leaf(other), leaf("-"), shown("user", "seen"),
		`"type":"model_change","provider":"p","modelId":"m1"`, `"type":"mystery"`, `"type":"label","targetId":"` + other + `","label":"here"`, `"type":"branch_summary","summary":"s"`,
		strings.Replace(said("say"), `"content":[`, `"api":"anthropic-messages","content":[{"type":"thinking","thinking":"hm","thinkingSignature":"x"},`, 1),
	}).Draw(t, "event")
	parent := rapid.SampledFrom([]string{fmt.Sprintf(`"parentId":"e%d",`, w.n-1), fmt.Sprintf(`"parentId":"e%d",`, w.n-1), `"parentId":"` + other + `",`, "", `"appendMode":"side","parentId":"` + other + `",`}).Draw(t, "parent")
	return fmt.Sprintf(`{"id":"e%d",%s"timestamp":"2026-01-02T10:00:00.000Z",%s}`, w.n, parent, entry)
}

// change writes something. What comes or goes is seen, too, if it is not marked.
func (w *rowWriter) change(t *rapid.T) {
	some := func() (i int) { return rapid.IntRange(0, len(w.seqs)-1).Draw(t, "which") }
	what := rapid.SampledFrom(strings.Fields("add add add add add add rewrite suffix gone silent")).Draw(t, "what")
	if len(w.seqs) == 0 {
		what = "add"
	}
	switch what {
	case "add":
		w.add(w.drawn(t))
	case "rewrite":
		w.do("UPDATE transcript_events SET event_json = ? WHERE seq = ? AND session_id = 's1'", w.drawn(t), w.seqs[some()])
		w.rotates()
	case "suffix":
		from := some()
		w.do("DELETE FROM transcript_events WHERE seq >= ? AND session_id = 's1'", w.seqs[from])
		w.seqs = w.seqs[:from]
		w.add(w.drawn(t))
		w.rotates()
	case "gone", "silent":
		i := some()
		w.do("DELETE FROM transcript_events WHERE seq = ? AND session_id = 's1'", w.seqs[i])
		w.seqs = append(w.seqs[:i:i], w.seqs[i+1:]...)
		if what == "gone" {
			w.rotates()
		}
	}
}

// writtenTo is the database of a home with an empty session, to be written to.
func writtenTo(t testing.TB, f sourcetest.Failer, home string) *rowWriter {
	path := database(t, home, head, rewritten)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	w := &rowWriter{t: f, db: db, seqs: []int{0}}
	w.do("PRAGMA synchronous = off")
	w.rotates()
	return w
}

func rowsFound(home string) sources.Found {
	return sources.Found{Agent: "openclaw", ID: "s1", Files: []string{filepath.Join(home, ".openclaw/agents/main/agent/openclaw-agent.sqlite")}}
}

// TestFollowedRows: whatever is written to a session in a database, what is read of it on and on is what is read of all of it.
func TestFollowedRows(t *testing.T) {
	env, n, went := sourcetest.Env(t, t.TempDir()), 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		env := env
		env.Home = filepath.Join(env.Home, fmt.Sprint(n))
		w := writtenTo(t, rt, env.Home)
		defer w.db.Close()
		session := sourcetest.NewGrowing(rt, Source{}, env, rowsFound(env.Home))
		for range rapid.IntRange(1, 10).Draw(rt, "looks") {
			for range rapid.IntRange(0, 3).Draw(rt, "changes") {
				w.change(rt)
			}
			session.Look(func() string { return fmt.Sprint(w.seqs) })
		}
		went += session.Went
	})
	if went == 0 {
		t.Error("no reading went on")
	}
	t.Log(went)
}

// TestAddedRowsAreReadOn, also one by one; and a session that has no mark is read anew.
func TestAddedRowsAreReadOn(t *testing.T) {
	home := t.TempDir()
	env := sourcetest.Env(t, home)
	w := writtenTo(t, t, home)
	session := sourcetest.NewGrowing(t, Source{}, env, rowsFound(home))
	const turns, on = 5, 2*5 - 2 // not the first row of all, nor the first answer, which says what model the session goes on with
	for n := range turns {
		parent := "null"
		if n > 0 {
			parent = fmt.Sprintf(`"a%d"`, n-1)
		}
		for _, event := range []string{
			fmt.Sprintf(`{"id":"u%d","parentId":%s,"timestamp":"2026-01-02T10:00:00.000Z",%s}`, n, parent, user("ask")),
			fmt.Sprintf(`{"id":"a%d","parentId":"u%d","timestamp":"2026-01-02T10:00:00.000Z",%s}`, n, n, strings.Replace(said("say"), `"provider":"p","model":"m"`, `"api":"anthropic-messages","provider":"anthropic","model":"claude-opus-4-5"`, 1)),
		} {
			w.add(event)
			session.Look(func() string { return event })
		}
	}
	if session.Went != on {
		t.Errorf("it went on %d times", session.Went)
	}
	w.do("DELETE FROM transcript_rewrite_watermarks")
	w.add(`{"id":"u","parentId":"a1",` + user("ask") + "}")
	for range 2 {
		session.Look(func() string { return "without a mark" })
	}
	if session.Went != on {
		t.Error("a session without a mark was read on")
	}
}
