package record

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestDecodeKnowsARecord(t *testing.T) {
	const head = `{"recordType":"message","schemaVersion":1,"seq":7,"timestamp":"2026-03-02T08:00:00Z",`
	tests := []struct {
		name, line string
		newer      bool
		damage     string // part of the reason; empty: a record
	}{
		{name: "user", line: head + `"role":"user","content":[]}`},
		{name: "tool result", line: head + `"role":"toolResult","content":[],"toolCallId":"c"}`},
		{name: "unknown members stay", line: head + `"role":"user","content":[],"mood":{"a":[1]}}`},
		{name: "whole number with a fraction", line: strings.Replace(head, `"seq":7`, `"seq":7.0`, 1) + `"role":"user","content":[]}`},
		{name: "missing timestamp", line: `{"recordType":"label","schemaVersion":2,"seq":1}`},
		{name: "the last of two equal names counts", line: head + `"role":"robot","role":"user","content":"x","content":[]}`},
		{name: "names are matched to the letter", line: head + `"role":"user","content":[],"Role":"robot","SEQ":0}`},
		{name: "white space around", line: " \t" + head + `"role":"user","content":[]}` + "\r"},
		{name: "compaction without its fields", line: `{"recordType":"compaction","schemaVersion":1,"seq":1}`},
		{name: "unknown type", line: `{"recordType":"hologram","schemaVersion":1,"seq":2}`, newer: true},
		{name: "higher version needs no role", line: `{"recordType":"message","schemaVersion":9,"seq":2}`, newer: true},
		{name: "higher overlay version", line: `{"recordType":"branch","schemaVersion":3,"seq":2,"fromSeq":1}`, newer: true},
		{name: "lower overlay version", line: `{"recordType":"branch","schemaVersion":1,"seq":2,"fromSeq":1}`, damage: "schemaVersion"},
		{name: "version zero", line: `{"recordType":"x","schemaVersion":0,"seq":2}`, damage: "schemaVersion"},
		{name: "no version", line: `{"recordType":"message","seq":2,"role":"user","content":[]}`, damage: "schemaVersion"},
		{name: "no type", line: `{"schemaVersion":1,"seq":2}`, damage: "recordType"},
		{name: "type is a number", line: `{"recordType":5,"schemaVersion":1,"seq":2}`, damage: "recordType"},
		{name: "seq zero", line: `{"recordType":"x","schemaVersion":1,"seq":0}`, damage: "seq"},
		{name: "seq fraction", line: `{"recordType":"x","schemaVersion":1,"seq":1.5}`, damage: "seq"},
		{name: "seq text", line: `{"recordType":"x","schemaVersion":1,"seq":"1"}`, damage: "seq"},
		{name: "seq beyond JavaScript's", line: `{"recordType":"x","schemaVersion":1,"seq":9007199254740992}`, damage: "seq"},
		{name: "seq enormous", line: `{"recordType":"x","schemaVersion":1,"seq":1e300}`, damage: "seq"},
		{name: "role unknown", line: head + `"role":"system","content":[]}`, damage: "role"},
		{name: "bare string", line: head + `"role":"user","content":"hello"}`, damage: "array"},
		{name: "null content", line: head + `"role":"user","content":null}`, damage: "array"},
		{name: "result without call id", line: head + `"role":"toolResult","content":[]}`, damage: "toolCallId"},
		{name: "array", line: `[1]`, damage: "object"},
		{name: "null", line: `null`, damage: "object"},
		{name: "two objects", line: `{"a":1}{"b":2}`, damage: "not one JSON"},
		{name: "text behind", line: head + `"role":"user","content":[]} x`, damage: "not one JSON"},
		{name: "cut", line: head + `"role":"us`, damage: "not one JSON"},
		{name: "left out", line: string(LeftOut("the rest can't be unpacked")), damage: "the rest can't be unpacked"},
		{name: "other JSON", line: string(Other([]byte("null"))), damage: "not one JSON object: other JSON"},
		{name: "left out, cut", line: string(LeftOut("the rest"))[:15], damage: "not one JSON"},
		{name: "NUL run", line: "\x00\x00\x00", damage: "3 NUL bytes"},
		{name: "nested beyond reason", line: strings.Repeat("[", 1<<20), damage: "not one JSON"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rec, err := Decode([]byte(test.line))
			header, scanErr := Scan([]byte(test.line))
			if (err == nil) != (scanErr == nil) || err == nil && header != rec.Header {
				t.Fatalf("Scan and Decode disagree: %+v %v, %+v %v", header, scanErr, rec.Header, err)
			}
			if test.damage == "" {
				if err != nil || rec.Newer != test.newer {
					t.Fatalf("got newer %v, %v", rec.Newer, err)
				}
				return
			}
			var why *Error
			if !errors.As(err, &why) || !strings.Contains(why.Reason, test.damage) {
				t.Fatalf("got %v, want damage about %q", err, test.damage)
			}
		})
	}
}

func TestTruncatedTellsACrashFromAChange(t *testing.T) {
	const whole = `{"recordType":"message","schemaVersion":1,"seq":1,"role":"user","content":[{"type":"text","text":"a\"b"}]}`
	for cut := 1; cut < len(whole); cut++ {
		_, err := Scan([]byte(whole[:cut]))
		var why *Error
		if !errors.As(err, &why) || !why.Unparsable || !why.Truncated {
			t.Fatalf("%q: %+v", whole[:cut], err)
		}
	}
	for _, changed := range []string{"x" + whole[1:], whole[:40] + "\x00" + whole[41:], whole + whole} {
		_, err := Scan([]byte(changed))
		var why *Error
		if !errors.As(err, &why) || !why.Unparsable || why.Truncated {
			t.Errorf("%q: %+v", changed, err)
		}
	}
}

func TestBlocks(t *testing.T) {
	rec, err := Decode([]byte(`{"recordType":"message","schemaVersion":1,"seq":1,"role":"assistant","content":[
		{"type":"text","text":"a"},{"type":"thinking","text":"b","signature":"s"},
		{"type":"toolCall","id":"c","name":"read","arguments":{"path":"x"}},{"type":"toolCall","id":"d","name":"ls"},
		{"type":"image","mediaType":"image/png","blob":"00"},
		{"type":"hologram"},{"type":"text","text":5},{"type":"toolCall","name":"x"},{"type":"image"},7,null,"s",
		{"type":"hologram","sentAsIs":true},{"type":"image","url":"x","sentAsIs":true},{"sentAsIs":true},
		{"type":"text","text":"a","sentAsIs":true},{"type":"hologram","sentAsIs":"true"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := []BlockKind{BlockText, BlockThinking, BlockToolCall, BlockToolCall, BlockImage, 0, 0, 0, 0, 0, 0, 0, BlockAsIs, BlockAsIs, BlockAsIs, BlockText, 0}
	if len(rec.Message.Content) != len(want) {
		t.Fatalf("%d blocks", len(rec.Message.Content))
	}
	for i, block := range rec.Message.Content {
		if block.Kind != want[i] {
			t.Errorf("block %d %s: kind %d, want %d", i, block.JSON, block.Kind, want[i])
		}
	}
	if got := rec.Message.Content[3].Arguments; got != "{}" {
		t.Errorf("missing arguments are %q", got)
	}
}

// TestBlocksThatAreAside: a text, thinking and an image may be; whatever else says so, or says it in other words, is as it always was.
func TestBlocksThatAreAside(t *testing.T) {
	rec, err := Decode([]byte(`{"recordType":"message","schemaVersion":1,"seq":1,"role":"assistant","content":[
		{"type":"text","text":"a","aside":true},{"type":"thinking","text":"b","aside":true},{"type":"image","mediaType":"image/png","blob":"00","aside":true},
		{"type":"toolCall","id":"c","name":"ls","aside":true},{"type":"hologram","aside":true},{"type":"hologram","aside":true,"sentAsIs":true},{"type":"text","text":"a","aside":"true"},{"type":"text","text":"a"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for i, block := range rec.Message.Content {
		if block.Aside != (i < 3) {
			t.Errorf("block %d %s: %v", i, block.JSON, block.Aside)
		}
	}
}

func TestNewDraft(t *testing.T) {
	now := time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC)
	blob := strings.Repeat("ab", 32)
	tests := []struct{ name, object, line, wrong string }{
		{
			name:   "completed",
			object: `{"recordType":"message","role":"toolResult","content":[ ],"toolCallId":"c","extra":{"a": 1}}`,
			line:   `{"recordType":"message","schemaVersion":1,"seq":5,"role":"toolResult","content":[],"toolCallId":"c","extra":{"a":1},"isError":false,"timestamp":"2026-03-02T08:00:00Z"}`,
		},
		{
			name:   "kept as given",
			object: `{"timestamp":"2025-02-11T10:00:00Z","recordType":"message","schemaVersion":1,"role":"user","content":[{"type":"text","text":"<b> & "}]}`,
			line:   `{"recordType":"message","schemaVersion":1,"seq":5,"timestamp":"2025-02-11T10:00:00Z","role":"user","content":[{"type":"text","text":"<b> & "}]}`,
		},
		{name: "image", object: `{"recordType":"message","role":"user","content":[{"type":"image","mediaType":"image/png","blob":"` + blob + `"}]}`},
		{name: "own seq", object: `{"recordType":"message","seq":1,"role":"user","content":[]}`, wrong: "leave it out"},
		{name: "bare string", object: `{"recordType":"message","role":"user","content":"hi"}`, wrong: "array of blocks"},
		{name: "unknown block", object: `{"recordType":"message","role":"user","content":[{"type":"txt","text":"x"}]}`, wrong: "content block 1"},
		{name: "user calls", object: `{"recordType":"message","role":"user","content":[{"type":"toolCall","id":"a","name":"b","arguments":{}}]}`, wrong: "only an assistant"},
		{name: "arguments as text", object: `{"recordType":"message","role":"assistant","content":[{"type":"toolCall","id":"a","name":"b","arguments":"{}"}]}`, wrong: "arguments"},
		{name: "call id on a user", object: `{"recordType":"message","role":"user","content":[],"toolCallId":"c"}`, wrong: "tool results only"},
		{name: "result without id", object: `{"recordType":"message","role":"toolResult","content":[]}`, wrong: "toolCallId"},
		{name: "isError text", object: `{"recordType":"message","role":"toolResult","toolCallId":"c","isError":"no","content":[]}`, wrong: "isError"},
		{name: "bad time", object: `{"recordType":"message","role":"user","content":[],"timestamp":"yesterday"}`, wrong: "timestamp"},
		{name: "time without zone", object: `{"recordType":"message","role":"user","content":[],"timestamp":"2025-02-11T10:00:00"}`, wrong: "timestamp"},
		{name: "version", object: `{"recordType":"message","schemaVersion":2,"role":"user","content":[]}`, wrong: "schemaVersion"},
		{name: "unknown type", object: `{"recordType":"hologram"}`, wrong: "recordType"},
		{name: "not JSON", object: `{"recordType":`, wrong: "not one JSON"},
		{name: "not UTF-8", object: "{\"recordType\":\"message\",\"x\":\"\xff\"}", wrong: "UTF-8"},
		{name: "list", object: `[]`, wrong: "object"},
		{name: "compaction", object: `{"recordType":"compaction","firstKeptSeq":5,"summary":"s","tokensBefore":1,"readFiles":[],"modifiedFiles":["a"]}`},
		{name: "compaction ahead", object: `{"recordType":"compaction","firstKeptSeq":6,"summary":"s","tokensBefore":1,"readFiles":[],"modifiedFiles":[]}`, wrong: "points ahead"},
		{name: "compaction without files", object: `{"recordType":"compaction","firstKeptSeq":2,"summary":"s","tokensBefore":1}`, wrong: "readFiles"},
		{name: "compaction, files of numbers", object: `{"recordType":"compaction","firstKeptSeq":2,"summary":"s","tokensBefore":1,"readFiles":[1],"modifiedFiles":[]}`, wrong: "readFiles"},
		{name: "branch", object: `{"recordType":"branch","fromSeq":0}`},
		{name: "branch to itself", object: `{"recordType":"branch","fromSeq":5}`, wrong: "points ahead"},
		{name: "revert ahead", object: `{"recordType":"revert","targetSeq":9}`, wrong: "points ahead"},
		{name: "prune", object: `{"recordType":"prune","seqs":[1,2],"tokensFreed":3}`},
		{name: "prune of nothing", object: `{"recordType":"prune","seqs":[],"tokensFreed":0}`, wrong: "seqs"},
		{name: "prune ahead", object: `{"recordType":"prune","seqs":[1,7],"tokensFreed":3}`, wrong: "points ahead"},
		{name: "label", object: `{"recordType":"label","targetSeq":1,"label":""}`},
		{name: "model", object: `{"recordType":"model","provider":"p","model":"m"}`},
		{name: "note", object: `{"recordType":"note","namespace":"n","data":{},"display":false}`},
		{name: "note with a bare string", object: `{"recordType":"note","namespace":"n","data":{},"display":true,"content":"x"}`, wrong: "array of blocks"},
		{name: "note that stands as an answer", object: `{"recordType":"note","namespace":"n","data":{},"display":true,"content":[],"role":"assistant"}`},
		{name: "note that stands as a result", object: `{"recordType":"note","namespace":"n","data":{},"display":true,"content":[],"role":"toolResult"}`, wrong: "not user or assistant"},
		{name: "note without data", object: `{"recordType":"note","namespace":"n","display":true}`, wrong: "needs data"},
		{name: "usage as text", object: `{"recordType":"message","role":"assistant","content":[],"usage":"x"}`, wrong: "usage"},
		{name: "usage below zero", object: `{"recordType":"message","role":"assistant","content":[],"usage":{"input":-1}}`, wrong: "usage.input"},
		{name: "unknown stop reason", object: `{"recordType":"message","role":"assistant","content":[],"stopReason":"tired"}`, wrong: "stopReason"},
		{name: "model as number", object: `{"recordType":"message","role":"assistant","content":[],"model":5}`, wrong: "model"},
		{name: "call without arguments", object: `{"recordType":"message","role":"assistant","content":[{"type":"toolCall","id":"a","name":"b"}]}`, wrong: "arguments"},
		{name: "thinking without text", object: `{"recordType":"message","role":"assistant","content":[{"type":"thinking"}]}`, wrong: "thinking"},
		{name: "blob that is a path", object: `{"recordType":"message","role":"user","content":[{"type":"image","mediaType":"image/png","blob":"../x"}]}`, wrong: "SHA-256"},
		{name: "offset below zero", object: `{"recordType":"branch","fromSeq":0,"fromOffset":-1}`, wrong: "fromOffset"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			draft, err := NewDraft([]byte(test.object), now)
			var line []byte
			if err == nil {
				line, err = draft.Line(5)
			}
			if test.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), test.wrong) {
					t.Fatalf("got %v, want an error about %q", err, test.wrong)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			rec, err := Decode(line)
			if err != nil || rec.Seq != 5 || rec.Newer {
				t.Fatalf("wrote %s, which reads as %+v, %v", line, rec.Header, err)
			}
			if test.line != "" && string(line) != test.line+"\n" {
				t.Errorf("wrote %s, want %s", line, test.line)
			}
		})
	}
}

func TestLineRefusesASeqThatIsUsedUp(t *testing.T) {
	draft, err := NewDraft([]byte(`{"recordType":"message","role":"user","content":[]}`), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := draft.Line(MaxSeq + 1); err == nil {
		t.Fatal("wrote a seq that no reader takes")
	}
}

// FuzzDecode: any bytes give a record or damage, the scan agrees with the decoder, and what decodes is one JSON object
// whose cut form is JSON too.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"recordType":"message","schemaVersion":1,"seq":1,"role":"assistant","content":[{"type":"text","text":"x"}]}`))
	f.Add([]byte(`{"recordType":"compaction","schemaVersion":1,"seq":2,"firstKeptSeq":1,"summary":"s","replacement":[{"role":"user","content":[]}]}`))
	f.Add([]byte(`{"recordType":"branch","schemaVersion":2,"seq":3,"fromSeq":1e2,"fromOffset":-1}`))
	f.Add([]byte("\xef\xbb\xbf{}"))
	f.Add([]byte("{\"recordType\":\"x\xf0\xf0\",\"schemaVersion\":1,\"seq\":1}"))
	f.Fuzz(func(t *testing.T, line []byte) {
		rec, err := Decode(line)
		header, scanErr := Scan(line)
		if (err == nil) != (scanErr == nil) {
			t.Fatalf("Decode says %v, Scan %v", err, scanErr)
		}
		if err != nil {
			if _, ok := errors.AsType[*Error](err); !ok {
				t.Fatalf("not an *Error: %v", err)
			}
			return
		}
		if header != rec.Header {
			t.Fatalf("Scan has %+v, Decode %+v", header, rec.Header)
		}
		if cut := rec.Cut(200, int64(len(rec.JSON))); !json.Valid([]byte(cut)) {
			t.Fatalf("cut to %q", cut)
		}
	})
}

// FuzzNewDraft: what a writer accepts, a reader reads back as the same kind of record on one line.
func FuzzNewDraft(f *testing.F) {
	f.Add([]byte(`{"recordType":"message","role":"user","content":[{"type":"text","text":"x"}]}`))
	f.Add([]byte("{\"recordType\":\"note\",\"namespace\":\"n\",\n\"data\":{}}"))
	f.Fuzz(func(t *testing.T, object []byte) {
		draft, err := NewDraft(object, time.Unix(0, 0))
		if err != nil {
			return
		}
		line, err := draft.Line(MaxSeq)
		if err != nil {
			return
		}
		if n := strings.Count(string(line), "\n"); n != 1 {
			t.Fatalf("%d newlines in %q", n, line)
		}
		rec, err := Decode(line)
		if err != nil || rec.Newer || rec.Type != draft.Type {
			t.Fatalf("%q reads as %+v, %v", line, rec.Header, err)
		}
	})
}

func BenchmarkScan(b *testing.B) {
	line := []byte(`{"recordType":"message","schemaVersion":1,"seq":12345,"role":"assistant","content":[{"type":"text","text":"` +
		strings.Repeat("the canary came up on both architectures; ", 30) + `"}],"timestamp":"2026-03-02T08:00:00Z"}`)
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Scan(line); err != nil {
			b.Fatal(err)
		}
	}
}

// TestDecodeShared: what shares memory with its line says the same.
func TestDecodeShared(t *testing.T) {
	for _, line := range []string{
		`{"recordType":"message","schemaVersion":1,"seq":1,"role":"user","content":[{"type":"text","text":"a\nb ä"}]}`,
		`{"recordType":"later","schemaVersion":1,"seq":1}`, `{"seq":1}`, `{"seq":`, ``,
	} {
		want, wantErr := Decode([]byte(line))
		got, err := DecodeShared([]byte(line))
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(err, wantErr) {
			t.Errorf("%s: %+v, %v", line, got, err)
		}
	}
}
