package opencode

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
	"palimpsest/backend/sources/sqlite"
)

// TestSameWherever: each place gives the same reading, and none is touched.
func TestSameWherever(t *testing.T) {
	homes := map[string]string{"newer": talk.home(t, conversation.newer), "older": talk.home(t, conversation.older), "database": t.TempDir()}
	database(t, homes["database"], "opencode-stable.db", talk)
	last := map[string]int64{"newer": 1767348004000, "older": 1767348004000, "database": 1767348060000} // which does not say when messages were written
	for place, home := range homes {
		t.Run(place, func(t *testing.T) {
			env := sourcetest.Env(t, home)
			sourcetest.Unchanged(t, home, func() {
				found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
				f := found["ses_1"]
				if len(found) != 1 || f.Title != "Count the rows" || f.FirstMessage != "Count the rows" || f.Cwd != "/w/app" || f.Model != "m" ||
					f.Version != "1.1.0" || !f.UpdatedAt.Equal(time.UnixMilli(last[place])) || f.Problem != "" {
					t.Fatalf("%+v", found)
				}
				r := sourcetest.Read(t, Source{}, env, f)
				if r.Err != nil || r.Damaged != 0 || r.Story() != talkStory {
					t.Errorf("%v, %d damaged\n%s", r.Err, r.Damaged, r.Story())
				}
				u := r.Records[3].Message.Usage
				if u == nil || u.Input != 100 || u.Output != 25 || u.CacheRead != 25 || u.Cost == nil || *u.Cost != 0.5 {
					t.Errorf("usage %+v", u)
				}
				if r.Records[7].Message.Usage != nil {
					t.Error("nobody counted, and there is a count")
				}
				for _, want := range []string{`"signature":"sig"`, `"reasoningMetadata":[{"itemId":"rs_1"}]`, `"entry":"prt_22"`, `"timestamp":"2026-01-02T10:00:01.5Z"`} {
					if !strings.Contains(string(r.Log), want) {
						t.Errorf("%s is not in\n%s", want, r.Log)
					}
				}
			})
		})
	}
}

// TestUnion: files and databases are one list; a session in several is that of the database written last.
func TestUnion(t *testing.T) {
	later := talk
	later.session = strings.NewReplacer("Count the rows", "Renamed", "1767348060000", "1767348090000").Replace(talk.session)
	home := talk.home(t, conversation.newer, conversation.older)
	chatHome := map[string]string{}
	chat(asked(1, "only in files")).newer(chatHome)
	for name, text := range chatHome {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	database(t, home, "opencode.db", talk)
	newest := database(t, home, "opencode-dev.db", later)
	found := sourcetest.ByID(sourcetest.Find(t, Source{}, sourcetest.Env(t, home)))
	if len(found) != 2 || found["ses_1"].Title != "Renamed" || found["ses_1"].Files[0] != newest {
		t.Errorf("%+v", found)
	}
	if f := found["ses_2"]; f.Title != "" || f.FirstMessage != "only in files" {
		t.Errorf("%+v", f)
	}
}

// TestACopyOfTheDatabase: of what is in several as it was written last, the session is that of the database which opencode opens.
func TestACopyOfTheDatabase(t *testing.T) {
	home := t.TempDir()
	database(t, home, "opencode-before.db", talk)
	own := database(t, home, "opencode.db", talk)
	if f := sourcetest.ByID(sourcetest.Find(t, Source{}, sourcetest.Env(t, home)))["ses_1"]; f.Files[0] != own {
		t.Errorf("%+v", f)
	}
	named := filepath.Join(filepath.Dir(own), "opencode-before.db")
	if f := sourcetest.ByID(sourcetest.Find(t, Source{}, sourcetest.EnvWith(t, home, "OPENCODE_DB=opencode-before.db")))["ses_1"]; f.Files[0] != named {
		t.Errorf("%+v", f)
	}
	database(t, home, "opencode-a.db", talk)
	if f := sourcetest.ByID(sourcetest.Find(t, Source{}, sourcetest.EnvWith(t, home, "OPENCODE_DB=opencode-before.db")))["ses_1"]; f.Files[0] != named {
		t.Errorf("%+v", f)
	}
}

func TestElsewhere(t *testing.T) {
	home, data := t.TempDir(), t.TempDir()
	made := database(t, home, "opencode.db", talk)
	named := filepath.Join(data, "mine.db")
	if err := os.Rename(made, named); err != nil {
		t.Fatal(err)
	}
	env := sourcetest.EnvWith(t, home, "OPENCODE_DB="+named, "XDG_DATA_HOME="+filepath.Join(data, "missing"))
	if found := sourcetest.ByID(sourcetest.Find(t, Source{}, env)); len(found) != 1 || found["ses_1"].Files[0] != named {
		t.Errorf("%+v", found)
	}
	if roots := (Source{}).Roots(env); len(roots) != 2 || roots[0] != filepath.Join(data, "missing", "opencode") || roots[1] != named {
		t.Error(roots)
	}
}

// TestProblems: what can't be read is told of, and the rest is found.
func TestProblems(t *testing.T) {
	home := talk.home(t, conversation.newer)
	base := filepath.Join(home, ".local/share/opencode")
	for name, text := range map[string]string{
		"opencode.db": "SQLite format 3\x00" + strings.Repeat("x", 3000), "storage/session/p/ses_9.json": `{"id":"ses_9",`,
	} {
		if err := os.WriteFile(filepath.Join(base, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := sourcetest.Env(t, home)
	found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
	if len(found) != 3 || found["opencode.db"].Problem == "" || found["ses_9"].Problem == "" || found["ses_1"].Problem != "" {
		t.Errorf("%+v", found)
	}
	if r := sourcetest.Read(t, Source{}, env, found["opencode.db"]); r.Err == nil {
		t.Error("a damaged database was read")
	}
	gone := found["ses_1"]
	if err := os.RemoveAll(base); err != nil {
		t.Fatal(err)
	}
	if r := sourcetest.Read(t, Source{}, env, gone); !errors.Is(r.Err, sources.ErrGone) {
		t.Error(r.Err)
	}
}

func TestGoneFromDatabase(t *testing.T) {
	home := t.TempDir()
	path := database(t, home, "opencode.db", talk)
	cache := &sqlite.Cache{}
	defer func() { _ = cache.Close() }()
	r := sourcetest.Read(t, Source{cache}, sourcetest.Env(t, home), sources.Found{ID: "ses_8", Files: []string{path}})
	if !errors.Is(r.Err, sources.ErrGone) {
		t.Error(r.Err)
	}
}

// TestSpilledOutput: what the model saw stays as it is, the whole is kept beside it; nothing outside is read.
func TestSpilledOutput(t *testing.T) {
	whole := strings.Repeat("line\n", 100)
	for path, want := range map[string]string{
		"/home/x/.local/share/opencode/tool-output/tool_1": whole, `C:\Users\x\opencode\tool-output\tool_1`: whole,
		"/etc/passwd": "", "..": "", "/": "", "/x/tool_link": "",
	} {
		c := chat(asked(1, "go"), []string{
			`{"id":"msg_002","role":"assistant","finish":"tool-calls","time":{"created":1,"completed":2}}`,
			`{"id":"prt_1","type":"tool","callID":"c","tool":"bash","state":{"status":"completed","input":{},"output":"cut","metadata":{"exit":0,"outputPath":"` + strings.ReplaceAll(path, `\`, `\\`) + `"}}}`,
		})
		home := c.home(t, conversation.newer)
		dir := filepath.Join(home, ".local/share/opencode/tool-output")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "tool_1"), []byte(whole), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("/etc/passwd", filepath.Join(dir, "tool_link")); err != nil {
			t.Fatal(err)
		}
		env := sourcetest.Env(t, home)
		r := sourcetest.Read(t, Source{}, env, sourcetest.ByID(sourcetest.Find(t, Source{}, env))["ses_2"])
		block := r.Records[2].Message.Content[0]
		if block.Text != "cut" || string(r.Blobs[block.Blob]) != want {
			t.Errorf("%s: %+v, %d bytes", path, block, len(r.Blobs[block.Blob]))
		}
	}
}

// TestTooLong: that a part, or the whole of an output, is too long to be read is told.
func TestTooLong(t *testing.T) {
	c := chat(asked(1, "go"), []string{
		`{"id":"msg_002","role":"assistant","finish":"tool-calls","time":{"created":1,"completed":2}}`,
		`{"id":"prt_1","type":"tool","callID":"c","tool":"bash","state":{"status":"completed","input":{},"output":"cut","metadata":{"exit":0,"outputPath":"/x/tool_1"}}}`,
		`{"id":"prt_2","type":"text","text":"done"}`,
	})
	home := c.home(t, conversation.newer)
	sourcetest.Stretch(t, sourcetest.Write(t, home, ".local/share/opencode/tool-output/tool_1", "x"), spilledMost+1)
	parts, err := filepath.Glob(filepath.Join(home, ".local/share/opencode/storage/part/*/prt_2.json"))
	if err != nil || len(parts) != 1 {
		t.Fatal(parts, err)
	}
	sourcetest.Stretch(t, parts[0], sources.LineMost+1)
	env := sourcetest.Env(t, home)
	r := sourcetest.Read(t, Source{}, env, sourcetest.ByID(sourcetest.Find(t, Source{}, env))["ses_2"])
	if want := "tool_1: output of 67108865, prt_2: part of 268435457"; r.Err != nil || r.Overlong() != want {
		t.Errorf("%v, %q", r.Err, r.Overlong())
	}
}

// TestUnreadable: so it is told that one can't be read at all; what is gone was cleaned away.
func TestUnreadable(t *testing.T) {
	tool := func(n int) string {
		return fmt.Sprintf(`{"id":"prt_%d","type":"tool","callID":"c%d","tool":"bash","state":{"status":"completed","input":{},"output":"cut","metadata":{"exit":0,"outputPath":"/x/tool_%d"}}}`, n, n, n)
	}
	home := chat(asked(1, "go"), []string{`{"id":"msg_002","role":"assistant","finish":"tool-calls","time":{"created":1,"completed":2}}`, tool(1), tool(2)}).home(t, conversation.newer)
	loop := func(name string) {
		path := filepath.Join(home, ".local/share/opencode", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Base(path), path); err != nil {
			t.Skip(err)
		}
	}
	loop("tool-output/tool_1")
	loop("storage/part/msg_002/prt_3.json")
	loop("storage/message/ses_2/msg_003.json")
	env := sourcetest.Env(t, home)
	r := sourcetest.Read(t, Source{}, env, sourcetest.ByID(sourcetest.Find(t, Source{}, env))["ses_2"])
	log := string(r.Log)
	if r.Err != nil || r.Damaged != 3 || !strings.Contains(log, "[left out: the message msg_003 can't be read: ") || !strings.Contains(log, "[left out: the part prt_3 can't be read: ") ||
		!strings.Contains(log, "[left out: the whole of the output tool_1 can't be read: ") {
		t.Errorf("%v, %s", r.Err, log)
	}
}

// TestWhileItRuns: what opencode has written and not moved into its database yet is found and read, also while it holds a lock.
func TestWhileItRuns(t *testing.T) {
	home := t.TempDir()
	path := database(t, home, "opencode.db", talk)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, statement := range []string{
		"PRAGMA journal_mode=wal", "PRAGMA wal_autocheckpoint=0",
		`INSERT INTO session VALUES ('ses_new','p',NULL,'Newest','1.18.0','/w',NULL,1767348000000,1767349000000,NULL)`,
		`INSERT INTO message VALUES ('msg_new','ses_new',1767348000000,'{"role":"user"}')`,
		`INSERT INTO part VALUES ('prt_new','msg_new','ses_new','{"type":"text","text":"just now"}')`,
		"PRAGMA locking_mode=EXCLUSIVE", "BEGIN EXCLUSIVE", "UPDATE session SET title = 'not committed'",
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(statement, err)
		}
	}
	env := sourcetest.Env(t, home)
	sourcetest.Unchanged(t, home, func() {
		found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
		f := found["ses_new"]
		if len(found) != 2 || f.Title != "Newest" || f.FirstMessage != "just now" {
			t.Fatalf("%+v", found)
		}
		if r := sourcetest.Read(t, Source{}, env, f); r.Story() != "1 message user: just now\n" {
			t.Error(r.Err, r.Story())
		}
	})
}

// TestMissingTables: sessions are there, and what is known of them, in a database that has no messages or parts where they are known to be.
// Of messages that are nowhere it is not said that there are none.
func TestMissingTables(t *testing.T) {
	const nowhere = "The database has no table of messages."
	for drop, want := range map[string]struct{ story, problem string }{
		"TABLE part":    {"1 ", ""},
		"TABLE message": {"", nowhere},
		"TABLE message; CREATE TABLE session_message (id text, session_id text, seq integer, data text); INSERT INTO session_message VALUES ('a','ses_1',1,'{}')": {"1 note", ""},
		"TABLE message; CREATE TABLE session_message (id text, session_id text, seq integer, data text)":                                                          {"", nowhere},
	} {
		home := t.TempDir()
		path := database(t, home, "opencode.db", talk)
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec("DROP " + drop + "; UPDATE session SET title = 'known'"); err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		env := sourcetest.Env(t, home)
		found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		if r := sourcetest.Read(t, Source{}, env, found); found.Title != "known" || found.Problem != want.problem || (r.Err != nil) != (want.problem != "") || !strings.HasPrefix(r.Story(), want.story) {
			t.Errorf("without %s: %+v %v\n%s", drop, found, r.Err, r.Story())
		}
	}
}

// TestLaterTable: messages in a place that no version so far has used are read as what they will be, and of a kind nobody knows as they are.
func TestLaterTable(t *testing.T) {
	home := t.TempDir()
	path := database(t, home, "opencode.db", chat())
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"CREATE TABLE session_message (id text, session_id text, type text, seq integer, data text)",
		`INSERT INTO session_message VALUES ('b','ses_2','x',2,'{"text":"second"}'), ('a','ses_2','x',1,'{"text":"first"}'), ('c','ses_9','x',1,'{}')`,
		`INSERT INTO session_message VALUES ('d','ses_2','user',3,'{"text":"one","files":[{"uri":"data:image/png;base64,iVBORw0K","mime":"image/png"},{"uri":"file:///w/a.txt","mime":"text/plain"}]}'),
			('e','ses_2','compaction',4,'{"reason":"auto","summary":"S","recent":"R"}'), ('f','ses_2','user',5,'{"text":"two"}'), ('g','ses_2','shell',6,'{"command":"ls","output":"a"}'),
			('h','ses_2','assistant',7,'{"model":{"id":"m","providerID":"p"},"tokens":{"input":5,"output":1},"finish":"tool-calls","content":[{"type":"reasoning","text":"hm"},{"type":"text","text":"three"},{"type":"tool","id":"c","name":"bash","state":{"status":"completed","input":{"a":1},"content":[{"type":"text","text":"out"},{"type":"file","uri":"data:application/pdf;base64,AQID","mime":"application/pdf"}]}},
				{"type":"tool","id":"d","name":"bash","state":{"status":"error","input":{},"content":[],"error":{"message":"no"}}},{"type":"tool","id":"e","name":"bash","state":{"status":"running","input":{}}},
				{"type":"tool","id":"f","name":"count","state":{"status":"completed","input":{},"content":[],"structured":{"n":1}}}]}'),
			('i','ses_2','synthetic',8,'{"text":"put"}'), ('j','ses_2','model-switched',9,'{"model":{"id":"n","providerID":"p"}}')`,
	} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	env := sourcetest.Env(t, home)
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	r := sourcetest.Read(t, Source{}, env, found)
	const story = `1 note opencode.session_message:
2 note opencode.session_message:
3 message user: one [image] [as it is]
4 compaction from 4 threshold: S
5 message user: two
6 note opencode.shell: Shell command: ls\n\na
7 message assistant: ~hm three bash#c{"a":1} bash#d{} bash#e{} count#f{} (toolUse)
8 message toolResult: out [as it is]
9 message toolResult!: no
10 message toolResult: {"n":1}
11 note opencode.synthetic: put
12 model p/n
`
	view := strings.Join(r.View(t)[1:], "\n")
	if r.Story() != story || !strings.Contains(r.Records[0].JSON, "first") || found.FirstMessage != "one" || found.Model != "n" {
		t.Error(r.Err, r.Story(), found)
	}
	if summary := r.View(t)[0]; !strings.Contains(summary, "<summary>\nS\n</summary>\n\n<recent-context>\nR\n") || !strings.HasPrefix(view, "user: two\nuser: Shell command: ls\n\na\nassistant: (hm) | three") {
		t.Errorf("%s\n%s", summary, view)
	}
}

// TestNoSecrets: nothing but the tables of conversations is ever read.
func TestNoSecrets(t *testing.T) {
	home := t.TempDir()
	path := database(t, home, "opencode.db", talk)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{"INSERT INTO account VALUES ('1', 'sk-secret')", "DROP TABLE part", "CREATE VIEW part AS SELECT id, 'msg_1' message_id, 'ses_1' session_id, access_token data FROM account"} {
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	env := sourcetest.Env(t, home)
	for _, f := range sourcetest.Find(t, Source{}, env) {
		if strings.Contains(string(sourcetest.Read(t, Source{}, env, f).Log), "secret") {
			t.Errorf("%+v", f)
		}
	}
}
