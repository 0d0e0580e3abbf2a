package claudecode

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/sources/sourcetest"
)

const (
	id    = "4b0284a1-19f7-458d-8a6f-db618bf7386b"
	place = ".claude/projects/-w/" + id + ".jsonl"
)

// rows writes them in short: "uuid parent rest-of-the-object".
func rows(lines ...string) string {
	var b strings.Builder
	for i, line := range lines {
		if strings.HasPrefix(line, "{") {
			b.WriteString(line + "\n")
			continue
		}
		uuid, rest, _ := strings.Cut(line, " ")
		parent, rest, _ := strings.Cut(rest, " ")
		up := `"` + parent + `"`
		if parent == "-" {
			up = "null"
		}
		own := `"sessionId":"` + id + `",`
		if strings.Contains(rest, `"sessionId"`) {
			own = ""
		}
		fmt.Fprintf(&b, `{"uuid":%q,"parentUuid":%s,%s"timestamp":"2026-01-02T10:00:%02d.000Z","cwd":"/w","version":"2.1",%s}`+"\n", uuid, up, own, i%60, rest)
	}
	return b.String()
}

func user(text string) string {
	return fmt.Sprintf(`"type":"user","message":{"role":"user","content":%q}`, text)
}

func said(message, block string, output int) string {
	return fmt.Sprintf(`"type":"assistant","message":{"id":%q,"role":"assistant","model":"claude-x","content":[%s],"stop_reason":"end_turn","usage":{"input_tokens":3,"cache_read_input_tokens":2,"cache_creation_input_tokens":1,"output_tokens":%d}}`, message, block, output)
}

func text(s string) string { return `{"type":"text","text":"` + s + `"}` }

func call(id string) string {
	return `{"type":"tool_use","id":"` + id + `","name":"Bash","input":{"c":1}}`
}

func done(call, output string) string {
	return `"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"` + call + `","content":"` + output + `"}]}`
}

func boundary(rest string) string {
	return `"type":"system","subtype":"compact_boundary","content":"Conversation compacted"` + rest
}

const (
	summed  = `"type":"user","isCompactSummary":true,"isVisibleInTranscriptOnly":true,"message":{"role":"user","content":"S"}`
	summary = "user: S" // as its row has it
)

func read(t *testing.T, text string) *sourcetest.Reading {
	t.Helper()
	env := sourcetest.Env(t, t.TempDir())
	sourcetest.Write(t, env.Home, place, text)
	r := sourcetest.Read(t, Source{}, env, sourcetest.Find(t, Source{}, env)[0])
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r
}

// TestContext: what the model sees follows Claude Code's own rules.
func TestContext(t *testing.T) {
	kept := func(head, tail string) string {
		return `,"logicalParentUuid":"` + tail + `","compactMetadata":{"trigger":"auto","preTokens":9,"preservedSegment":{"headUuid":"` + head + `","tailUuid":"` + tail + `"}}`
	}
	cases := []struct {
		name  string
		lines []string
		want  []string
	}{
		{
			"an answer is a row for each block",
			[]string{"1 - " + user("one"), "2 1 " + said("m", `{"type":"thinking","thinking":"hm","signature":"s"}`, 1), "3 2 " + said("m", text("A"), 1), "4 3 " + said("m", call("c"), 9), "5 4 " + done("c", "out")},
			[]string{"user: one", `assistant: (hm) | A | Bash{"c":1}`, "toolResult: out"},
		},
		{
			"results of parallel calls are no branches",
			[]string{"1 - " + user("one"), "2 1 " + said("m", call("c"), 1), "3 2 " + said("m", call("d"), 1), "4 2 " + done("c", "first"), "5 3 " + done("d", "second"), "6 5 " + said("n", text("A"), 1)},
			[]string{"user: one", `assistant: Bash{"c":1} | Bash{"c":1}`, "toolResult: first", "toolResult: second", "assistant: A"},
		},
		{
			"results of parallel calls of two answers",
			[]string{"1 - " + user("one"), "2 1 " + said("m", call("c"), 1), "3 2 " + said("n", call("d"), 1), "4 2 " + done("c", "first"), "5 3 " + done("d", "second"), "6 5 " + said("o", text("A"), 1)},
			[]string{"user: one", `assistant: Bash{"c":1}`, "toolResult: first", `assistant: Bash{"c":1}`, "toolResult: second", "assistant: A"},
		},
		{
			"a result between two blocks of an answer",
			[]string{"1 - " + user("one"), "2 1 " + said("m", call("c"), 1), "3 2 " + done("c", "first"), "4 3 " + said("m", call("d"), 1), "5 4 " + done("d", "second"), "6 3 " + said("n", text("A"), 1)},
			[]string{"user: one", `assistant: Bash{"c":1} | Bash{"c":1}`, "toolResult: first", "toolResult: second", "assistant: A"},
		},
		{
			"a conversation that is begun anew with a row that says nothing",
			[]string{"1 - " + user("one"), "2 1 " + said("m", text("A"), 1), `p - "type":"progress"`, "3 p " + user("two"), "4 3 " + said("n", text("B"), 1)},
			[]string{"user: two", "assistant: B"},
		},
		{
			"a prompt below a row that says nothing, behind what a subagent said",
			[]string{`a - "isSidechain":true,` + user("aside"), `b a "isSidechain":true,` + said("s", text("did"), 1), `p - "type":"progress"`, "1 p " + user("one")},
			[]string{"user: one"},
		},
		{
			"a subagent that begins with a row that says nothing",
			[]string{"1 - " + user("one"), `p - "isSidechain":true,"type":"progress"`, `a p "isSidechain":true,` + user("aside"), "2 1 " + said("m", text("A"), 1)},
			[]string{"user: one", "assistant: A"},
		},
		{
			"the first prompt again, below a row that says nothing, behind one that was put in",
			[]string{`n - "type":"system","subtype":"local_command","content":"ran"`, `p - "type":"progress"`, "1 p " + user("one"), "2 1 " + said("m", text("A"), 1), "3 p " + user("two")},
			[]string{"user: ran", "user: two"},
		},
		{
			"a prompt that was edited, below a row that was never written",
			[]string{"1 - " + user("one"), "3 gone " + user("old"), "4 3 " + said("n", text("B"), 1), "5 gone " + user("new")},
			[]string{"user: one", "user: new"},
		},
		{
			"the first prompt that was edited, below a row of another file",
			[]string{"3 gone " + user("old"), "4 3 " + said("n", text("B"), 1), "5 gone " + user("new")},
			[]string{"user: new"},
		},
		{
			"answers and results below a row that was never written",
			[]string{"1 - " + user("one"), "2 gone " + said("m", call("c"), 1), "3 gone " + done("c", "first"), "4 gone " + said("n", text("A"), 1)},
			[]string{"user: one", `assistant: Bash{"c":1}`, "toolResult: first", "assistant: A"},
		},
		{
			"a prompt that was edited",
			[]string{"1 - " + user("one"), "2 1 " + said("m", text("A"), 1), "3 2 " + user("old"), "4 3 " + said("n", text("B"), 1), "5 2 " + user("new")},
			[]string{"user: one", "assistant: A", "user: new"},
		},
		{"the first prompt edited", []string{"1 - " + user("old"), "2 1 " + said("m", text("A"), 1), "3 - " + user("new")}, []string{"user: new"}},
		{
			"the same id in a later answer",
			[]string{"1 - " + user("one"), "2 1 " + said("m", text("A"), 1), "3 2 " + user("two"), "4 3 " + said("m", text("B"), 1)},
			[]string{"user: one", "assistant: A", "user: two", "assistant: B"},
		},
		{
			"rows that are there again",
			[]string{"1 - " + user("one"), "2 1 " + said("m", text("A"), 1), "1 - " + user("one"), "2 1 " + said("m", text("A"), 1), "3 2 " + user("two")},
			[]string{"user: one", "assistant: A", "user: two"},
		},
		{
			"a row that is there again below another one",
			[]string{"1 - " + user("one"), "2 1 " + said("m", text("A"), 1), "3 2 " + user("two"), "4 3 " + said("n", text("B"), 1), "5 4 " + user("three"), "6 5 " + said("o", text("C"), 1), "5 2 " + user("three"), "7 6 " + user("four")},
			[]string{"user: one", "assistant: A", "user: three", "assistant: C", "user: four"},
		},
		{
			"a row that is there again with other words",
			[]string{"1 - " + user("one"), "2 1 " + said("m", text("A"), 1), "3 2 " + user("two"), "1 - " + user("other"), "4 3 " + said("n", text("B"), 1)},
			[]string{"user: other", "assistant: A", "user: two", "assistant: B"},
		},
		{
			"a row of an answer that is there again with other words",
			[]string{"1 - " + user("one"), "2 1 " + said("m", text("A"), 1), "3 2 " + said("m", text("B"), 1), "3 2 " + said("m", text("C"), 1), "4 3 " + user("two")},
			[]string{"user: one", "assistant: A | C", "user: two"},
		},
		{"a parent that was never written", []string{"1 - " + user("one"), "3 9 " + user("two"), "4 3 " + said("m", text("A"), 1)}, []string{"user: one", "user: two", "assistant: A"}},
		{
			"bookkeeping between",
			[]string{"1 - " + user("one"), `2 1 "type":"progress","data":{}`, `{"type":"mode","mode":"normal"}`, "3 2 " + said("m", text("A"), 1), `4 3 "type":"system","subtype":"turn_duration"`, "5 4 " + user("two")},
			[]string{"user: one", "assistant: A", "user: two"},
		},
		{
			"a subagent in the same file",
			[]string{"1 - " + user("one"), "2 1 " + said("m", call("c"), 1), `a - "isSidechain":true,` + user("do it"), `b a "isSidechain":true,` + said("s", text("did"), 1), "3 2 " + done("c", "out"), `d b "isSidechain":true,` + user("more")},
			[]string{"user: one", `assistant: Bash{"c":1}`, "toolResult: out"},
		},
		{
			"compacted, a tail kept",
			[]string{"1 - " + user("one"), "2 1 " + said("m", text("A"), 1), "3 2 " + user("two"), "4 3 " + said("n", text("B"), 1), "5 - " + boundary(kept("3", "4")), "6 5 " + summed, "7 6 " + user("three")},
			[]string{summary, "user: two", "assistant: B", "user: three"},
		},
		{
			"gone on below the kept tail",
			[]string{"1 - " + user("one"), "2 1 " + said("m", text("A"), 1), "3 2 " + user("two"), "4 3 " + said("n", text("B"), 1), "5 - " + boundary(kept("3", "4")), "6 5 " + summed, "7 4 " + user("three")},
			[]string{summary, "user: two", "assistant: B", "user: three"},
		},
		{
			"rewound to what was kept",
			[]string{"1 - " + user("one"), "2 1 " + said("m", text("A"), 1), "3 2 " + user("two"), "4 3 " + said("n", text("B"), 1), "5 4 " + user("old"), "6 - " + boundary(kept("3", "5")), "7 6 " + summed, "8 7 " + user("gone"), "9 4 " + user("new"), "10 9 " + said("o", text("C"), 1), "11 4 " + user("newer")},
			[]string{summary, "user: two", "assistant: B", "user: newer"},
		},
		{
			"compacted again below the kept tail",
			[]string{"1 - " + user("one"), "2 1 " + said("m", text("A"), 1), "3 2 " + user("two"), "4 - " + boundary(kept("3", "3")), "5 4 " + summed, "6 - " + boundary(`,"logicalParentUuid":"3"`), "7 6 " + summed, "8 7 " + user("three")},
			[]string{summary, "user: three"},
		},
		{
			"what a subagent's compaction kept is none of the conversation's",
			[]string{"1 - " + user("one"), `a - "isSidechain":true,` + user("aside"), `b - "isSidechain":true,` + boundary(kept("a", "a")), `c b "isSidechain":true,` + summed, "2 1 " + user("two")},
			[]string{"user: one", "user: two"},
		},
		{
			"rewound to before a compaction that kept something",
			[]string{"1 - " + user("one"), "2 1 " + said("m", text("A"), 1), "3 2 " + user("two"), "4 - " + boundary(kept("3", "3")), "5 4 " + summed, "6 5 " + user("old"), "7 2 " + user("new")},
			[]string{summary, "user: two", "user: new"},
		},
		{"compacted, nothing kept", []string{"1 - " + user("one"), "2 - " + boundary(`,"logicalParentUuid":"1"`), "3 2 " + summed, "4 3 " + user("two")}, []string{summary, "user: two"}},
		{
			"a reminder before the summary",
			[]string{"1 - " + user("one"), "2 - " + boundary(kept("1", "1")), `3 2 "type":"attachment","attachment":{"type":"date"},"rendered":[{"content":"D"}]`, "4 3 " + summed, "5 4 " + user("two")},
			[]string{summary, "user: one", "user: D", "user: two"},
		},
		{
			"a fork from behind a compaction",
			[]string{"2 - " + boundary(kept("4", "5")), "3 2 " + summed, "4 3 " + user("kept"), "5 4 " + said("m", text("A"), 1), "6 5 " + user("two")},
			[]string{summary, "user: kept", "assistant: A", "user: two"},
		},
		{"a summary without a boundary", []string{"1 - " + user("one"), "2 1 " + summed, "3 2 " + user("two")}, []string{summary, "user: two"}},
		{
			"a boundary without a summary",
			[]string{"1 - " + user("one"), "2 - " + boundary("")},
			[]string{"user: one"},
		},
		{
			"gone on below a boundary without a summary",
			[]string{"1 - " + user("one"), "2 - " + boundary(`,"logicalParentUuid":"1"`), "3 2 " + user("two"), "4 3 " + said("m", text("A"), 1), "5 - " + boundary(`,"logicalParentUuid":"4"`)},
			[]string{"user: two", "assistant: A"},
		},
		{
			"gone on before a boundary without a summary",
			[]string{"1 - " + user("one"), "2 1 " + said("m", text("A"), 1), "3 - " + boundary(`,"logicalParentUuid":"2"`), "4 2 " + user("two")},
			[]string{"user: one", "assistant: A", "user: two"},
		},
		{
			"twice",
			[]string{"1 - " + user("one"), "2 - " + boundary(""), "3 2 " + strings.Replace(summed, `"S"`, `"S0"`, 1), "4 3 " + user("two"), "5 - " + boundary(kept("4", "4")), "6 5 " + summed},
			[]string{summary, "user: two"},
		},
		{
			"old results cleared",
			[]string{"1 - " + user("one"), "2 1 " + said("m", call("c"), 1), "3 2 " + done("c", "out"), `4 3 "type":"system","subtype":"microcompact_boundary","microcompactMetadata":{"tokensSaved":5,"compactedToolIds":["c"]}`},
			[]string{"user: one", `assistant: Bash{"c":1}`, "toolResult: [Old tool result content cleared]"},
		},
		{
			"rows without ids",
			[]string{`{"type":"user","message":{"role":"user","content":"one"}}`, `{"type":"assistant","message":{"content":[{"type":"text","text":"A"}]}}`},
			[]string{"user: one", "assistant: A"},
		},
		{
			"an answer that failed",
			[]string{"1 - " + user("one"), `2 1 "isApiErrorMessage":true,"type":"assistant","message":{"id":"x","model":"<synthetic>","content":[{"type":"text","text":"API Error"}]}`, "3 2 " + user("two")},
			[]string{"user: one", "user: two"},
		},
		{"a message that is shown in the transcript alone", []string{`1 - "isVisibleInTranscriptOnly":true,` + user("one")}, []string{"user: one"}},
		{
			"what was put in",
			[]string{`1 - "isMeta":true,` + user("meta"), "2 1 " + user("<command-name>/x</command-name>"), `3 2 "type":"attachment","attachment":{"type":"queued_command","prompt":"also this"}`, `4 3 "type":"attachment","attachment":{"type":"file","content":{"file":{"content":"F"}}}`},
			[]string{"user: meta", "user: <command-name>/x</command-name>", "user: also this", "user: F"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := read(t, rows(c.lines...))
			if got := r.View(t); !slices.Equal(got, c.want) {
				t.Errorf("\n got %q\nwant %q\n%s", got, c.want, r.Log)
			}
		})
	}
}
