package export

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
)

// TestKeptFromABranch: what a compaction keeps may begin with the record of a branch, which pi has no entry for.
func TestKeptFromABranch(t *testing.T) {
	const user = `{"recordType":"message","schemaVersion":1,"seq":SEQ,"role":"user","content":[{"type":"text","text":"x"}]}`
	for _, c := range []struct {
		from int64
		kept string
		want string
	}{
		{1, "3", "00000004"},
		{0, "3", "00000004"},
		{1, "1", "00000001"},
		{1, "5", "00000006"},
		{0, "1", "00000004"},
	} {
		lines := []string{
			strings.ReplaceAll(user, "SEQ", "1"), strings.ReplaceAll(user, "SEQ", "2"),
			`{"recordType":"branch","schemaVersion":2,"seq":3,"fromSeq":` + string(rune('0'+c.from)) + `}`,
			strings.ReplaceAll(user, "SEQ", "4"),
			`{"recordType":"model","schemaVersion":2,"seq":5,"provider":"","model":""}`, // of which pi has no entry either
			`{"recordType":"compaction","schemaVersion":1,"seq":6,"firstKeptSeq":` + c.kept + `,"summary":"s","tokensBefore":1,"readFiles":[],"modifiedFiles":[]}`,
		}
		var out bytes.Buffer
		p := NewPi(&out, Session{ID: "S"}, nil, nil)
		for _, line := range lines {
			rec, err := record.Decode([]byte(line))
			if err != nil {
				t.Fatal(line, err)
			}
			if err := p.Add(&rec, false); err != nil {
				t.Fatal(err)
			}
		}
		written := strings.Split(strings.TrimSpace(out.String()), "\n")
		last := gjson.Parse(written[len(written)-1])
		if last.Get("type").Str != "compaction" || last.Get("firstKeptEntryId").Str != c.want || last.Get("parentId").Str != "00000004" {
			t.Errorf("from %d, kept from %s: %s", c.from, c.kept, last)
		}
	}
}

// TestUntold: pi adds up the tokens of every answer without a look whether they are there, so a number stands for those that nobody told,
// and what is one of those is said beside them.
func TestUntold(t *testing.T) {
	for usage, want := range map[string]string{
		``:                                `["input","output","cacheRead","cacheWrite","cost"]`,
		`,"usage":{"input":3,"output":0}`: `["cacheRead","cacheWrite","cost"]`,
		`,"usage":{"input":3,"output":1,"cacheRead":0,"cacheWrite":0,"cost":0.5}`: ``,
		`,"usage":{"input":3,"output":1,"cacheRead":0,"cacheWrite":0}`:            `["cost"]`,
	} {
		rec, err := record.Decode([]byte(`{"recordType":"message","schemaVersion":1,"seq":1,"role":"assistant","content":[]` + usage + `}`))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := NewPi(&out, Session{ID: "S"}, nil, nil).Add(&rec, false); err != nil {
			t.Fatal(err)
		}
		written := gjson.Get(strings.Split(out.String(), "\n")[1], "message.usage")
		if got := written.Get("untold").Raw; got != want || written.Get("totalTokens").Type != gjson.Number || written.Get("cost.total").Type != gjson.Number {
			t.Errorf("%s: %s", usage, written)
		}
	}
}

// TestAside: what a person alone was shown is no message of pi's, but for an answer that was stopped, which it sends to no model either.
func TestAside(t *testing.T) {
	for stop, want := range map[string]string{"stop": "custom", "aborted": "message"} {
		rec, err := record.Decode([]byte(`{"recordType":"message","schemaVersion":1,"seq":1,"role":"assistant","aside":true,"stopReason":"` + stop + `","content":[]}`))
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := NewPi(&out, Session{ID: "S"}, nil, nil).Add(&rec, false); err != nil {
			t.Fatal(err)
		}
		if got := gjson.Get(strings.Split(out.String(), "\n")[1], "type").Str; got != want {
			t.Errorf("%s: %s", stop, out.String())
		}
	}
}

// TestBlocksAside: what of a message is not sent again is none of pi's blocks, and is kept on the entry; where nothing else is sent, the
// message is none of pi's.
func TestBlocksAside(t *testing.T) {
	const thinking = `{"type":"thinking","text":"hm","aside":true}`
	for content, want := range map[string]string{
		thinking + `,{"type":"text","text":"x"}`:               "message " + `[{"text":"x","type":"text"}] [` + thinking + "]",
		`{"type":"text","text":"x"}`:                           "message " + `[{"text":"x","type":"text"}] `,
		`{"type":"thinking","text":"hm"}`:                      "message " + `[{"thinking":"hm","type":"thinking"}] `,
		thinking:                                               "custom  ",
		thinking + `,{"type":"text","text":""}`:                "custom  ",
		`{"type":"text","text":"x","aside":true}`:              "custom  ",
		`{"type":"toolCall","id":"c","name":"ls"},` + thinking: "message " + `[{"arguments":{},"id":"c","name":"ls","type":"toolCall"}] [` + thinking + "]",
	} {
		entry := entryOf(t, `{"recordType":"message","schemaVersion":1,"seq":1,"role":"assistant","content":[`+content+`]}`)
		if got := entry.Get("type").Str + " " + entry.Get("message.content").Raw + " " + entry.Get("palimpsest.aside").Raw; got != want {
			t.Errorf("%s: %s", content, entry)
		}
	}
}

// entryOf is what a record alone is written as.
func entryOf(t *testing.T, line string) gjson.Result {
	t.Helper()
	rec, err := record.Decode([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := NewPi(&out, Session{ID: "S"}, nil, nil).Add(&rec, false); err != nil {
		t.Fatal(err)
	}
	return gjson.Parse(strings.Split(out.String(), "\n")[1])
}

// TestInstead: a result that shows as something else does so for pi.
func TestInstead(t *testing.T) {
	const call = `{"recordType":"message","schemaVersion":1,"seq":1,"role":"assistant","content":[{"type":"toolCall","id":"a","name":"ls","arguments":{}}]}`
	const result = `{"recordType":"message","schemaVersion":1,"seq":2,"role":"toolResult","toolCallId":"a","isError":false,"content":[{"type":"text","text":"whole"}]}`
	for text, want := range map[string]string{``: record.Cleared(2), `,"texts":["masked"]`: "masked"} {
		var out bytes.Buffer
		p := NewPi(&out, Session{ID: "S"}, nil, nil)
		for _, line := range []string{call, result, `{"recordType":"prune","schemaVersion":2,"seq":3,"seqs":[2],"tokensFreed":1` + text + `}`} {
			rec, err := record.Decode([]byte(line))
			if err != nil {
				t.Fatal(line, err)
			}
			if err := p.Add(&rec, false); err != nil {
				t.Fatal(err)
			}
		}
		written := strings.Split(strings.TrimSpace(out.String()), "\n")
		if got := gjson.Get(written[len(written)-1], "replacement.content.0.text").Str; got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
}
