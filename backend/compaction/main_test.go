package compaction

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
)

// failer is a test or one run of a property.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// Records as JSON without seq, for logs that tests write.

func quoted(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func textBlocks(text string) string { return `[{"type":"text","text":` + quoted(text) + `}]` }

func said(text string) string {
	return `{"recordType":"message","role":"user","content":` + textBlocks(text) + `}`
}

// call is a tool call; arguments are JSON.
func call(id, name, arguments string) string {
	return fmt.Sprintf(`{"type":"toolCall","id":%s,"name":%s,"arguments":%s}`, quoted(id), quoted(name), arguments)
}

func read(id, path string) string { return call(id, "read", `{"path":`+quoted(path)+`}`) }

func answered(text string, calls ...string) string {
	blocks := calls
	if text != "" {
		blocks = append([]string{`{"type":"text","text":` + quoted(text) + `}`}, calls...)
	}
	return `{"recordType":"message","role":"assistant","content":[` + strings.Join(blocks, ",") + `]}`
}

func result(id, text string) string {
	return `{"recordType":"message","role":"toolResult","toolCallId":` + quoted(id) + `,"isError":false,"content":` + textBlocks(text) + `}`
}

func failing(id, text string) string {
	return strings.Replace(result(id, text), `"isError":false`, `"isError":true`, 1)
}

// summarized is a compaction; more are further fields, beginning with a comma.
func summarized(kept int64, summary, more string) string {
	return fmt.Sprintf(`{"recordType":"compaction","firstKeptSeq":%d,"summary":%s,"tokensBefore":1,"readFiles":[],"modifiedFiles":[]%s}`, kept, quoted(summary), more)
}

func branch(from int64, summary string) string {
	return fmt.Sprintf(`{"recordType":"branch","fromSeq":%d,"summary":%s}`, from, quoted(summary))
}

const aLabel = `{"recordType":"label","targetSeq":1,"label":"here"}`

// tokensOf is a text of n tokens.
func tokensOf(n int) string { return strings.Repeat("word", n) }

// grow appends records as the store would: each has the seq after the last one's.
func grow(t failer, log []byte, objects ...string) []byte {
	t.Helper()
	log = bytes.Clone(log)
	seq := lastSeq(t, log)
	for _, object := range objects {
		draft, err := record.NewDraft([]byte(object), time.Date(2026, 3, 2, 8, 0, 0, 0, time.UTC))
		if err != nil {
			t.Fatalf("%s: %v", object, err)
		}
		seq++
		line, err := draft.Line(seq)
		if err != nil {
			t.Fatalf("%s: %v", object, err)
		}
		log = append(log, line...)
	}
	return log
}

func lastSeq(t failer, log []byte) int64 {
	t.Helper()
	entry, err := session.NewReverse(bytes.NewReader(log), int64(len(log))).Prev()
	if err != nil && !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	return entry.Seq
}

func resolve(t failer, log []byte) *overlay.Context {
	t.Helper()
	return resolveWith(t, log, nil)
}

// resolveLight leaves texts in the log, as who compacts does.
func resolveLight(t failer, log []byte) *overlay.Context {
	t.Helper()
	return resolveWith(t, log, func() (overlay.Records, error) { return session.NewRecall(bytes.NewReader(log), int64(len(log))), nil })
}

func resolveWith(t failer, log []byte, again func() (overlay.Records, error)) *overlay.Context {
	t.Helper()
	c, err := overlay.Resolve(session.NewReverse(bytes.NewReader(log), int64(len(log))), overlay.Options{Again: again})
	if err != nil {
		t.Fatal(err)
	}
	return &c
}

// contextOf is the context of a log of these records.
func contextOf(t testing.TB, objects ...string) *overlay.Context {
	t.Helper()
	return resolve(t, grow(t, nil, objects...))
}

func planned(t testing.TB, c *overlay.Context, opts Options) *Plan {
	t.Helper()
	plan, err := Make(c, opts)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// keepingNothing plans to summarize everything.
func keepingNothing(t testing.TB, objects ...string) *Plan {
	t.Helper()
	return planned(t, contextOf(t, objects...), Options{})
}

// commit appends what a plan comes to.
func commit(t testing.TB, log []byte, c Commit) []byte {
	t.Helper()
	lines, err := Records(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		log = grow(t, log, string(line))
	}
	return log
}

func seqs(messages []overlay.Message) string {
	var out []string
	for i := range messages {
		out = append(out, fmt.Sprint(messages[i].From))
	}
	return strings.Join(out, " ")
}

func golden(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(string(text), "\n")
}

// fullSummary has every section of the format.
const fullSummary = `## Goal
Ship the importer.

## Constraints & Preferences
- Never touch the database.

## Progress
### Done
- [x] Wrote parse.go

### In Progress
- [ ] Tests

### Blocked
- none

## Key Decisions
- **Go**: it is there

## Next Steps
1. Run the tests

## Critical Context
- The port is 8421`
