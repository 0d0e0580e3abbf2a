package pi

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/sourcetest"
)

const place = ".pi/agent/sessions/--w--/2026-01-02T10-00-00-000Z_s1.jsonl"

const head = `{"type":"session","version":3,"id":"s1","timestamp":"2026-01-02T10:00:00.000Z","cwd":"/w"}` + "\n"

// tree writes entries in short: "id parent rest-of-the-object".
func tree(lines ...string) string {
	var b strings.Builder
	b.WriteString(head)
	for i, line := range lines {
		id, rest, _ := strings.Cut(line, " ")
		parent, rest, _ := strings.Cut(rest, " ")
		up := `"` + parent + `"`
		if parent == "-" {
			up = "null"
		}
		fmt.Fprintf(&b, `{"id":%q,"parentId":%s,"timestamp":"2026-01-02T10:00:%02d.000Z",%s}`+"\n", id, up, i, rest)
	}
	return b.String()
}

func user(text string) string {
	return `"type":"message","message":{"role":"user","content":[{"type":"text","text":"` + text + `"}]}`
}

func said(text string) string {
	return `"type":"message","message":{"role":"assistant","provider":"p","model":"m","content":[{"type":"text","text":"` + text +
		`"}],"stopReason":"stop","usage":{"input":10,"output":2,"cacheRead":3,"cacheWrite":0,"cost":{"total":0.5}}}`
}

func stopped(text string) string {
	return strings.Replace(said(text), `"stopReason":"stop"`, `"stopReason":"aborted"`, 1)
}

func system(text string) string {
	return `"type":"message","message":{"role":"system","content":"","sections":{"a":"` + text + `","gone":null,"b":"B"}}`
}

func compacted(summary, kept, rest string) string {
	return `"type":"compaction","summary":"` + summary + `","firstKeptEntryId":"` + kept + `","tokensBefore":9` + rest
}

func read(t *testing.T, text string) (sources.Found, *sourcetest.Reading) {
	t.Helper()
	env := sourcetest.Env(t, t.TempDir())
	sourcetest.Write(t, env.Home, place, text)
	found := sourcetest.Only(t, sourcetest.Find(t, Source{}, env))
	return found, sourcetest.Read(t, Source{}, env, found)
}

const summary = "user: The conversation history before this point was compacted into the following summary:\n\n<summary>\n%s\n</summary>"

// TestOldVersions: entries without ids are a line of entries, and a compaction counts lines, the header as 0.
func TestOldVersions(t *testing.T) {
	text := `{"type":"session","id":"s1","timestamp":"2026-01-02T10:00:00Z","cwd":"/w","provider":"p","modelId":"m0","branchedFrom":"/x/2025_parent.jsonl"}
{"type":"message","message":{"role":"user","content":"one"}}
not json
{"type":"message","message":{"role":"hookMessage","content":"two"}}
{"type":"compaction","summary":"S","firstKeptEntryIndex":2,"tokensBefore":5}
{"type":"message","message":{"role":"user","content":"three"}}
`
	found, r := read(t, text)
	want := []string{fmt.Sprintf(summary, "S"), "user: two", "user: three"}
	if got := r.View(t); !slices.Equal(got, want) || r.Damaged != 1 {
		t.Errorf("%q, %d damaged", got, r.Damaged)
	}
	if found.Parent != "parent" || found.Relation != sources.Fork || found.Model != "m0" || r.Context(t).Model.Model != "m0" {
		t.Errorf("%+v", found)
	}
	forked := strings.Replace(text, `"id":"s1"`, `"version":3,"id":"s1"`, 1)
	if _, r = read(t, forked); !slices.Equal(r.View(t), []string{"user: three"}) {
		t.Errorf("entries without ids in a later version: %q", r.View(t))
	}
}

func TestMessages(t *testing.T) {
	_, r := read(t, tree(
		`1 - "type":"model_change","provider":"p","modelId":"m0"`,
		`2 1 "type":"thinking_level_change","thinkingLevel":"high"`,
		`3 2 "type":"message","message":{"role":"user","content":[{"type":"image","mimeType":"image/png","data":"AQID"},{"type":"odd"},{"type":"image"}]}`,
		"4 3 "+said("hi"),
		`5 4 "type":"message","message":{"role":"assistant","provider":"p","model":"m","content":[{"type":"thinking","thinking":"hm","thinkingSignature":"sig"},{"type":"toolCall","id":"c","name":"ls","arguments":{"a":1}}],"usage":{"input":0,"output":0},"stopReason":"toolUse"}`,
		`6 5 "type":"message","message":{"role":"toolResult","toolCallId":"c","toolName":"ls","content":[{"type":"text","text":"no"}],"details":{"exitCode":2},"isError":false}`,
		`7 6 "type":"message","message":{"role":"assistant","content":[],"stopReason":"error","errorMessage":"E"}`,
	))
	var messages []*record.Message
	for _, rec := range r.Records {
		if rec.Message != nil {
			messages = append(messages, rec.Message)
		}
	}
	if len(messages) != 5 || len(r.Blobs) != 1 {
		t.Fatalf("%d messages, %d blobs\n%s", len(messages), len(r.Blobs), r.Log)
	}
	if got := sourcetest.Plain(messages[0].Content); got != "[image] | [unknown] | [unknown]" {
		t.Error(got)
	}
	if u := messages[1].Usage; u == nil || u.Input != 10 || u.CacheRead != 3 || u.Cost == nil || *u.Cost != 0.5 {
		t.Errorf("%+v", u)
	}
	if m := messages[2]; m.Usage != nil || sourcetest.Plain(m.Content) != `(hm) | ls{"a":1}` || !strings.Contains(m.Content[0].JSON, `"sig"`) {
		t.Errorf("%+v", m)
	}
	if m := messages[3]; !m.IsError || m.ToolCallID != "c" {
		t.Errorf("%+v", m)
	}
	if m := messages[4]; m.StopReason != record.StopError || m.ErrorMessage != "E" {
		t.Errorf("%+v", m)
	}
	if m := r.Context(t).Model; m.Model != "m" || m.Provider != "p" || m.ReasoningEffort != "high" {
		t.Errorf("%+v", m)
	}
}

// TestAnEditIsNoCompaction: it has the form of one, and is told from those that pi made.
func TestAnEditIsNoCompaction(t *testing.T) {
	_, r := read(t, tree("1 - "+user("one"), "2 1 "+user("two"), "3 2 "+compacted("S", "2", ""), `4 3 "type":"context_edit","targetId":"2","replacement":{"content":"2!"}`))
	if got, want := r.Triggers(), []string{"unknown", record.TriggerEdit}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestWhatAToolTook: a tool may ask a model itself. What that took is no answer's, and stays with the result as pi has it.
func TestWhatAToolTook(t *testing.T) {
	_, r := read(t, tree(
		`1 - "type":"message","message":{"role":"assistant","provider":"p","model":"m","content":[{"type":"toolCall","id":"c","name":"ask","arguments":{}}]}`,
		`2 1 "type":"message","message":{"role":"toolResult","toolCallId":"c","content":"out","usage":{"input":7,"output":2,"cacheRead":0,"cacheWrite":0}}`,
	))
	rec := r.Records[len(r.Records)-1]
	if u := rec.Message.Usage; rec.Message.Role != record.RoleToolResult || u == nil || u.Input != 7 || u.Output != 2 {
		t.Errorf("%s", rec.JSON)
	}
}

// TestUntold: what was exported from here says which of the numbers that pi needs nobody told.
func TestUntold(t *testing.T) {
	answer := strings.Replace(said("A"), `"cost":`, `"untold":["cacheWrite","cost","new"],"cost":`, 1)
	_, r := read(t, tree("1 - "+user("one"), "2 1 "+answer))
	if u := r.Records[len(r.Records)-1].Message.Usage; u == nil || u.Untold != record.CacheWriteTokens || u.Input != 10 {
		t.Errorf("%+v", u)
	}
}
