package sample

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

type usage struct{ Input, Output, CacheRead, CacheWrite int }

func (u usage) size() int { return u.Input + u.Output + u.CacheRead + u.CacheWrite }

type block struct {
	Type, Text, ID, Name string
	Arguments            json.RawMessage
}

type record struct {
	RecordType                  string
	SchemaVersion, Seq          int
	Timestamp                   time.Time
	Role, ToolCallID            string
	Content                     []block
	IsError                     *bool
	Model, Provider, StopReason string
	Usage                       *usage
	Summary, Trigger            string
	FirstKeptSeq                int
	TokensBefore, TokensAfter   int
	ReadFiles, ModifiedFiles    []string
	Edited                      bool
}

// records reads the log strictly: one object a line, and nothing after it.
func records(t *testing.T) []record {
	t.Helper()
	lines := bytes.Split(Log(), []byte("\n"))
	if last := lines[len(lines)-1]; len(last) != 0 {
		t.Fatalf("the log does not end in a newline but in %q", last)
	}
	var recs []record
	for i, line := range lines[:len(lines)-1] {
		if !bytes.HasPrefix(line, []byte("{")) {
			t.Fatalf("line %d is not an object", i+1)
		}
		var r record
		dec := json.NewDecoder(bytes.NewReader(line))
		if err := dec.Decode(&r); err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		if _, err := dec.Token(); err != io.EOF {
			t.Fatalf("line %d: something follows the object", i+1)
		}
		recs = append(recs, r)
	}
	return recs
}

func ofType(recs []record, recordType string) []record {
	return slices.DeleteFunc(slices.Clone(recs), func(r record) bool { return r.RecordType != recordType })
}

func TestRecords(t *testing.T) {
	recs := records(t)
	for i, r := range recs {
		if r.Seq != i+1 {
			t.Fatalf("line %d has seq %d", i+1, r.Seq)
		}
		if r.SchemaVersion != 1 {
			t.Errorf("seq %d: schemaVersion %d", r.Seq, r.SchemaVersion)
		}
		if i > 0 && !r.Timestamp.After(recs[i-1].Timestamp) {
			t.Errorf("seq %d: timestamp %v does not rise", r.Seq, r.Timestamp)
		}
		switch r.RecordType {
		case "compaction":
		case "message":
			checkMessage(t, r)
		default:
			t.Errorf("seq %d: recordType %q", r.Seq, r.RecordType)
		}
	}
	if n := len(ofType(recs, "message")); n < 70 {
		t.Errorf("%d messages, want at least 70", n)
	}
	if day := recs[len(recs)-1].Timestamp.Sub(recs[0].Timestamp); day > 10*time.Hour {
		t.Errorf("the conversation takes %v, longer than a working day", day)
	}
	if n := len(Log()); n < 90_000 || n > 200_000 {
		t.Errorf("the log has %d bytes", n)
	}
}

func checkMessage(t *testing.T, r record) {
	t.Helper()
	if len(r.Content) == 0 {
		t.Errorf("seq %d: no content", r.Seq)
	}
	for _, b := range r.Content {
		switch {
		case b.Type == "text" && strings.TrimSpace(b.Text) != "":
		case b.Type == "thinking" && b.Text != "" && r.Role == "assistant":
		case b.Type == "toolCall" && b.ID != "" && b.Name != "" && r.Role == "assistant" && bytes.HasPrefix(b.Arguments, []byte("{")):
		default:
			t.Errorf("seq %d: unexpected block %+v", r.Seq, b)
		}
	}
	switch r.Role {
	case "user":
	case "toolResult":
		if r.ToolCallID == "" || r.IsError == nil {
			t.Errorf("seq %d: a result needs toolCallId and isError", r.Seq)
		}
	case "assistant":
		if r.Model != Model || r.Provider == "" || r.Usage == nil {
			t.Errorf("seq %d: model %q, provider %q, usage %v", r.Seq, r.Model, r.Provider, r.Usage)
		}
		calls := slices.ContainsFunc(r.Content, func(b block) bool { return b.Type == "toolCall" })
		if calls != (r.StopReason == "toolUse") {
			t.Errorf("seq %d: stopReason %q does not fit its content", r.Seq, r.StopReason)
		}
	default:
		t.Errorf("seq %d: role %q", r.Seq, r.Role)
	}
}

func TestEveryCallHasOneResult(t *testing.T) {
	open, seen := map[string]bool{}, map[string]bool{}
	for _, r := range records(t) {
		if r.Role != "toolResult" && len(open) > 0 {
			t.Errorf("seq %d comes while %v have no result", r.Seq, slices.Sorted(maps.Keys(open)))
			clear(open)
		}
		for _, b := range r.Content {
			if b.Type != "toolCall" {
				continue
			}
			if seen[b.ID] {
				t.Errorf("seq %d: call id %s is used twice", r.Seq, b.ID)
			}
			seen[b.ID], open[b.ID] = true, true
		}
		if r.Role == "toolResult" {
			if !open[r.ToolCallID] {
				t.Errorf("seq %d answers %s, which is not open", r.Seq, r.ToolCallID)
			}
			delete(open, r.ToolCallID)
		}
	}
	if len(open) > 0 {
		t.Errorf("at the end %v have no result", open)
	}
}

func TestCompactions(t *testing.T) {
	recs := records(t)
	compactions := ofType(recs, "compaction")
	if len(compactions) != 2 {
		t.Fatalf("%d compactions, want 2", len(compactions))
	}
	if c := compactions[0]; c.Trigger != "threshold" || c.Edited {
		t.Errorf("first: trigger %q, edited %v", c.Trigger, c.Edited)
	}
	if c := compactions[1]; c.Trigger != "manual" || !c.Edited {
		t.Errorf("second: trigger %q, edited %v", c.Trigger, c.Edited)
	}
	start := 1
	read, modified := map[string]bool{}, map[string]bool{}
	for _, c := range compactions {
		if c.FirstKeptSeq <= start || c.FirstKeptSeq >= c.Seq || recs[c.FirstKeptSeq-1].Role != "user" {
			t.Fatalf("seq %d: firstKeptSeq %d is no earlier user message", c.Seq, c.FirstKeptSeq)
		}
		gone := ofType(recs[start-1:c.FirstKeptSeq-1], "message")
		before := 0
		for _, r := range gone {
			before += estimate(r.Content)
		}
		if c.TokensBefore != before {
			t.Errorf("seq %d: tokensBefore %d, the superseded messages have %d", c.Seq, c.TokensBefore, before)
		}
		if after := estimate([]block{{Type: "text", Text: emitted(c.Summary)}}); c.TokensAfter != after {
			t.Errorf("seq %d: tokensAfter %d, the emitted summary has %d", c.Seq, c.TokensAfter, after)
		}
		collectFiles(t, recs, gone, read, modified)
		wantRead, wantModified := slices.Sorted(maps.Keys(read)), slices.Sorted(maps.Keys(modified))
		if !slices.Equal(c.ReadFiles, wantRead) {
			t.Errorf("seq %d: readFiles %q, want %q", c.Seq, c.ReadFiles, wantRead)
		}
		if !slices.Equal(c.ModifiedFiles, wantModified) {
			t.Errorf("seq %d: modifiedFiles %q, want %q", c.Seq, c.ModifiedFiles, wantModified)
		}
		checkSummary(t, c)
		start = c.FirstKeptSeq
	}
	for _, file := range slices.Concat(compactions[0].ReadFiles, compactions[0].ModifiedFiles) {
		if !slices.Contains(slices.Concat(compactions[1].ReadFiles, compactions[1].ModifiedFiles), file) {
			t.Errorf("the second compaction lost %s", file)
		}
	}
}

// collectFiles adds what the calls in gone read and changed. Calls that failed don't count, and a
// file that was changed is not listed as read.
func collectFiles(t *testing.T, all, gone []record, read, modified map[string]bool) {
	t.Helper()
	failed := map[string]bool{}
	for _, r := range all {
		if r.IsError != nil && *r.IsError {
			failed[r.ToolCallID] = true
		}
	}
	for _, r := range gone {
		for _, b := range r.Content {
			if b.Type != "toolCall" || failed[b.ID] {
				continue
			}
			var args struct{ Path string }
			if err := json.Unmarshal(b.Arguments, &args); err != nil {
				t.Fatal(err)
			}
			switch b.Name {
			case "read":
				read[args.Path] = true
			case "write", "edit":
				modified[args.Path] = true
			}
		}
	}
	maps.DeleteFunc(read, func(file string, _ bool) bool { return modified[file] })
}

func checkSummary(t *testing.T, c record) {
	t.Helper()
	lines := strings.Split(c.Summary, "\n")
	at := -1
	for _, heading := range []string{
		"## Goal", "## Constraints & Preferences", "## Progress", "### Done", "### In Progress",
		"### Blocked", "## Key Decisions", "## Next Steps", "## Critical Context",
	} {
		i := slices.Index(lines, heading)
		if i <= at {
			t.Errorf("seq %d: heading %q is missing or out of order", c.Seq, heading)
		}
		at = i
	}
	tags := "\n\n<read-files>\n" + strings.Join(c.ReadFiles, "\n") + "\n</read-files>" +
		"\n\n<modified-files>\n" + strings.Join(c.ModifiedFiles, "\n") + "\n</modified-files>"
	if !strings.HasSuffix(c.Summary, tags) {
		t.Errorf("seq %d: the summary does not end with the tags of its files", c.Seq)
	}
}

// TestUsage follows the reported size of the context: it grows with every answer and falls at a
// compaction. An aborted answer reports none.
func TestUsage(t *testing.T) {
	size, estimated, compacted := 0, 0, false
	for _, r := range records(t) {
		switch {
		case r.RecordType == "compaction":
			compacted = true
			continue
		case r.Role != "assistant":
			estimated += estimate(r.Content)
			continue
		case r.StopReason == "aborted":
			if *r.Usage != (usage{}) {
				t.Errorf("seq %d: aborted, yet it reports %+v", r.Seq, *r.Usage)
			}
			estimated += estimate(r.Content)
			continue
		}
		if r.Usage.Input <= 0 || r.Usage.Output <= 0 {
			t.Errorf("seq %d: usage %+v", r.Seq, *r.Usage)
		}
		estimated += estimate(r.Content)
		grown := r.Usage.size() - size
		switch {
		case compacted && grown >= 0:
			t.Errorf("seq %d: the context grew by %d tokens over a compaction", r.Seq, grown)
		case !compacted && size > 0 && (grown < estimated*9/10 || grown > estimated*12/10+40):
			t.Errorf("seq %d: the context grew by %d tokens, the messages since are about %d", r.Seq, grown, estimated)
		}
		size, estimated, compacted = r.Usage.size(), 0, false
	}
}

// TestForgetting keeps the point of the story: a number of the first message does not survive the
// first compaction, is asked for again, and is in the second one because it was written there.
func TestForgetting(t *testing.T) {
	recs := records(t)
	c := ofType(recs, "compaction")
	for _, rule := range []string{"Never touch the vendor folder.", "Always run the linter before you push."} {
		for _, text := range []string{recs[0].Content[0].Text, c[0].Summary, c[1].Summary} {
			if !strings.Contains(text, rule) {
				t.Errorf("%q is missing in %.40q", rule, text)
			}
		}
	}
	const lost = "within 20 s"
	if !strings.Contains(recs[0].Content[0].Text, lost) || strings.Contains(c[0].Summary, "20 s") || !strings.Contains(c[1].Summary, lost) {
		t.Errorf("%q has to be said, lost, and written back", lost)
	}
	for _, r := range recs {
		for _, b := range r.Content {
			if b.Name != "read" && strings.Contains(string(b.Arguments), `"path":"vendor/`) {
				t.Errorf("seq %d: %s goes to the vendor folder", r.Seq, b.Name)
			}
		}
	}
}

// TestVariety names what the window should have something to show of.
func TestVariety(t *testing.T) {
	var aborted, thinking, parallel, failed, ansi, longest, japanese int
	var text strings.Builder
	for _, r := range records(t) {
		calls := 0
		for _, b := range r.Content {
			switch b.Type {
			case "toolCall":
				calls++
			case "thinking":
				thinking++
			}
			if r.Role == "toolResult" {
				longest = max(longest, len(b.Text))
				ansi += strings.Count(b.Text, "\x1b[")
			}
			if r.Role == "assistant" {
				text.WriteString(b.Text + "\n")
			}
			if r.Role == "user" && strings.ContainsFunc(b.Text, wide) {
				japanese++
			}
		}
		if calls > 1 {
			parallel++
		}
		if r.StopReason == "aborted" {
			aborted++
		}
		if r.IsError != nil && *r.IsError {
			failed++
		}
	}
	if aborted != 1 || thinking != 1 || parallel < 2 || failed < 2 || ansi == 0 || japanese != 1 {
		t.Errorf("aborted %d, thinking %d, parallel %d, failed %d, ansi %d, japanese %d", aborted, thinking, parallel, failed, ansi, japanese)
	}
	if longest < 10_000 || longest > 14_000 {
		t.Errorf("the longest output has %d bytes", longest)
	}
	for _, part := range []string{"```go\n", "```yaml\n", "|---|", "\n1. ", "\n- "} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("no answer has %q", part)
		}
	}
}

// emitted is the summary as the context holds it (spec §7.4).
func emitted(summary string) string {
	return "The conversation history before this point was compacted into the following summary:\n<summary>\n" +
		summary + "\n</summary>"
}

// estimate counts a quarter token for each code point and one for each wide one, rounded up once.
func estimate(content []block) int {
	quarters := 0
	for _, b := range content {
		for _, r := range b.Text + b.Name + string(b.Arguments) {
			quarters++
			if wide(r) {
				quarters += 3
			}
		}
	}
	return (quarters + 3) / 4
}

// wide knows the wide characters of this log: kana, Han, CJK punctuation and fullwidth forms.
func wide(r rune) bool {
	return r >= 0x3000 && r <= 0x9fff || r >= 0xff01 && r <= 0xff60
}
