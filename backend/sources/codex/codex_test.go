package codex

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

const (
	id    = "01a1fbb2-517a-7cd2-9976-548effd87cf7"
	other = "01a1fbb2-6000-7cd2-9976-548effd87cf7"
	place = ".codex/sessions/2026/11/21/rollout-2026-11-21T01-22-10-" + id + ".jsonl"
)

// envelope writes lines in short, "type payload", from an ordinal on.
func envelope(from int, lines ...string) string {
	var b strings.Builder
	for i, line := range lines {
		kind, payload, _ := strings.Cut(line, " ")
		fmt.Fprintf(&b, `{"timestamp":"2026-11-21T01:22:%02d.000Z","ordinal":%d,"type":%q,"payload":%s}`+"\n", (from+i)%60, from+i, kind, payload)
	}
	return b.String()
}

func header(id, more string) string {
	return `session_meta {"id":"` + id + `","timestamp":"2026-11-21T01:22:10.000Z","cwd":"/w","cli_version":"0.1","model_provider":"mock"` + more + `}`
}

func user(texts ...string) string {
	for i := range texts {
		texts[i] = fmt.Sprintf(`{"type":"input_text","text":%q}`, texts[i])
	}
	return `{"type":"message","role":"user","content":[` + strings.Join(texts, ",") + `]}`
}

func says(text string) string {
	return `{"type":"message","role":"assistant","content":[{"type":"output_text","text":"` + text + `"}]}`
}

func item(payload string) string { return "response_item " + payload }

// turn is what is said in one, with what Codex says of it since about 0.100.
func turn(id string, lines ...string) []string {
	return slices.Concat([]string{`event_msg {"type":"task_started","turn_id":"` + id + `"}`}, lines, []string{`event_msg {"type":"task_complete","turn_id":"` + id + `"}`})
}

// summary is one as it stands in a message.
func summary(text string) string { return strings.ReplaceAll(summaryFirst, "\n", `\n`) + text }

// tells is a compaction that tells the context.
func tells(items ...string) string {
	return `compacted {"message":"","replacement_history":[` + strings.Join(items, ",") + `]}`
}

func rollBack(turns int) string {
	return fmt.Sprintf(`event_msg {"type":"thread_rolled_back","num_turns":%d}`, turns)
}

const (
	settings    = `turn_context {"model":"m","cwd":"/w","effort":"high"}`
	agents      = "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\n</INSTRUCTIONS>"
	environment = "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>"
)

func read(t *testing.T, text string) *sourcetest.Reading {
	t.Helper()
	env := sourcetest.Env(t, t.TempDir())
	sourcetest.Write(t, env.Home, place, text)
	r := sourcetest.Read(t, Source{}, env, sourcetest.Only(t, sourcetest.Find(t, Source{}, env)))
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r
}

// TestContext: what the model sees follows Codex's own rules.
func TestContext(t *testing.T) {
	cases := []struct {
		name  string
		lines []string
		want  []string
	}{
		{
			"injected texts are there, and nobody's",
			[]string{item(user(agents, environment)), item(`{"type":"message","role":"developer","content":[{"type":"input_text","text":"D"}]}`), item(user("one"))},
			[]string{"user: " + agents + " | " + environment, "user: D", "user: one"},
		},
		{"a message that mixes both", []string{item(user(environment, "one"))}, []string{"user: " + environment, "user: one"}},
		{
			"what older versions put in",
			[]string{item(user("<user_instructions>\nU\n</user_instructions>", "one"))},
			[]string{"user: <user_instructions>\nU\n</user_instructions>", "user: one"},
		},
		{
			"one answer of several items",
			[]string{settings, item(user("one")), item(`{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"x"}`), item(says("A")), item(`{"type":"function_call","name":"sh","arguments":"{\"a\":1}","call_id":"c"}`), item(`{"type":"function_call_output","call_id":"c","output":"out"}`)},
			[]string{"user: one", `assistant: (hm) | A | sh{"a":1}`, "toolResult: out"},
		},
		{
			"results in another order",
			[]string{item(`{"type":"function_call","name":"sh","arguments":"{}","call_id":"c"}`), item(`{"type":"custom_tool_call","name":"patch","input":"*** x","call_id":"d"}`), item(`{"type":"custom_tool_call_output","call_id":"d","output":"2"}`), item(`{"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":"1"}]}`)},
			[]string{`assistant: sh{} | patch{"input":"*** x"}`, "toolResult: 1", "toolResult: 2"},
		},
		{
			"compacted, and told what to",
			[]string{item(user("one")), item(says("A")), `compacted {"message":"Another language model started to solve this problem: S","replacement_history":[` + user("one") + `,` + user(agents) + `,` + user("Another language model started to solve this problem: S") + `]}`, item(user("two"))},
			[]string{"user: one", "user: " + agents, "user: Another language model started to solve this problem: S", "user: two"},
		},
		{
			"compacted by the provider",
			[]string{item(user("one")), `compacted {"message":"","replacement_history":[` + user("one") + `,{"type":"compaction","encrypted_content":"x"}]}`},
			[]string{"user: one", "user: [summary not readable: encrypted]"},
		},
		{"compacted to nothing", []string{item(user("one")), `compacted {"message":"","replacement_history":[]}`}, []string{"user: [summary not readable: empty]"}},
		{
			"compacted, the old way",
			[]string{item(user(agents)), item(user("one")), item(says("A")), item(user(agents)), item(user("two")), `compacted {"message":"S"}`, item(says("B"))},
			[]string{"user: " + agents, "user: one", "user: two", "user: S", "assistant: B"},
		},
		{
			"twice",
			[]string{item(user("one")), `compacted {"message":"` + summary("1") + `"}`, item(user("two")), `compacted {"message":"S"}`},
			[]string{"user: one", "user: two", "user: S"},
		},
		{
			"twice, the first time with a summary that Codex does not know for one",
			[]string{item(user("one")), `compacted {"message":"T"}`, item(user("two")), `compacted {"message":"S"}`},
			[]string{"user: one", "user: T", "user: two", "user: S"},
		},
		{"compacted to no summary", []string{item(user("one")), `compacted {"message":""}`}, []string{"user: one", "user: (no summary available)"}},
		{
			"a message of the system that a compaction told",
			[]string{item(user("one")), tells(`{"type":"message","role":"system","content":[{"type":"input_text","text":"D"}]}`, user("one"))},
			[]string{"user: D", "user: one"},
		},
		{"a message of the system", []string{item(`{"type":"message","role":"system","content":[{"type":"input_text","text":"D"}]}`), item(user("one"))}, []string{"user: one"}},
		{
			"rolled back",
			[]string{item(user(agents)), item(user("one")), item(says("A")), item(user("two")), item(says("B")), `event_msg {"type":"thread_rolled_back","num_turns":1}`, item(user("three"))},
			[]string{"user: " + agents, "user: one", "assistant: A", "user: three"},
		},
		{
			"more than there is",
			[]string{item(user(agents)), item(user("one")), `event_msg {"type":"thread_rolled_back","num_turns":9}`, item(user("two"))},
			[]string{"user: " + agents, "user: two"},
		},
		{
			"rolled back into what was kept",
			[]string{item(user("one")), item(says("A")), item(user("two")), `compacted {"message":"` + summary("S") + `"}`, item(user("three")), rollBack(2), item(user("four"))},
			[]string{"user: one", "user: four"},
		},
		{
			"rolled back over two compactions that did not tell the context",
			[]string{item(user("one")), item(says("A")), `compacted {"message":"` + summary("S") + `"}`, item(user("two")), `compacted {"message":"` + summary("T") + `"}`, item(user("three")), rollBack(2), item(user("four"))},
			[]string{"user: one", "user: four"},
		},
		{
			"rolled back over a compaction that told the context to one that did not",
			[]string{item(user("one")), `compacted {"message":"` + summary("S") + `"}`, item(user("two")), tells(user("K")), item(user("three")), rollBack(2), item(user("four"))},
			[]string{"user: one", "user: " + summaryFirst + "S", "user: four"},
		},
		{
			"rolled back over a compaction that told the context",
			[]string{item(user("one")), item(says("A")), item(user("two")), `compacted {"message":"","replacement_history":[` + user("one") + `,` + user("two") + `]}`, item(says("B")), item(user("three")), `event_msg {"type":"thread_rolled_back","num_turns":2}`, item(user("four"))},
			[]string{"user: one", "assistant: A", "user: four"},
		},
		{
			"rolled back over one of two",
			slices.Concat(turn("1", item(user("one")), tells(user("S"))), turn("2", item(user("two")), item(says("B"))), turn("3", item(user("three")), tells(user("T"))), turn("4", item(user("four"))), []string{rollBack(2)}, turn("5", item(user("five")))),
			[]string{"user: S", "user: two", "assistant: B", "user: five"},
		},
		{
			"rolled back over one of two, where nothing says where turns begin",
			[]string{item(user("one")), tells(user("S")), item(user("two")), item(says("B")), item(user("three")), tells(user("T")), item(user("four")), rollBack(2), item(user("five"))},
			[]string{"user: one", "user: two", "assistant: B", "user: five"},
		},
		{
			"rolled back in part of a turn in which a person spoke twice, and its compaction",
			slices.Concat(turn("1", item(user("one"))), turn("2", item(user("two")), tells(user("K")), item(says("B")), item(user("more")), item(says("C"))), []string{rollBack(1)}, turn("3", item(user("three")))),
			[]string{"user: one", "user: two", "assistant: B", "user: three"},
		},
		{
			"rolled back, and compacted where nothing says where turns begin",
			[]string{item(user("one")), rollBack(1), item(user("two")), tells(user("K")), item(user("three"))},
			[]string{"user: two", "user: three"},
		},
		{
			"rolled back into what a compaction told that bounds all",
			[]string{item(user("one")), item(user("two")), `compacted {"message":"","replacement_history":[` + user("K") + `,` + user("L") + `],"window_number":1,"resume_metadata":{}}`, item(user("three")), rollBack(2)},
			[]string{"user: K"},
		},
		{
			"rolled back over one to right behind another",
			slices.Concat(turn("1", item(user("one")), tells(user("one"), user("S"))), turn("2", item(user("two")), tells(user("T"))), []string{rollBack(1)}, turn("3", item(user("three")))),
			[]string{"user: one", "user: S", "user: three"},
		},
		{
			"rolled back to right behind one that ends with what was put in",
			slices.Concat(turn("1", item(user("one")), tells(user(agents))), turn("2", item(user("two"))), []string{rollBack(1)}, turn("3", item(user("three")))),
			[]string{"user: " + agents, "user: three"},
		},
		{
			"rolled back to one, and compacted without telling the context",
			slices.Concat(turn("1", item(user("one")), tells(user("S"))), turn("2", item(user("two")), item(says("B"))), turn("3", item(user("three")), tells(user("T"))), turn("4", item(user("four"))), []string{rollBack(2)}, turn("5", `compacted {"message":"U"}`)),
			[]string{"user: S", "user: two", "user: U"},
		},
		{
			"rolled back, with what was put in for the turn",
			[]string{item(user(agents)), item(user("one")), item(says("A")), item(user("<user_shell_command>ls</user_shell_command>")), item(user("two")), `event_msg {"type":"thread_rolled_back","num_turns":1}`, item(user("three"))},
			[]string{"user: " + agents, "user: one", "assistant: A", "user: three"},
		},
		{
			"rolled back to right after it",
			[]string{item(user("one")), `compacted {"message":"","replacement_history":[` + user("one") + `]}`, item(user("three")), `event_msg {"type":"thread_rolled_back","num_turns":1}`, item(user("four"))},
			[]string{"user: one", "user: four"},
		},
		{"all of it", []string{item(user("one")), item(user("two")), `event_msg {"type":"thread_rolled_back","num_turns":2}`, item(user("three"))}, []string{"user: three"}},
		{"a turn that failed", []string{item(user("one")), `event_msg {"type":"task_complete","error":{"message":"E"}}`, item(user("two"))}, []string{"user: one", "user: two"}},
		{
			"a picture",
			[]string{item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"<image name=[Image #1]>"},{"type":"input_image","image_url":"data:image/png;base64,AQID"},{"type":"input_text","text":"what"}]}`)},
			[]string{"user: <image name=[Image #1]> | [image] | what"},
		},
		{
			"a picture that the provider has, and a search that a server made",
			[]string{
				item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"what"},{"type":"input_image","file_id":"f"}]}`),
				item(`{"type":"web_search_call","status":"completed","action":{"type":"search","query":"heron"}}`),
			},
			[]string{"user: what | [as it is]", "assistant: [as it is]"},
		},
		{
			"pictures in whose place Codex says something",
			[]string{
				item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"what"},{"type":"input_image","image_url":"HTTPS://x.test/a.png"},{"type":"input_image","image_url":"data:application/pdf;base64,AQID"}]}`),
				item(`{"type":"function_call","name":"view","arguments":"{}","call_id":"c"}`),
				item(`{"type":"function_call_output","call_id":"c","output":[{"type":"input_image","image_url":"https://x.test/a.png"}]}`),
			},
			[]string{"user: what | " + elsewhere + " | " + noImage, "assistant: view{}", "toolResult: " + elsewhere},
		},
		{
			"labels say what was typed",
			[]string{item(`{"type":"message","role":"user","content":[{"type":"input_text","text":"x"},{"type":"input_text","text":"<skill>"}],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["host_skills.instructions","user.text"]}}`)},
			[]string{"user: x", "user: <skill>"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := read(t, envelope(0, append([]string{header(id, "")}, c.lines...)...))
			if got := r.View(t); !slices.Equal(got, c.want) {
				t.Errorf("\n got %q\nwant %q\n%s", got, c.want, r.Log)
			}
		})
	}
}

// TestKeptUserMessages: a compaction of the old way keeps 20,000 tokens of what the user said, the newest whole.
func TestKeptUserMessages(t *testing.T) {
	long := strings.Repeat("x", 50_000)
	view := read(t, envelope(0, header(id, ""), item(user("first")), item(user("a"+long)), item(user("b"+long)), `compacted {"message":"S"}`)).View(t)
	if len(view) != 3 || !strings.HasPrefix(view[1], "user: b") || !strings.HasPrefix(view[0], "user: ax") || !strings.Contains(view[0], "…5002 tokens truncated…") || len(view[0]) > 31_000 {
		t.Errorf("%.200q", view)
	}
}

func TestBareGeneration(t *testing.T) {
	text := `{"id":"` + id + `","timestamp":"2025-08-01T10:00:00Z","instructions":null}
{"record_type":"state"}
` + user("<environment_context>\nCurrent working directory: /old\n</environment_context>") + "\n" + user("one") + "\n" + says("A") + `
{"type":"local_shell_call","id":"i","call_id":"c","status":"completed","action":{"type":"exec","command":["ls"]}}
{"type":"function_call_output","call_id":"c","output":"{\"output\":\"no\",\"metadata\":{\"exit_code\":2}}"}
`
	env := sourcetest.Env(t, t.TempDir())
	sourcetest.Write(t, env.Home, place, text)
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	if found.ID != id || found.Cwd != "/old" || found.FirstMessage != "one" || found.CreatedAt.IsZero() {
		t.Errorf("%+v", found)
	}
	r := sourcetest.Read(t, Source{}, env, found)
	want := []string{
		"user: <environment_context>\nCurrent working directory: /old\n</environment_context>", "user: one",
		`assistant: A | local_shell{"type":"exec","command":["ls"]}`, `toolResult: {"output":"no","metadata":{"exit_code":2}}`,
	}
	if got := r.View(t); !slices.Equal(got, want) || !r.Context(t).Messages[3].IsError {
		t.Errorf("%q", got)
	}
}

// TestBareWithoutEnvironment: the first versions wrote no folder; nobody knows it then.
func TestBareWithoutEnvironment(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	sourcetest.Write(t, env.Home, place, `{"id":"`+id+`","timestamp":"2025-08-01T10:00:00Z","instructions":"# Rules","git":{}}
{"record_type":"state"}
`+user("<user_instructions>\n# Rules\n</user_instructions>")+"\n"+user("one")+"\n"+says("A")+"\n")
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	if found.Cwd != "" || found.Model != "" || found.Version != "" || found.FirstMessage != "one" {
		t.Errorf("%+v", found)
	}
}

func TestFirstGeneration(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	sourcetest.Write(t, env.Home, ".codex/sessions/rollout-2025-05-07-"+id+".json", `{
 "session": {"id": "`+id+`", "timestamp": "2025-05-07T10:00:00Z", "instructions": ""},
 "items": [`+user("one")+`, `+says("A")+`]
}`)
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	if got := sourcetest.Read(t, Source{}, env, found).View(t); found.FirstMessage != "one" || !slices.Equal(got, []string{"user: one", "assistant: A"}) {
		t.Errorf("%+v %q", found, got)
	}
}

// TestFirstGenerationTooLarge: one that is too large to be read is told of as that.
func TestFirstGenerationTooLarge(t *testing.T) {
	env := sourcetest.Env(t, t.TempDir())
	path := sourcetest.Write(t, env.Home, ".codex/sessions/rollout-2025-05-07-"+id+".json", `{"session":{"id":"`+id+`"},"items":[]}`)
	sourcetest.Stretch(t, path, 65<<20)
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	if found.ID != id || !strings.HasSuffix(found.Problem, "68157440 bytes: "+sources.ErrTooLarge.Error()) {
		t.Errorf("%+v", found)
	}
	if r := sourcetest.Read(t, Source{}, env, found); !errors.Is(r.Err, sources.ErrTooLarge) {
		t.Error(r.Err)
	}
}
