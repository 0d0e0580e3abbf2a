package all

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

// spoken is a session of each agent: these prompts, then a call that went well and one that failed with this output. Main is the file that
// it is in, empty for one that has a file for each message.
type spoken struct {
	main  string
	files func(prompts []string, output string) map[string]string
}

const (
	threadID = "01a1fbb2-517a-7cd2-9976-548effd87cf7"
	claudeID = "4b0284a1-19f7-458d-8a6f-db618bf7386b"
	opened   = ".local/share/opencode/storage/"
)

func lines(rows ...string) string { return strings.Join(rows, "\n") + "\n" }

// each is a line for each prompt; format takes a number, the number before it, and the prompt as JSON.
func each(prompts []string, format string) string {
	var out strings.Builder
	for i, prompt := range prompts {
		fmt.Fprintf(&out, format+"\n", i+1, i, strconv.Quote(prompt))
	}
	return out.String()
}

var sessions = map[string]spoken{
	"codex": {".codex/sessions/2026/01/02/rollout-2026-01-02T10-00-00-" + threadID + ".jsonl", func(prompts []string, output string) map[string]string {
		item := func(payload string) string {
			return `{"timestamp":"2026-01-02T10:00:00Z","type":"response_item","payload":` + payload + `}`
		}
		return map[string]string{".codex/sessions/2026/01/02/rollout-2026-01-02T10-00-00-" + threadID + ".jsonl": lines(
			`{"timestamp":"2026-01-02T10:00:00Z","type":"session_meta","payload":{"id":"`+threadID+`","timestamp":"2026-01-02T10:00:00Z","cwd":"/w"}}`) +
			each(prompts, `{"timestamp":"2026-01-02T10:00:%02d.%dZ","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":%s}]}}`) + lines(
			item(`{"type":"function_call","name":"sh","arguments":"{}","call_id":"good"}`), item(`{"type":"function_call","name":"sh","arguments":"{}","call_id":"bad"}`),
			item(`{"type":"function_call_output","call_id":"good","output":"{\"output\":\"fine\",\"metadata\":{\"exit_code\":0}}"}`),
			item(`{"type":"function_call_output","call_id":"bad","output":"Exit code: 2\nOutput:\n`+output+`"}`), item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"the last word"}]}`))}
	}},
	"claudecode": {".claude/projects/-w/" + claudeID + ".jsonl", func(prompts []string, output string) map[string]string {
		const common = `"sessionId":"` + claudeID + `","timestamp":"2026-01-02T10:00:00Z","cwd":"/w","version":"2.1.0"`
		return map[string]string{".claude/projects/-w/" + claudeID + ".jsonl": each(prompts,
			`{"type":"user","uuid":"u%d","parentUuid":"u%d",`+common+`,"message":{"role":"user","content":%s}}`) + lines(
			`{"type":"assistant","uuid":"a1","parentUuid":null,`+common+`,"message":{"id":"m","role":"assistant","model":"c","content":[{"type":"tool_use","id":"good","name":"Bash","input":{}},{"type":"tool_use","id":"bad","name":"Bash","input":{}}]}}`,
			`{"type":"user","uuid":"r1","parentUuid":"a1",`+common+`,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"good","content":"fine","is_error":false}]}}`,
			`{"type":"user","uuid":"r2","parentUuid":"a1",`+common+`,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"bad","content":"`+output+`","is_error":true}]}}`,
			`{"type":"user","uuid":"z","parentUuid":"r2",`+common+`,"message":{"role":"user","content":"the last word"}}`)}
	}},
	"opencode": {"", func(prompts []string, output string) map[string]string {
		files := map[string]string{opened + "session/p/ses_1.json": `{"id":"ses_1","version":"1.1.0","projectID":"p","directory":"/w","title":"New session - 2026-01-02T10:00:00.000Z","time":{"created":1767348000000,"updated":1767348060000}}`}
		add := func(n int, role, text string) {
			files[fmt.Sprintf(opened+"message/ses_1/msg_%03d.json", n)] = fmt.Sprintf(`{"id":"msg_%03d","sessionID":"ses_1","role":%q,"time":{"created":%d},"finish":"stop"}`, n, role, 1767348000000+n)
			if text != "" {
				files[fmt.Sprintf(opened+"part/msg_%03d/prt_1.json", n)] = `{"id":"prt_1","messageID":"m","sessionID":"ses_1","type":"text","text":` + strconv.Quote(text) + `}`
			}
		}
		for i, prompt := range prompts {
			add(i, "user", prompt)
		}
		add(100, "assistant", "")
		tool := func(call, output string, exit int) string {
			return fmt.Sprintf(`{"type":"tool","callID":%q,"tool":"bash","state":{"status":"completed","input":{},"output":"%s","metadata":{"exit":%d}}}`, call, output, exit)
		}
		files[opened+"part/msg_100/prt_1.json"], files[opened+"part/msg_100/prt_2.json"] = tool("good", "fine", 0), tool("bad", output, 2)
		add(200, "user", "the last word")
		return files
	}},
	"gemini": {".gemini/tmp/app/chats/session-1-s1.jsonl", func(prompts []string, output string) map[string]string {
		call := func(id, status, output string) string {
			return `{"id":"` + id + `","name":"run_shell_command","args":{},"status":"` + status + `","result":[{"functionResponse":{"id":"` + id + `","name":"run_shell_command","response":{"output":"` + output + `"}}}]}`
		}
		return map[string]string{".gemini/tmp/app/chats/session-1-s1.jsonl": lines(`{"sessionId":"s1","projectHash":"h","startTime":"2026-01-02T10:00:00.000Z","kind":"main"}`) +
			each(prompts, `{"id":"u%d","n":%d,"timestamp":"2026-01-02T10:00:00Z","type":"user","content":[{"text":%s}]}`) + lines(
			`{"id":"g","timestamp":"2026-01-02T10:00:01Z","type":"gemini","content":"","toolCalls":[`+call("good", "success", `fine\nExit Code: 0`)+","+call("bad", "success", output+`\nExit Code: 2`)+`]}`,
			`{"id":"z","timestamp":"2026-01-02T10:00:02Z","type":"user","content":[{"text":"the last word"}]}`)}
	}},
	"pi":        {".pi/agent/sessions/--w--/2026-01-02T10-00-00-000Z_s1.jsonl", treed(".pi/agent/sessions/--w--/2026-01-02T10-00-00-000Z_s1.jsonl", true)},
	"openclaw":  {".openclaw/agents/main/sessions/s1.jsonl", treed(".openclaw/agents/main/sessions/s1.jsonl", false)},
	"coderclaw": {".coderclaw/0a1b2c3d/agents/main/sessions/s1.jsonl", treed(".coderclaw/0a1b2c3d/agents/main/sessions/s1.jsonl", true)},
	"picoclaw": {".picoclaw/workspace/sessions/sk_v1_aa.jsonl", func(prompts []string, output string) map[string]string {
		return map[string]string{
			".picoclaw/workspace/sessions/sk_v1_aa.meta.json": `{"key":"sk_v1_aa","aliases":["cli:demo"]}`,
			".picoclaw/workspace/sessions/sk_v1_aa.jsonl": each(prompts, `{"created_at":"2026-01-02T10:00:%02d.%dZ","role":"user","content":%s}`) + lines(
				`{"role":"assistant","content":"","tool_calls":[{"id":"good","function":{"name":"exec","arguments":"{}"}},{"id":"bad","function":{"name":"exec","arguments":"{}"}}],"created_at":"2026-01-02T10:01:00Z"}`,
				`{"role":"tool","content":"fine","tool_call_id":"good","created_at":"2026-01-02T10:01:01Z"}`,
				`{"role":"tool","content":"`+output+`\nExit code: exit status 2","tool_call_id":"bad","created_at":"2026-01-02T10:01:02Z"}`,
				`{"role":"user","content":"the last word","created_at":"2026-01-02T10:01:03Z"}`),
		}
	}},
	"crabtalk": {".crabtalk/sessions/crab_user_1.jsonl", func(prompts []string, output string) map[string]string {
		return map[string]string{".crabtalk/sessions/crab_user_1.jsonl": lines(`{"agent":"crab","created_by":"user","created_at":"2026-01-02T10:00:00Z","title":"","uptime_secs":0}`) +
			each(prompts, `{"x":%d,"y":%d,"role":"user","content":%s}`) + lines(
			`{"role":"assistant","content":"","tool_calls":[{"id":"good","type":"function","function":{"name":"bash","arguments":"{}"}},{"id":"bad","type":"function","function":{"name":"bash","arguments":"{}"}}]}`,
			`{"role":"tool","content":"fine","tool_call_id":"good"}`, `{"role":"tool","content":"exit code: 2\n`+output+`","tool_call_id":"bad"}`, `{"role":"user","content":"the last word"}`)}
	}},
}

// treed is a session in the form that pi's is the first of; not marked, a failure is told in the details alone.
func treed(path string, marked bool) func(prompts []string, output string) map[string]string {
	return func(prompts []string, output string) map[string]string {
		const at = `"timestamp":"2026-01-02T10:00:00Z"`
		result := func(id, parent, call, output string, exit int) string {
			return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%q,%s,"message":{"role":"toolResult","toolCallId":%q,"toolName":"exec","content":[{"type":"text","text":"%s"}],"details":{"exitCode":%d},"isError":%v}}`,
				id, parent, at, call, output, exit, marked && exit != 0)
		}
		return map[string]string{path: lines(`{"type":"session","version":3,"id":"s1",`+at+`,"cwd":"/w"}`) +
			each(prompts, `{"type":"message","id":"u%d","parentId":"u%d",`+at+`,"message":{"role":"user","content":%s}}`) + lines(
			fmt.Sprintf(`{"type":"message","id":"a","parentId":"u%d",%s,"message":{"role":"assistant","content":[{"type":"toolCall","id":"good","name":"exec","arguments":{}},{"type":"toolCall","id":"bad","name":"exec","arguments":{}}],"stopReason":"toolUse"}}`, len(prompts), at),
			result("b", "a", "good", "fine", 0), result("c", "b", "bad", output, 2), `{"type":"message","id":"z","parentId":"c",`+at+`,"message":{"role":"user","content":"the last word"}}`)}
	}
}

// everyAgent runs a test for each source, and fails if there is one without a session above.
func everyAgent(t *testing.T, test func(t *testing.T, source sources.Source, s spoken)) {
	t.Helper()
	found, release := Open()
	t.Cleanup(func() { _ = release() })
	for _, source := range found {
		t.Run(source.Agent(), func(t *testing.T) {
			s, ok := sessions[source.Agent()]
			if !ok {
				t.Fatal("it has no session here")
			}
			test(t, source, s)
		})
	}
}

func only(t *testing.T, source sources.Source, files map[string]string) (sources.Found, *sourcetest.Reading) {
	t.Helper()
	env := sourcetest.Env(t, sourcetest.Home(t, files))
	found := sourcetest.Only(t, sourcetest.Find(t, source, env))
	return found, sourcetest.Read(t, source, env, found)
}

// said are the texts of messages of a role, those that show as errors marked.
func said(r *sourcetest.Reading, role record.Role) (texts []string) {
	for _, rec := range r.Records {
		if m := rec.Message; m != nil && m.Role == role {
			text := sourcetest.Plain(m.Content)
			if m.IsError {
				text = "!" + m.ToolCallID
			}
			texts = append(texts, text)
		}
	}
	return texts
}

// TestFailuresShow: of two commands the one that failed is marked, however its agent tells.
func TestFailuresShow(t *testing.T) {
	everyAgent(t, func(t *testing.T, source sources.Source, s spoken) {
		_, r := only(t, source, s.files([]string{"one"}, "no such file"))
		if got := said(r, record.RoleToolResult); r.Err != nil || len(got) != 2 || strings.HasPrefix(got[0], "!") || got[1] != "!bad" {
			t.Errorf("%v %q\n%s", r.Err, got, r.Story())
		}
	})
}

// TestTitles: what a list calls a session is never what an agent put in, whichever agent did; and that is not lost.
func TestTitles(t *testing.T) {
	injected := []string{
		"# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nbe brief\n</INSTRUCTIONS>", "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>",
		"<user_instructions>\nx\n</user_instructions>", "Another language model started to solve this problem and produced a summary", "<session_context>\nToday is x",
		"This session is being continued from a previous conversation that ran out of context.", "Caveat: The messages below were generated by the user",
		"<system-reminder>x</system-reminder>", "<command-name>/clear</command-name>", "[Request interrupted by user]",
	}
	everyAgent(t, func(t *testing.T, source sources.Source, s spoken) {
		for _, text := range injected {
			found, r := only(t, source, s.files([]string{text, "fix the\n  canary"}, "x"))
			if found.FirstMessage != "fix the canary" || strings.ContainsAny(found.Title[:min(len(found.Title), 1)], "#<") {
				t.Errorf("%q: %q, %q", text, found.FirstMessage, found.Title)
			}
			if !holds(r, text) {
				t.Errorf("%q is lost", text)
			}
		}
	})
}

// holds tells whether a message or a note has a text.
func holds(r *sourcetest.Reading, text string) bool {
	return slices.ContainsFunc(r.Records, func(rec record.Record) bool {
		var content []record.Block
		switch {
		case rec.Message != nil:
			content = rec.Message.Content
		case rec.Note != nil:
			content = rec.Note.Content
		}
		return slices.ContainsFunc(content, func(b record.Block) bool { return b.Text == text })
	})
}

// TestLongRecords: records of 78 KB, 177 KB and 3 MB are read whole, and what stands behind them is there.
func TestLongRecords(t *testing.T) {
	everyAgent(t, func(t *testing.T, source sources.Source, s spoken) {
		for _, size := range []int{78 << 10, 177 << 10, 3 << 20} { // the first two have been seen; 20 MB are tried with Codex
			_, r := only(t, source, s.files([]string{"one"}, strings.Repeat("x", size)))
			kept := slices.MaxFunc(slices.Collect(maps.Values(r.Blobs)), func(a, b []byte) int { return len(a) - len(b) })
			if got := said(r, record.RoleUser); r.Err != nil || r.Damaged != 0 || !slices.Equal(got, []string{"one", "the last word"}) || len(kept) < size {
				t.Errorf("%d: %v, %d damaged, %d bytes kept, %.200q", size, r.Err, r.Damaged, len(kept), got)
			}
		}
	})
}

// TestHugeFilesAreListedByTheirEnds: of a file of 1 GB a list reads a little at both ends.
func TestHugeFilesAreListedByTheirEnds(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("it counts what is read as Linux tells it")
	}
	everyAgent(t, func(t *testing.T, source sources.Source, s spoken) {
		if s.main == "" {
			t.Skip("it has a file for each message")
		}
		files := s.files([]string{"one"}, "x")
		env := sourcetest.Env(t, sourcetest.Home(t, files))
		path := filepath.Join(env.Home, filepath.FromSlash(s.main))
		start := strings.LastIndex(strings.TrimSuffix(files[s.main], "\n"), "\n") + 1
		const hole = 1 << 30
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteAt([]byte("\n"+files[s.main][start:]), hole); err != nil {
			t.Skip(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		before := bytesRead(t)
		found := sourcetest.Only(t, sourcetest.Find(t, source, env))
		const most = 4 << 20
		if n := bytesRead(t) - before; n > most || found.FirstMessage != "one" || found.Problem != "" {
			t.Errorf("%d bytes were read: %+v", n, found)
		}
	})
}

// bytesRead is how much this process has read from files.
func bytesRead(t *testing.T) int64 {
	t.Helper()
	file, err := os.Open("/proc/self/io")
	if err != nil {
		t.Skip(err)
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		t.Skip(err)
	}
	said := regexp.MustCompile(`rchar: (\d+)`).FindSubmatch(text)
	if said == nil {
		t.Skip("it is not told")
	}
	n, _ := strconv.ParseInt(string(said[1]), 10, 64)
	return n
}

// TestStrangeValues: nothing that stands where something else is expected, or where nothing is, costs more than itself.
func TestStrangeValues(t *testing.T) {
	everyAgent(t, func(t *testing.T, source sources.Source, s spoken) {
		sourcetest.Bends(t, source, sourcetest.Home(t, s.files([]string{"one", "two"}, "x")))
	})
}
