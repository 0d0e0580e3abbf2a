package crabtalk

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/sources/sourcetest"
)

const dir = ".crabtalk/sessions/"

// talk has each kind of record in both forms, and a user who writes of a marker.
var talk = []string{
	`{"agent":"crab","created_by":"user","created_at":"2026-04-01T10:00:00Z","title":"My title","uptime_secs":0}`,
	`{"role":"user","content":"hello \"compact\": {}"}`,
	`{"role":"assistant","content":"","reasoning_content":"hm","tool_calls":[{"id":"c1","type":"function","function":{"name":"bash","arguments":"{\"command\":\"ls\"}"}}]}`,
	`{"event":"tool_start","calls":[{"id":"c1"}],"ts":"2026-04-01T10:00:05Z"}`,
	`{"role":"tool","content":"a.txt","tool_call_id":"c1","name":"bash"}`,
	`{"role":"assistant","content":"there"}`,
	`{"event":"done","model":"m","iterations":1,"stop_reason":"end_turn","usage":{"prompt_tokens":10,"completion_tokens":5},"ts":"2026-04-01T10:00:09Z"}`,
	`{"compact":"S","title":"Greeting","archived_at":"2026-04-01T10:05:00Z"}`,
	`{"agent":"guest","message":{"role":"user","content":[{"type":"text","text":"more"}]}}`,
	`{"message":{"role":"assistant","content":[{"type":"thinking","thinking":"ah","signature":"s"},{"type":"tool_use","id":"c2","name":"read","input":{"path":"x"}}]}}`,
	`{"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c2","content":[{"type":"text","text":"gone"}],"is_error":true}]}}`,
	`{"message":{"role":"assistant","content":[{"type":"text","text":"bye"}]}}`,
	`{"odd":1}`,
}

const story = `1 note crabtalk.meta:
2 message user: hello "compact": {}
3 message assistant: ~hm bash#c1{"command":"ls"} (toolUse)
4 note crabtalk.event:
5 message toolResult: a.txt
6 message assistant: there (stop)
7 note crabtalk.event:
8 compaction from 8 unknown: S
9 message user: more
10 message assistant: ~ah read#c2{"path":"x"} (toolUse)
11 message toolResult!: gone
12 message assistant: bye
13 note crabtalk.unknown:
`

func lines() string { return strings.Join(talk, "\n") + "\n" }

func steps(into map[string]string, name string) map[string]string {
	into[dir+name+"/meta"] = talk[0]
	for i, record := range talk[1:] {
		into[fmt.Sprintf("%s%s/step-%06d", dir, name, i+1)] = record
	}
	into[dir+name+"/step-000003.tmp"] = "{"
	return into
}

// put is a record of a store, deleted one that takes a key back.
func put(op byte, key, value string) string {
	out := append([]byte{op, 2}, binary.LittleEndian.AppendUint32(nil, uint32(len(key)))...)
	out = append(out, key...)
	return string(append(binary.LittleEndian.AppendUint32(out, uint32(len(value))), value...))
}

// storeOf is a store with these records before its list of keys, and these behind it.
func storeOf(before, behind [][2]string) string {
	body, count := "", 0
	var list []byte
	for _, kv := range before {
		list = append(append(list, 2), binary.LittleEndian.AppendUint32(nil, uint32(len(kv[0])))...)
		list = binary.LittleEndian.AppendUint64(append(list, kv[0]...), uint64(headerLength+len(body)))
		body += put(0, kv[0], kv[1])
		count++
	}
	list = append(binary.LittleEndian.AppendUint32(nil, uint32(count)), list...)
	head := append([]byte(magic), 1, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	if len(before) > 0 {
		head = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(head, uint64(headerLength+len(body))), uint64(len(list)))
		body += string(list)
	} else {
		head = append(head, make([]byte, 16)...)
	}
	for _, kv := range behind {
		op := byte(0)
		if kv[1] == "" {
			op = 1
		}
		body += put(op, kv[0], kv[1])
	}
	return string(head) + body
}

func aStore() string {
	var before, behind [][2]string
	before = append(before, [2]string{"session/crab-1/meta", `{"title":"old","root":"/w"}`}, [2]string{"session/gone/meta", `{}`}, [2]string{"posting/x", "\x00\x01"})
	behind = append(behind, [2]string{"session/crab-1/archive", `"S"`}, [2]string{"session/crab-1/meta", `{"title":"My title","root":"/w"}`}, [2]string{"session/gone/meta", ""})
	for i, record := range talk[8:12] {
		behind = append(behind, [2]string{fmt.Sprintf("session/crab-1/msg/%012d", i), record})
	}
	behind = append(behind, [2]string{"session/crab-1/evt/000000000000", talk[6]})
	return storeOf(before, behind)
}

func read(t *testing.T, files map[string]string) (sources.Found, *sourcetest.Reading) {
	t.Helper()
	home := sourcetest.Home(t, files)
	env := sourcetest.Env(t, home)
	var found sources.Found
	var r *sourcetest.Reading
	sourcetest.Unchanged(t, home, func() {
		found = sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		r = sourcetest.Read(t, Source{}, env, found)
	})
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return found, r
}

func TestForms(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"file":  {dir + "crab_user_1_greeting-you.jsonl": lines() + `{"role":"us`},
		"steps": steps(map[string]string{}, "crab_user_1_greeting"),
	} {
		t.Run(name, func(t *testing.T) {
			found, r := read(t, files)
			if r.Story() != story || r.Damaged > 0 {
				t.Errorf("%s", r.Story())
			}
			if found.ID != "crab_user_1" || found.Title != "My title" || found.FirstMessage != `hello "compact": {}` || found.Model != "m" {
				t.Errorf("%+v", found)
			}
			m := r.Records[5].Message
			if m.Model != "m" || m.Usage == nil || m.Usage.Input != 10 || m.Usage.Output != 5 {
				t.Errorf("%+v", m)
			}
			if got := r.Seen(t); got != "user: S\nuser: more\nassistant: ~ah read#c2{\"path\":\"x\"}\ntoolResult!: gone\nassistant: bye\n" {
				t.Error(got)
			}
		})
	}
}

// TestToolErrors: the early forms have no mark for them.
func TestToolErrors(t *testing.T) {
	for text, want := range map[string]bool{
		"a.txt": false, "": false, "exit code: 2\nls: no such file": true, "exit code: 0\nfine": false, "no such file\n[exit 127]": true, "Exit status: 1": true,
		"Error: no such file": true, "failed to read x": true, `{"stdout":"","exit_code":3}`: true, `{"stdout":"error: x","exit_code":0}`: false,
		"the exit code: 2 was what I expected\nand more": false, "exit codes are numbers": false, `{"error":"no"}`: true, "errors are fine": false,
	} {
		if failed(text) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
	_, r := read(t, map[string]string{dir + "crab_user_1.jsonl": strings.ReplaceAll(lines(), `"content":"a.txt"`, `"content":"exit code: 2\n"`)})
	if !strings.Contains(r.Story(), "toolResult!: exit code: 2") {
		t.Error(r.Story())
	}
}

func TestStore(t *testing.T) {
	found, r := read(t, map[string]string{".crabtalk/store.crmem": aStore() + "\x00\x02\xff"})
	if found.ID != "crab-1" || found.Title != "My title" || found.Cwd != "/w" || found.FirstMessage != "more" || found.Model != "m" {
		t.Errorf("%+v", found)
	}
	const want = `1 note crabtalk.meta:
2 compaction from 2 unknown: S
3 message user: more
4 message assistant: ~ah read#c2{"path":"x"} (toolUse)
5 message toolResult!: gone
6 message assistant: bye
7 note crabtalk.event:
`
	if r.Story() != want || r.Damaged > 0 {
		t.Error(r.Story())
	}
}

// TestStoreWithoutList: before its first list is written, a store is only its records.
func TestStoreWithoutList(t *testing.T) {
	_, r := read(t, map[string]string{".crabtalk/store.crmem": storeOf(nil, [][2]string{{"session/a/msg/000000000000", talk[1]}, {"session/a/msg/000000000001", "not json"}})})
	if len(r.Records) != 1 || r.Damaged != 1 {
		t.Errorf("%d damaged\n%s", r.Damaged, r.Story())
	}
}

func TestStrangeStore(t *testing.T) {
	good := aStore()
	for name, text := range map[string]string{
		"empty": "", "another file": "NOTMEM" + good[6:], "another version": good[:6] + "\x02" + good[7:], "flags": good[:10] + "\x01" + good[11:],
	} {
		home := sourcetest.Home(t, map[string]string{".crabtalk/store.crmem": text})
		env := sourcetest.Env(t, home)
		found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
		if r := sourcetest.Read(t, Source{}, env, found); found.Problem == "" || r.Err == nil {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

func TestFind(t *testing.T) {
	home := sourcetest.Home(t, steps(map[string]string{
		".openwalrus/sessions/crab_1700000000_ab12.jsonl": lines(),
		dir + "crab_tg-12_7.jsonl":                        talk[1] + "\n",
		dir + "2026/04/crab_user_9.jsonl":                 lines(),
		dir + "crab_user_3.jsonl":                         "",
		dir + "crab_user_4.jsonl":                         "\x00\x01rubbish\n" + talk[1] + "\n",
		".crabtalk/store.crmem":                           aStore(),
		"elsewhere/sessions/crab_user_5.jsonl":            lines(),
	}, "crab_user_2"))
	env := sourcetest.EnvWith(t, home, "CRABTALK_HOME="+filepath.Join(home, "elsewhere"))
	found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
	want := []string{"crab-1", "crab_1700000000_ab12", "crab_tg-12_7", "crab_user_2", "crab_user_3", "crab_user_4", "crab_user_5", "crab_user_9"}
	if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, want) {
		t.Error(got)
	}
	if found["crab_user_3"].Problem == "" {
		t.Error("an empty file is not told of")
	}
	if r := sourcetest.Read(t, Source{}, env, found["crab_user_4"]); r.Damaged != 1 || r.Story() != "1 message user: hello \"compact\": {}\n" {
		t.Errorf("%d damaged\n%s", r.Damaged, r.Story())
	}
}

// TestRenamed: a title that is given while a session is open changes its place, and not which session it is.
func TestRenamed(t *testing.T) {
	for _, name := range []string{"crab_user_1.jsonl", "crab_user_2"} {
		home := filepath.Join(t.TempDir(), "[a") // which is no part of a pattern
		for path, text := range steps(map[string]string{dir + "crab_user_1.jsonl": lines()}, "crab_user_2") {
			sourcetest.Write(t, home, path, text)
		}
		env := sourcetest.Env(t, home)
		found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))[strings.TrimSuffix(name, ".jsonl")]
		from := filepath.Join(home, dir, name)
		to := strings.TrimSuffix(from, ".jsonl") + "_a-title" + filepath.Ext(name)
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
		if r := sourcetest.Read(t, Source{}, env, found); r.Err != nil || r.Story() != story {
			t.Errorf("%s: %v", name, r.Err)
		}
		if again := sourcetest.ByID(sourcetest.Find(t, Source{}, env))[found.ID]; again.Files[0] != to && again.Files[0] != filepath.Join(to, "meta") {
			t.Errorf("%+v", again)
		}
		if err := os.RemoveAll(to); err != nil {
			t.Fatal(err)
		}
		if r := sourcetest.Read(t, Source{}, env, found); !errors.Is(r.Err, sources.ErrGone) {
			t.Error(r.Err)
		}
	}
}

func TestSurvives(t *testing.T) {
	files := steps(map[string]string{dir + "crab_user_1.jsonl": lines(), ".crabtalk/store.crmem": aStore()}, "crab_user_2")
	sourcetest.Survives(t, Source{}, sourcetest.Home(t, files))
}

func TestDamagedStore(t *testing.T) {
	sourcetest.SurvivesSome(t, Source{}, sourcetest.Home(t, map[string]string{".crabtalk/store.crmem": aStore()}), 400)
}

func TestCapabilities(t *testing.T) { sourcetest.CheckCapabilities(t, Source{}.Capabilities()) }

func FuzzRead(f *testing.F) {
	f.Add([]byte(lines()))
	f.Fuzz(func(t *testing.T, data []byte) {
		var out bytes.Buffer
		r := newReader(sources.NewLog("crabtalk", "s", &out, func([]byte) (string, error) { return "sha", nil }), "x")
		err := jsonl.Each(t.Context(), bytes.NewReader(data), jsonl.Broken(r.log), func(_ sources.Line, rec gjson.Result) error { return r.record(rec, "x") })
		if r.flush(); err != nil || r.log.Err() != nil {
			t.Fatal(err, r.log.Err())
		}
		(&sourcetest.Reading{Log: out.Bytes()}).Context(t)
	})
}

func FuzzStore(f *testing.F) {
	sourcetest.Fuzz(f, Source{}, ".crabtalk/store.crmem", aStore(), storeOf(nil, [][2]string{{"session/a/meta", "{}"}}))
}

// TestTooLong: a record that is too long to be read is told of, in each form that says how long it is.
func TestTooLong(t *testing.T) {
	const most = sources.LineMost + 1
	home := sourcetest.Home(t, steps(map[string]string{
		".crabtalk/store.crmem": storeOf(nil, [][2]string{{"session/a/msg/000000000000", talk[1]}, {"session/a/msg/000000000001", "x"}}),
	}, "crab_user_1"))
	sourcetest.Stretch(t, filepath.Join(home, dir, "crab_user_1", "step-000005"), most)
	store := filepath.Join(home, ".crabtalk/store.crmem")
	text, err := os.ReadFile(store)
	if err != nil {
		t.Fatal(err)
	}
	value := len(text) - 1
	binary.LittleEndian.PutUint32(text[value-4:], most)
	if err := os.WriteFile(store, text, 0o600); err != nil {
		t.Fatal(err)
	}
	sourcetest.Stretch(t, store, int64(value)+most)
	env := sourcetest.Env(t, home)
	found := sourcetest.ByID(sourcetest.Find(t, Source{}, env))
	for id, want := range map[string]string{"a": "msg/000000000001: record of 268435457", "crab_user_1": "step-000005: record of 268435457"} {
		if r := sourcetest.Read(t, Source{}, env, found[id]); r.Err != nil || r.Overlong() != want || r.Damaged > 0 {
			t.Errorf("%s: %v, %q, %d damaged", id, r.Err, r.Overlong(), r.Damaged)
		}
	}
}
