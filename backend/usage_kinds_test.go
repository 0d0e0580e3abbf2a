package backend

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources/sourcetest"
)

// TestUsageThatIsNotTold: what the files of an agent don't hold is null in what is told of it, and not 0; what they say is 0 is 0.
func TestUsageThatIsNotTold(t *testing.T) {
	const item = `{"timestamp":"2026-01-02T10:00:01Z","type":"response_item","payload":{"type":"message","role":`
	codex := func(usage string) string {
		return `{"timestamp":"2026-01-02T10:00:00Z","type":"session_meta","payload":{"id":"01a1fbb2-517a-7cd2-9976-548effd87cf7","timestamp":"2026-01-02T10:00:00Z"}}
` + item + `"user","content":[{"type":"input_text","text":"one"}]}}
` + item + `"assistant","content":[{"type":"output_text","text":"two"}]}}
{"timestamp":"2026-01-02T10:00:02Z","type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":` + usage + `,"total_token_usage":` + usage + `}}}
`
	}
	const place = ".codex/sessions/2026/01/02/" + keptCodex
	claude := func(usage string) string {
		return strings.Replace(claudeText, `"model":"m"`, `"model":"m","usage":`+usage, 1)
	}
	pi := func(usage string) string {
		return `{"type":"session","version":3,"id":"s1","timestamp":"2026-01-02T10:00:00.000Z","cwd":"/w"}
{"type":"message","id":"a","parentId":null,"timestamp":"2026-01-02T10:00:00.000Z","message":{"role":"user","content":"one"}}
{"type":"message","id":"b","parentId":"a","timestamp":"2026-01-02T10:00:01.000Z","message":{"role":"assistant","content":[{"type":"text","text":"two"}],"model":"m","usage":` + usage + `}}
`
	}
	crab := func(usage string) string {
		return `{"agent":"crab","created_by":"user","title":"T"}
{"role":"user","content":"one"}
{"role":"assistant","content":"two"}
{"event":"done","model":"m","iterations":1,"usage":` + usage + `,"ts":"2026-04-01T10:00:09Z"}
`
	}
	opencode := func(usage string) map[string]string {
		const storage = ".local/share/opencode/storage/"
		return map[string]string{
			storage + "session/p/ses_1.json":     `{"id":"ses_1","projectID":"p","directory":"/w","title":"T","time":{"created":1767348000000,"updated":1767348060000}}`,
			storage + "message/ses_1/msg_1.json": `{"id":"msg_1","sessionID":"ses_1","role":"user","time":{"created":1767348000000}}`,
			storage + "part/msg_1/prt_1.json":    `{"id":"prt_1","messageID":"msg_1","sessionID":"ses_1","type":"text","text":"one"}`,
			storage + "message/ses_1/msg_2.json": `{"id":"msg_2","sessionID":"ses_1","role":"assistant","parentID":"msg_1","modelID":"m","providerID":"p","time":{"created":1767348000001},"finish":"stop",` + usage + `}`,
			storage + "part/msg_2/prt_2.json":    `{"id":"prt_2","messageID":"msg_2","sessionID":"ses_1","type":"text","text":"two"}`,
		}
	}
	none := record.ByKind{}
	one := func(path, text string) map[string]string { return map[string]string{path: text} }
	for name, c := range map[string]struct {
		files map[string]string
		// members are those of the answer's usage, and tells the totals of input, output, what was read from a cache and written, and cost.
		members, totals string
		// lacks are the kinds that the agent's files tell otherwise.
		lacks record.ByKind
	}{
		"codex":          {one(place, codex(`{"input_tokens":10,"cached_input_tokens":0,"output_tokens":5,"reasoning_output_tokens":2}`)), `{"input":10,"output":5,"cacheRead":0}`, `10 5 0 null null`, none},
		"codex, early":   {one(place, codex(`{"input_tokens":10,"output_tokens":5}`)), `{"input":10,"output":5}`, `10 5 null null null`, record.ByKind{CacheRead: 1}},
		"claudecode":     {one(claudePlace, claude(`{"input_tokens":10,"output_tokens":5,"cache_read_input_tokens":0,"cache_creation_input_tokens":0}`)), `{"input":10,"output":5,"cacheRead":0,"cacheWrite":0}`, `10 5 0 0 null`, none},
		"claudecode, no": {one(claudePlace, claude(`{"input_tokens":10,"output_tokens":5}`)), `{"input":10,"output":5}`, `10 5 null null null`, record.ByKind{CacheRead: 1, CacheWrite: 1}},
		"gemini": {one(".gemini/tmp/app/chats/session-1-s1.jsonl", `{"sessionId":"s1","startTime":"2026-01-02T10:00:00.000Z","kind":"main"}
{"id":"u1","timestamp":"2026-01-02T10:00:01Z","type":"user","content":"one"}
{"id":"g1","timestamp":"2026-01-02T10:00:02Z","type":"gemini","content":"two","model":"m","tokens":{"input":10,"output":5,"cached":0,"thoughts":0,"tool":0,"total":15}}
`), `{"input":10,"output":5,"cacheRead":0}`, `10 5 0 null null`, none},
		"pi":             {one(".pi/agent/sessions/--w--/2026-01-02T10-00-00-000Z_s1.jsonl", pi(`{"input":10,"output":5,"cacheRead":0,"cacheWrite":0,"cost":{"total":0.5}}`)), `{"input":10,"output":5,"cacheRead":0,"cacheWrite":0,"cost":0.5}`, `10 5 0 0 0.5`, none},
		"pi, no price":   {one(".pi/agent/sessions/--w--/2026-01-02T10-00-00-000Z_s1.jsonl", pi(`{"input":10,"output":5,"cost":{"total":0}}`)), `{"input":10,"output":5}`, `10 5 null null null`, record.ByKind{CacheRead: 1, CacheWrite: 1}},
		"openclaw":       {one(".openclaw/agents/main/sessions/s1.jsonl", pi(`{"input":10,"output":5,"totalTokens":15}`)), `{"input":10,"output":5}`, `10 5 null null null`, record.ByKind{CacheRead: 1}},
		"crabtalk":       {one(".crabtalk/sessions/crab_user_1.jsonl", crab(`{"prompt_tokens":10,"completion_tokens":5}`)), `{"input":10,"output":5}`, `10 5 null null null`, none},
		"crabtalk, new":  {one(".crabtalk/sessions/crab_user_1.jsonl", crab(`{"input_tokens":10,"output_tokens":5,"cache_read_input_tokens":0}`)), `{"input":10,"output":5,"cacheRead":0}`, `10 5 0 null null`, none},
		"opencode":       {opencode(`"cost":0.5,"tokens":{"input":10,"output":5,"reasoning":0,"cache":{"read":0,"write":0}}`), `{"input":10,"output":5,"cacheRead":0,"cacheWrite":0,"cost":0.5}`, `10 5 0 0 0.5`, none},
		"opencode, free": {opencode(`"cost":0,"tokens":{"input":10,"output":5,"reasoning":0}`), `{"input":10,"output":5}`, `10 5 null null null`, record.ByKind{CacheRead: 1, CacheWrite: 1}},
		"picoclaw":       {one(".picoclaw/workspace/sessions/x.json", `{"key":"x","messages":[{"role":"user","content":"one"},{"role":"assistant","content":"two"}]}`), ``, `null null null null null`, record.ByKind{Input: 1, Output: 1, CacheRead: 1, CacheWrite: 1}},
	} {
		m := &machine{t, t.TempDir(), t.TempDir(), time.Now()}
		for path, text := range c.files {
			sourcetest.Write(t, m.others, path, text)
		}
		b := m.open()
		scanned(t, b)
		list, err := b.List(t.Context(), ListOptions{})
		if err != nil || len(list) != 1 {
			t.Fatalf("%s: %+v, %v", name, list, err)
		}
		var members string
		newsMust(t, b.Show(t.Context(), list[0].ID, ShowOptions{}, func(r *Shown) error {
			if usage := gjson.GetBytes(r.JSON, "usage"); usage.Exists() {
				members = usage.Raw
			}
			return nil
		}))
		if members != c.members {
			t.Errorf("%s: the answer says %s", name, members)
		}
		stats, err := b.Statistics(t.Context(), StatisticsOptions{})
		newsMust(t, err)
		got, err := json.Marshal([]any{stats.Totals.Input, stats.Totals.Output, stats.Totals.CacheRead, stats.Totals.CacheWrite, stats.Totals.Cost})
		newsMust(t, err)
		if totals := strings.ReplaceAll(strings.Trim(string(got), "[]"), ",", " "); totals != c.totals {
			t.Errorf("%s: in all it was %s", name, totals)
		}
		if stats.Totals.Lacks.Kinds != c.lacks || (stats.Totals.Lacks.Usage > 0) != (c.lacks != none) {
			t.Errorf("%s: it lacks %+v", name, stats.Totals.Lacks)
		}
	}
}
