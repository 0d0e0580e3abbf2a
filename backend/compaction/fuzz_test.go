package compaction

import (
	"strings"
	"testing"
	"unicode/utf8"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// FuzzSerialize: every message is there under its label, results are cut, and nothing panics, whatever the arguments are.
func FuzzSerialize(f *testing.F) {
	f.Add("What pods?", `{"command":"ls","n":[1,{"a":null}]}`, "out")
	f.Add("", "", strings.Repeat("é", 2001))
	f.Add("\xff\x00", `{"a":{"a":"\ud800"}`, "[User]: no")
	f.Add("a", `[1,2]`, "b")
	f.Fuzz(func(t *testing.T, text, arguments, output string) {
		block := record.Block{Kind: record.BlockToolCall, ID: "a", Name: "tool", Arguments: arguments}
		got := Serialize([]overlay.Message{
			{Body: &overlay.Body{Role: record.RoleUser, Content: []record.Block{record.TextBlock(text)}}},
			{Body: &overlay.Body{Role: record.RoleAssistant, Content: []record.Block{record.TextBlock("x" + text), block, block}}},
			{Body: &overlay.Body{Role: record.RoleToolResult, Content: []record.Block{record.TextBlock(output)}}},
		})
		rest, ok := strings.CutPrefix(got, "[User]: "+text+"\n[Assistant]: x"+text+"\n[Assistant tool calls]: tool(")
		if !ok {
			t.Fatalf("%q", got)
		}
		at := strings.LastIndex(rest, ")\n[Tool result]: "+cutText(output, resultMost))
		if at < 0 || !strings.Contains(rest[:at], "); tool(") {
			t.Fatalf("%q", rest)
		}
		if n := utf8.RuneCountInString(cutText(output, resultMost)); n > resultMost+60 {
			t.Fatalf("%d characters of a result", n)
		}
		callText(block)
		pathOf(arguments)
	})
}

// FuzzStripTags: stripping is done once, takes nothing but tagged lines, and takes back what tagging added.
func FuzzStripTags(f *testing.F) {
	f.Add("a\n<read-files>\nx\n</read-files>\nb", "p")
	f.Add("<read-files>\n<read-files>\n</read-files>\r\n", "</read-files>")
	f.Add("</modified-files>\n <modified-files>", "\n")
	f.Fuzz(func(t *testing.T, text, path string) {
		stripped := StripTags(text)
		if again := StripTags(stripped); again != stripped {
			t.Fatalf("%q, stripped again %q", stripped, again)
		}
		if !strings.Contains(text, "-files>") && stripped != strings.TrimSpace(text) {
			t.Fatalf("%q has no tags and became %q", text, stripped)
		}
		plan := &Plan{ReadFiles: []string{path}, ModifiedFiles: []string{"a", path}}
		if back := StripTags(plan.WithTags(text)); back != stripped {
			t.Fatalf("%q came back as %q", stripped, back)
		}
	})
}

// FuzzSections: taking a summary apart and putting it together loses no line, and the second time changes nothing.
func FuzzSections(f *testing.F) {
	f.Add(fullSummary)
	f.Add("text\n### a\nb\n## C/D\n## \n### \n## Goal:\n##  goal\n\n- none\n")
	f.Add("## Turn So Far\nx\n## Turn So Far\n### y\r\n\tz")
	f.Fuzz(func(t *testing.T, summary string) {
		s := sectionsOf(summary)
		once := s.String()
		has := map[string]bool{}
		for line := range strings.SplitSeq(once, "\n") {
			has[strings.TrimSpace(line)] = true
		}
		for line := range strings.SplitSeq(summary, "\n") {
			if line = strings.TrimSpace(line); !headingLine.MatchString(line) && line != "" && !has[line] {
				t.Fatalf("%q is gone from %q", line, once)
			}
		}
		for _, heading := range headings {
			if !hasHeading(once, heading) {
				t.Fatalf("no %q in %q", heading, once)
			}
		}
		if twice := sectionsOf(once).String(); twice != once {
			t.Fatalf("%q becomes %q", once, twice)
		}
	})
}
