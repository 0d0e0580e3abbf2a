package sources

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// TestEveryKindIsARecord: what a reading may hold is a record as our own logs have them.
func TestEveryKindIsARecord(t *testing.T) {
	var out bytes.Buffer
	kept := map[string]bool{}
	l := NewLog("codex", "s1", &out, func([]byte) (string, error) { kept["sha"] = true; return "sha", nil })
	at := Meta{Time: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), Entry: "e1", More: map[string]json.RawMessage{"role": []byte(`"x"`), "gitBranch": []byte(`"main"`)}}
	user := l.Message(Message{Meta: at, Role: record.RoleUser, Content: []Block{l.Text("hello"), l.Image("image/png", []byte{1})}})
	l.Message(Message{Role: record.RoleAssistant, Content: []Block{{Type: "toolCall", ID: "c", Name: "ls", Arguments: []byte(`"{\"a\":1}"`)}, {Raw: []byte(`{"type":"odd"}`)}}})
	l.Message(Message{Role: record.RoleToolResult, ToolCallID: "c", Content: []Block{l.Text("")}})
	l.Broken([]byte("{\"half\":\n"))
	l.Broken([]byte(`{"recordType":"message","seq":99,"schemaVersion":1}`))
	compaction := l.Compaction(Compaction{FirstKept: user, Summary: "S", Replacement: []Message{{Role: record.RoleUser, Content: []Block{{Type: "text", Text: "R"}}}}})
	l.Prune(Prune{Seqs: []int64{3}})
	l.Revert(Revert{Target: compaction})
	l.Label(Label{Target: 1, Label: "L"})
	l.Model(Model{Model: record.Model{Provider: "p", Model: "m"}})
	l.Note(Note{Namespace: "codex.x"})
	last := l.Branch(Branch{From: 3})
	if l.Err() != nil || l.Damaged() != 2 || !kept["sha"] {
		t.Fatal(l.Err(), l.Damaged())
	}
	records := 0
	for line := range bytes.Lines(out.Bytes()) {
		h, err := record.Scan(bytes.TrimRight(line, "\n"))
		if err != nil {
			t.Logf("%s: %v", line, err)
			continue
		}
		if records++; h.Newer || h.Seq != int64(records) {
			t.Errorf("%s: %+v", line, h)
		}
	}
	if int64(records) != last {
		t.Errorf("%d records, the last is %d", records, last)
	}
	c, err := overlay.Resolve(session.NewReverse(bytes.NewReader(out.Bytes()), int64(out.Len())), overlay.Options{})
	if err != nil || len(c.Messages) != 3 {
		t.Errorf("%d messages, %v", len(c.Messages), err)
	}
	if !bytes.Contains(out.Bytes(), []byte(`"gitBranch":"main"`)) || bytes.Contains(out.Bytes(), []byte(`"role":"x"`)) {
		t.Errorf("%s", out.String())
	}
}

// TestWhoAsks: in a session that an agent started it asks, but for what was copied from before, where a person did.
func TestWhoAsks(t *testing.T) {
	for _, c := range []struct {
		Relation
		Message
		want bool
	}{
		{"", Message{Role: record.RoleUser}, false},
		{"", Message{Role: record.RoleUser, ByAgent: true}, true},
		{Fork, Message{Role: record.RoleUser}, false},
		{Subagent, Message{Role: record.RoleUser}, true},
		{Subagent, Message{Role: record.RoleUser, Typed: true}, false},
		{Subagent, Message{Role: record.RoleUser, Meta: Meta{Copied: true}}, false},
		{Subagent, Message{Role: record.RoleAssistant}, false},
		{Subagent, Message{Role: record.RoleToolResult, ByAgent: true}, false},
	} {
		var out bytes.Buffer
		LogOf(&Found{Agent: "a", ID: "s", Relation: c.Relation}, &out, nil).Message(c.Message)
		rec, err := record.Decode(bytes.TrimRight(out.Bytes(), "\n"))
		if err != nil || rec.Message.ByAgent != c.want || rec.Message.Asked() != (c.Role == record.RoleUser && !c.want) {
			t.Errorf("%+v: %s, %v", c, out.String(), err)
		}
	}
}

// TestLongNames: what each record says of where it comes from is short, and another one for another name.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("é", 1<<10)
	var out bytes.Buffer
	NewLog("x", long, &out, nil).Message(Message{Role: record.RoleUser})
	if out.Len() > len(long) {
		t.Errorf("%d bytes for a message of nothing", out.Len())
	}
	if got := Name(long + "1"); got == Name(long+"2") || got != Name(long+"1") || got != Name(got) || !utf8.ValidString(got) || Name("short") != "short" {
		t.Errorf("%q", got)
	}
}

// TestPlausible: what no request can have had is unknown, whichever agent tells it.
func TestPlausible(t *testing.T) {
	for _, u := range []record.Usage{{Input: -1}, {Output: 2_000_000_000}, {CacheRead: 1 << 62}, {CacheWrite: -5, Input: 1}} {
		var out bytes.Buffer
		NewLog("x", "y", &out, nil).Message(Message{Role: record.RoleAssistant, Usage: &u})
		if bytes.Contains(out.Bytes(), []byte("usage")) {
			t.Errorf("%+v: %s", u, out.Bytes())
		}
	}
	var out bytes.Buffer
	after := int64(-1)
	NewLog("x", "y", &out, nil).Compaction(Compaction{TokensBefore: 1 << 62, TokensAfter: &after})
	NewLog("x", "y", &out, nil).Compaction(Compaction{})
	if bytes.Contains(out.Bytes(), []byte("tokens")) { // unknown is not 0
		t.Errorf("%s", out.Bytes())
	}
	NewLog("x", "y", &out, nil).Message(Message{Role: record.RoleAssistant, Usage: &record.Usage{Input: 1_000_000}})
	if !bytes.Contains(out.Bytes(), []byte(`"input":1000000`)) {
		t.Errorf("%s", out.Bytes())
	}
}
