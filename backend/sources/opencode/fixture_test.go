package opencode

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources/sourcetest"
)

// conversation is a session as a test writes it: its own record, and of each message the record and its parts.
type conversation struct {
	session  string
	messages [][]string
}

// talk has a question with an attachment, a failed command, a call that was refused, thinking and an answer.
var talk = conversation{
	session: `{"id":"ses_1","version":"1.1.0","projectID":"p","directory":"/w/app","title":"Count the rows","time":{"created":1767348000000,"updated":1767348060000}}`,
	messages: [][]string{
		{
			`{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1767348000001},"agent":"build","model":{"providerID":"p","modelID":"m"}}`,
			`{"id":"prt_10","type":"text","synthetic":true,"text":"Called the Read tool"}`,
			`{"id":"prt_11","type":"file","mime":"image/png","filename":"a.png","url":"data:image/png;base64,iVBORw0K"}`,
			`{"id":"prt_12","type":"text","text":"\"Count the rows\""}`,
			`{"id":"prt_13","type":"agent","name":"general"}`,
		},
		{
			`{"id":"msg_2","sessionID":"ses_1","role":"assistant","parentID":"msg_1","modelID":"m","providerID":"p","cost":0.5,"tokens":{"total":150,"input":100,"output":20,"reasoning":5,"cache":{"read":25,"write":0}},"time":{"created":1767348001000,"completed":1767348002000},"finish":"tool-calls"}`,
			`{"id":"prt_20","type":"step-start","snapshot":"abc"}`,
			`{"id":"prt_21","type":"reasoning","text":"Look first.","metadata":{"anthropic":{"signature":"sig"},"openai":{"itemId":"rs_1"}}}`,
			`{"id":"prt_22","type":"tool","callID":"c1","tool":"bash","state":{"status":"completed","input":{"command":"wc x"},"output":"wc: x: no such file\n","metadata":{"exit":1},"time":{"start":1,"end":1767348001500}}}`,
			`{"id":"prt_23","type":"tool","callID":"c2","tool":"edit","state":{"status":"error","input":{},"error":"The user rejected permission"}}`,
			`{"id":"prt_24","type":"step-finish","reason":"tool-calls","cost":0.5,"tokens":{"total":150,"input":100,"output":20,"reasoning":5,"cache":{"read":25,"write":0}}}`,
			`{"id":"prt_25","type":"patch","hash":"h","files":["x"]}`,
		},
		{
			`{"id":"msg_3","sessionID":"ses_1","role":"assistant","parentID":"msg_1","modelID":"m","providerID":"p","cost":0,"tokens":{"input":0,"output":0,"reasoning":0,"cache":{"read":0,"write":0}},"time":{"created":1767348003000,"completed":1767348004000},"finish":"stop"}`,
			`{"id":"prt_30","type":"step-start"}`,
			`{"id":"prt_31","type":"text","text":"There is no such file."}`,
			`{"id":"prt_32","type":"step-finish","reason":"stop","tokens":{"input":0,"output":0}}`,
		},
	},
}

const talkStory = `1 note opencode.synthetic: Called the Read tool
2 message user: [image] "Count the rows"
3 note opencode.agent:
4 message assistant: ~Look first. bash#c1{"command":"wc x"} edit#c2{} (toolUse)
5 message toolResult!: wc: x: no such file\n
6 message toolResult!: The user rejected permission
7 note opencode.patch:
8 message assistant: There is no such file. (stop)
`

// newer are the files of storage/, older those of the first versions.
func (c conversation) newer(into map[string]string) {
	const base = ".local/share/opencode/storage/"
	id := gjson.Get(c.session, "id").Str
	into[base+"session/p/"+id+".json"] = indent(c.session)
	for _, m := range c.messages {
		message := gjson.Get(m[0], "id").Str
		into[base+"message/"+id+"/"+message+".json"] = indent(m[0])
		for _, part := range m[1:] {
			into[base+"part/"+message+"/"+gjson.Get(part, "id").Str+".json"] = indent(part)
		}
	}
}

func (c conversation) older(into map[string]string) {
	const base = ".local/share/opencode/project/w-app/storage/session/"
	id := gjson.Get(c.session, "id").Str
	into[base+"info/"+id+".json"] = c.session
	for _, m := range c.messages {
		message := gjson.Get(m[0], "id").Str
		into[base+"message/"+id+"/"+message+".json"] = m[0]
		for _, part := range m[1:] {
			into[base+"part/"+id+"/"+message+"/"+gjson.Get(part, "id").Str+".json"] = part
		}
	}
}

func indent(text string) string {
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		panic(err)
	}
	out, _ := json.MarshalIndent(v, "", "  ")
	return string(out)
}

func (c conversation) home(t testing.TB, layouts ...func(conversation, map[string]string)) string {
	t.Helper()
	files := map[string]string{}
	for _, layout := range layouts {
		layout(c, files)
	}
	return sourcetest.Home(t, files)
}

const tablesOfADatabase = `
CREATE TABLE session (id text PRIMARY KEY, project_id text, parent_id text, title text NOT NULL, version text NOT NULL, directory text NOT NULL, revert text, time_created integer NOT NULL, time_updated integer NOT NULL, time_archived integer);
CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL, data text NOT NULL);
CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, data text NOT NULL);
CREATE TABLE account (id text PRIMARY KEY, access_token text);`

// database adds the conversations to a database in a home directory.
func database(t testing.TB, home, name string, all ...conversation) string {
	t.Helper()
	path := filepath.Join(home, ".local/share/opencode", name)
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
	for _, c := range all {
		s := gjson.Parse(c.session)
		var revert, parent, archived any
		if r := s.Get("revert"); r.Exists() {
			revert = r.Raw
		}
		if r := s.Get("parentID"); r.Exists() {
			parent = r.Str
		}
		if r := s.Get("time.archived"); r.Exists() {
			archived = r.Int()
		}
		do("INSERT INTO session VALUES (?,?,?,?,?,?,?,?,?,?)", s.Get("id").Str, "p", parent, s.Get("title").Str, s.Get("version").Str, s.Get("directory").Str,
			revert, s.Get("time.created").Int(), s.Get("time.updated").Int(), archived)
		for _, m := range c.messages {
			id := gjson.Get(m[0], "id").Str
			do("INSERT INTO message VALUES (?,?,?,?)", id, s.Get("id").Str, gjson.Get(m[0], "time.created").Int(), m[0])
			for _, part := range m[1:] {
				do("INSERT INTO part VALUES (?,?,?,?)", gjson.Get(part, "id").Str, id, s.Get("id").Str, part)
			}
		}
	}
	return path
}

// chat is a session of plain questions and answers, with what a test adds to it.
func chat(more ...[]string) conversation {
	c := conversation{session: `{"id":"ses_2","title":"New session - 2026-01-02T10:00:00.000Z","directory":"/w","version":"1.2.0","time":{"created":1767348000000,"updated":1767348060000}}`}
	c.messages = append(c.messages, more...)
	return c
}

func asked(n int, text string) []string {
	return []string{
		fmt.Sprintf(`{"id":"msg_%03d","role":"user","time":{"created":%d}}`, n, 1767348000000+n*1000),
		fmt.Sprintf(`{"id":"prt_%03d0","type":"text","text":%q}`, n, text),
	}
}

func answered(n int, text string, more ...string) []string {
	return []string{
		fmt.Sprintf(`{"id":"msg_%03d","role":"assistant","providerID":"p","modelID":"m","finish":"stop","time":{"created":%d,"completed":1}%s}`, n, 1767348000000+n*1000, strings.Join(more, "")),
		fmt.Sprintf(`{"id":"prt_%03d0","type":"text","text":%q}`, n, text),
	}
}

func marked(n int, part string) []string {
	return []string{
		fmt.Sprintf(`{"id":"msg_%03d","role":"user","time":{"created":%d}}`, n, 1767348000000+n*1000),
		fmt.Sprintf(`{"id":"prt_%03d0","type":"compaction"%s}`, n, part),
	}
}
