package picoclaw

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"palimpsest/backend/sources/sourcetest"
	"palimpsest/backend/sources/sqlite"
)

// TestSeahorse: where the settings say so, the model sees what a database says, and each summary of it is a compaction.
func TestSeahorse(t *testing.T) {
	e := newEngine(t)
	for i := range 6 {
		e.say("user", fmt.Sprint("m", i))
	}
	e.summarize(0, 2, `It's <b> & "so".`)
	e.say("assistant", "m6")
	e.summarize(1, 3, "later")
	e.summarize(0, 2, "both")
	e.say("user", "m7")
	r := e.reading()
	if got, want := view(t, r), e.assembled(); r.Err != nil || r.Damaged > 0 || !slices.Equal(got, want) {
		t.Errorf("%v\ngot  %q\nwant %q\n%s", r.Err, got, want, r.Story())
	}
	if got := strings.Count(r.Story(), " compaction "); got != 3 || strings.Count(r.Story(), "message") != 8 {
		t.Error(r.Story())
	}
	if !strings.Contains(string(r.Log), `"tokensBefore":90,"tokensAfter":5`) {
		t.Errorf("%s", r.Log)
	}
	for _, config := range []string{`{"agents":{"defaults":{"context_manager":""}}}`, `{}`} { // switched off again
		sourcetest.Write(t, e.home, ".picoclaw/config.json", config)
		if got := len(e.reading().Context(t).Messages); got != 8 {
			t.Errorf("%s: %d", config, got)
		}
	}
	if err := os.Remove(filepath.Join(e.home, ".picoclaw", "config.json")); err != nil {
		t.Fatal(err)
	}
	if got := view(t, e.reading()); !slices.Equal(got, e.assembled()) {
		t.Errorf("without settings: %q", got)
	}
}

// TestSummaryInTheSameSecond: times of a database are whole seconds. What ends a turn was there when its summary was made, what begins the next
// was not.
func TestSummaryInTheSameSecond(t *testing.T) {
	e := newEngine(t)
	for i := range 4 {
		e.say("user", fmt.Sprint("m", i))
	}
	e.say("assistant", "ends")
	e.now-- // the next is of the same second
	e.summarize(0, 2, "S")
	e.now--
	e.say("user", "begins")
	e.say("assistant", "after")
	const want = `message assistant: ends
6 compaction from 3 unknown: S
7 message user: begins
8 message assistant: after
`
	if r := e.reading(); !strings.HasSuffix(r.Story(), want) || !slices.Equal(view(t, r), e.assembled()) {
		t.Error(r.Story())
	}
}

// TestSeahorseCalls: of a message that only the database has, calls and results are put together from its parts; one with calls is the
// one of the file, though early versions kept no text of it.
func TestSeahorseCalls(t *testing.T) {
	e := newEngine(t)
	e.say("user", "go")
	e.save(map[string]any{"role": "assistant", "content": "look", "tool_calls": []any{map[string]any{"id": "c1", "function": map[string]any{"name": "ls", "arguments": "{}"}}}})
	e.ingest("assistant", "🔧 ls", "'tool_use', NULL, 'ls', '{}', 'c1', NULL")
	e.save(map[string]any{"role": "tool", "content": "x", "tool_call_id": "c1"})
	e.ingest("tool", "📋 x", "'tool_result', 'x', NULL, NULL, 'c1', NULL")
	e.ingest("assistant", "…", "'text', 'again', NULL, NULL, NULL, NULL", "'text', 'once', NULL, NULL, NULL, NULL", "'tool_use', NULL, 'cat', '{\"a\":1}', 'c2', NULL")
	e.do("UPDATE message_parts SET ordinal = 9 - ordinal WHERE type = 'text'")
	e.ingest("tool", "…", "'tool_result', 'y', NULL, NULL, 'c2', NULL")
	want := "user: go\nassistant: look ls#c1{}\ntoolResult: x\nassistant: once\\nagain cat#c2{\"a\":1}\ntoolResult: y\n"
	if r := e.reading(); r.Seen(t) != want {
		t.Errorf("%s\n%s", r.Seen(t), r.Story())
	}
}

// TestSeahorseAfterAnother: what a file says of a summary of before is not what the model sees any more.
func TestSeahorseAfterAnother(t *testing.T) {
	e := newEngine(t)
	sourcetest.Write(t, e.home, dir+"sk_v1_aa.meta.json", meta1(`"summary":"before","skip":1`))
	e.save(map[string]any{"role": "user", "content": "hidden"})
	e.say("user", "now")
	if r := e.reading(); !slices.Equal(view(t, r), e.assembled()) || !strings.Contains(r.Story(), "before") || !strings.Contains(r.Story(), "hidden") {
		t.Errorf("%q\n%s", view(t, r), r.Story())
	}
}

// TestSeahorseElsewhere: the database is in the workspace of the first agent, and may know a session by an earlier name.
func TestSeahorseElsewhere(t *testing.T) {
	e := newEngine(t)
	e.say("user", "a")
	e.say("user", "b")
	e.summarize(0, 1, "S")
	e.do("UPDATE conversations SET session_key = 'cli:demo' WHERE conversation_id = 7")
	sourcetest.Write(t, e.home, ".picoclaw/workspace-b/sessions/x.jsonl", strings.Join(append(e.lines, ""), "\n"))
	sourcetest.Write(t, e.home, ".picoclaw/workspace-b/sessions/x.meta.json", meta1(`"skip":0`))
	env := sourcetest.Env(t, e.home)
	r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
	if !slices.Equal(view(t, r), e.assembled()) {
		t.Errorf("%q", view(t, r))
	}
}

// TestSeahorseChanges: a session is another one to read once something else of it is in the context, though its file is the same. Nothing
// is written beside a database in use.
func TestSeahorseChanges(t *testing.T) {
	e := newEngine(t)
	e.say("user", "a")
	e.say("user", "b")
	e.reading()
	env := sourcetest.Env(t, e.home)
	find := func() (writes int64) {
		sourcetest.Unchanged(t, e.home, func() {
			f := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
			sourcetest.Read(t, Source{}, env, f)
			writes = f.Writes
		})
		return writes
	}
	before := find()
	if before == 0 || find() != before {
		t.Error(before)
	}
	t.Chdir(filepath.Join(e.home, filepath.FromSlash(dir)))
	if find() != before {
		t.Error("where the program was started is a change")
	}
	e.do("UPDATE conversations SET session_key = 'cli:demo' WHERE conversation_id = 7")
	if find() != before {
		t.Error("another name is another session")
	}
	e.summarize(0, 1, "S")
	if find() == before {
		t.Error("a summary is no change")
	}
	before = find()
	e.do("UPDATE conversations SET session_key = 'sk_v1_aa' WHERE conversation_id = 7")
	if err := os.Remove(filepath.Join(e.home, filepath.FromSlash(dir), "sk_v1_aa.meta.json")); err != nil {
		t.Fatal(err)
	}
	if find() != before {
		t.Error("what the session is called stands only beside it")
	}
}

// TestSeahorseChangesMeanwhile: what is in contexts may be asked for once more, and is what it is by then.
func TestSeahorseChangesMeanwhile(t *testing.T) {
	e := newEngine(t)
	e.say("user", "a")
	e.do("PRAGMA wal_checkpoint(truncate)")
	e.do("CREATE TABLE another (x)")
	env := sourcetest.Env(t, e.home)
	before := Source{}.changes(t.Context(), env)
	while := &meanwhile{Context: t.Context(), do: func() {
		e.say("user", "c")
		e.do("PRAGMA wal_checkpoint(passive)")
	}}
	got, want := Source{}.changes(while, env), Source{}.changes(t.Context(), env)
	if !maps.Equal(got, want) || maps.Equal(before, want) || want["other"] == 0 {
		t.Error(before, got, want)
	}
}

// meanwhile does something once, when a query that was made is being read.
type meanwhile struct {
	context.Context //nolint:containedctx // it is one
	do              func()
	once            sync.Once
}

func (m *meanwhile) Value(key any) any {
	m.once.Do(m.do)
	return m.Context.Value(key)
}

// TestSeahorseOfMany: to read a session takes no longer where the database has more of others.
func TestSeahorseOfMany(t *testing.T) {
	e := newEngine(t)
	e.say("user", "a")
	e.ingest("assistant", "…", "'text', 'b', NULL, NULL, NULL, NULL")
	e.reading()
	env := sourcetest.Env(t, e.home)
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	takes := func() float64 {
		s := Source{Databases: &sqlite.Cache{}}
		defer s.Databases.Close()
		return testing.AllocsPerRun(1, func() {
			if r := sourcetest.Read(t, s, env, found); r.Seen(t) != "user: a\nassistant: b\n" {
				t.Error(r.Seen(t))
			}
		})
	}
	age := func() { // what was written just now is copied each time
		for _, name := range []string{seahorse, seahorse + "-wal"} {
			if err := os.Chtimes(filepath.Join(e.home, filepath.FromSlash(dir), name), time.Time{}, time.Unix(1e9, 0)); err != nil {
				t.Fatal(err)
			}
		}
	}
	age()
	before := takes()
	e.do("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 2000) INSERT INTO message_parts (message_id, type, text) SELECT 1, 'text', 'of another' FROM n")
	age()
	if after := takes(); after > 2*before {
		t.Errorf("%v, before %v", after, before)
	}
}

// TestSeahorseHarmed: a database that can't be read is told of, and the file is read without it.
func TestSeahorseHarmed(t *testing.T) {
	e := newEngine(t)
	e.say("user", "a")
	e.summarize(0, 1, "S")
	e.reading()
	e.do("DROP TABLE summary_messages")
	e.do("CREATE VIEW summary_messages AS SELECT 1")
	if r := e.reading(); r.Err != nil || r.Damaged > 0 {
		t.Error(r.Err, r.Damaged)
	}
	e.do("PRAGMA wal_checkpoint(truncate)")
	sourcetest.SurvivesSome(t, Source{}, e.home, 12)
	if err := e.db.Close(); err != nil {
		t.Fatal(err)
	}
	sourcetest.Write(t, e.home, dir+seahorse, "no database")
	if r := e.reading(); r.Err != nil || r.Damaged != 1 || !strings.Contains(string(r.Log), "what the model sees of the session, can't be read") || r.Seen(t) != "user: a\n" {
		t.Errorf("%v %d\n%s", r.Err, r.Damaged, r.Log)
	}
}

// TestSeahorseKept: a copy has of the database what is of its session, and is read as the session was.
func TestSeahorseKept(t *testing.T) {
	e := newEngine(t)
	e.say("user", "a")
	e.save(map[string]any{"role": "tool", "content": "x", "tool_call_id": "c1"})
	e.ingest("tool", "📋 x", "'tool_result', 'x', NULL, NULL, 'c1', NULL")
	e.say("user", "b")
	e.summarize(0, 2, "S")
	e.summarize(0, 1, "T")
	before := e.reading()
	env := sourcetest.Env(t, e.home)
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	alone := sourcetest.Env(t, t.TempDir())
	for i, path := range append(found.Files, Source{}.Beside(t.Context(), env, found)...) {
		to := filepath.Join(t.TempDir(), "excerpt")
		if as, err := (Source{}).ExcerptBeside(t.Context(), env, found, path, to); err != nil || (as == path) != (i == 2) {
			t.Fatal(i, as, err)
		} else if as == "" {
			to = path
		}
		text, err := os.ReadFile(to)
		if err != nil || i == 2 && strings.Contains(string(text), "of another") {
			t.Error(err, "or it has another session, too")
		}
		below, err := filepath.Rel(e.home, path)
		if err != nil {
			t.Fatal(err)
		}
		sourcetest.Write(t, alone.Home, below, string(text))
	}
	after := sourcetest.Read(t, Source{}, alone, sourcetest.Only(t, sourcetest.Find(t, Source{}, alone)))
	if after.Err != nil || string(after.Log) != string(before.Log) || !strings.Contains(after.Story(), "compaction") {
		t.Errorf("%v\n%s\n%s", after.Err, before.Log, after.Log)
	}
}
