package export

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
)

// entriesOf are the entries of a file of pi of records in short: u, a call c1 (failed: f1), a result r1, and b3, a branch from the third.
func entriesOf(t *testing.T, records string) string {
	t.Helper()
	forms := map[byte]string{
		'u': `"recordType":"message","schemaVersion":1,"role":"user","content":[{"type":"text","text":"u"}]`,
		'c': `"recordType":"message","schemaVersion":1,"role":"assistant","content":[{"type":"toolCall","id":"%s","name":"ls","arguments":{}}]`,
		'f': `"recordType":"message","schemaVersion":1,"role":"assistant","stopReason":"error","content":[{"type":"toolCall","id":"%s","name":"ls","arguments":{}}]`,
		'r': `"recordType":"message","schemaVersion":1,"role":"toolResult","toolCallId":"%s","isError":false,"content":[{"type":"text","text":"r"}]`,
		'b': `"recordType":"branch","schemaVersion":2,"fromSeq":%s`,
	}
	var out bytes.Buffer
	p := NewPi(&out, Session{ID: "S"}, nil, nil)
	for i, one := range strings.Fields(records) {
		line := forms[one[0]]
		if len(one) > 1 {
			line = fmt.Sprintf(line, one[1:])
		}
		rec, err := record.Decode(fmt.Appendf(nil, `{"seq":%d,%s}`, i+1, line))
		if err != nil {
			t.Fatal(line, err)
		}
		if err := p.Add(&rec, false); err != nil {
			t.Fatal(err)
		}
	}
	var written []string
	for line := range strings.Lines(out.String()) {
		if entry := gjson.Parse(line); entry.Get("type").Str == "message" {
			written = append(written, strings.TrimPrefix(entry.Get("id").Str, "0000000")+entry.Get("message.role").Str[:1])
		} else if kept := entry.Get("data.message.role").Str; kept != "" {
			written = append(written, strings.TrimPrefix(entry.Get("id").Str, "0000000")+"-")
		}
	}
	return strings.Join(written, " ")
}

// TestResultsOfNoCall: pi sends every result, and a model's server refuses one that belongs to no call, or to one that has its result. The model
// sees none of these, and they stay beside the conversation.
func TestResultsOfNoCall(t *testing.T) {
	for records, want := range map[string]string{
		"u c1 r1 u":             "1u 2a 3t 4u",
		"u r1 u":                "1u 2- 3u",
		"c1 r1 r1":              "1a 2t 3-",
		"c1 c2 r2 r1 r2":        "1a 2a 3t 4t 5-",
		"f1 r1 u":               "1a 2- 3u",
		"c1 r1 c1 r1":           "1a 2t 3a 4t",
		"c1 r1 u b1 r1":         "1a 2t 3u 5t",
		"c1 r1 u b1 r1 r1 b2 u": "1a 2t 3u 5t 6- 8u",
	} {
		if got := entriesOf(t, records); got != want {
			t.Errorf("%s: %s, not %s", records, got, want)
		}
	}
}

// TestBlocksThatPiTakesForImages: what is no text in a prompt is an image to pi, which it sends without its data. What it has no kind for stands
// on the entry; in answers it passes over it.
func TestBlocksThatPiTakesForImages(t *testing.T) {
	const document = `{"type":"document","source":{"data":"x"},"sentAsIs":true}`
	const odd = `{"type":"odd"}`
	for _, line := range []string{
		`"recordType":"message","role":"user"`, `"recordType":"note","namespace":"n","display":false`,
	} {
		version := strings.Count(line, "note") + 1
		entry := entryOf(t, fmt.Sprintf(`{"seq":1,"schemaVersion":%d,%s,"content":[{"type":"text","text":"look"},%s,%s]}`, version, line, document, odd))
		content := entry.Get("content").Raw + entry.Get("message.content").Raw
		if content != `[{"text":"look","type":"text"}]` || entry.Get("palimpsest.blocks").Raw != "["+document+","+odd+"]" {
			t.Errorf("%s: %s", line, entry)
		}
	}
}
