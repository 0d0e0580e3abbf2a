package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"palimpsest/backend"
	"palimpsest/backend/record"
)

// document prints a session as Markdown. Messages are Markdown themselves and stay as they are, except that nothing in
// one may reach beyond it: what it leaves open is closed.
type document struct {
	p       *program
	session backend.Session
	begun   bool
}

func (d *document) visit(line *backend.Shown) error {
	if err := d.begin(); err != nil {
		return err
	}
	for _, damage := range line.Damage {
		text := fmt.Sprintf("Damage at line %d (byte %d): %s: %s", damage.Line, damage.Offset, damage.Kind, oneLine(damage.Reason))
		if err := d.p.say("\n> **%s**", escaped(text)); err != nil {
			return err
		}
	}
	if line.JSON == nil {
		return nil
	}
	rec, err := record.Decode(line.JSON)
	if err != nil {
		return fmt.Errorf("line %d changed on disk while it was read: %w", line.Number, err)
	}
	// Two blanks are what a headline has between its parts, and nowhere else.
	head := fmt.Sprintf("## %d · %s", rec.Seq, strings.ReplaceAll(escaped(headline(&rec)), "  ", " · "))
	if !rec.Time.IsZero() {
		head += " · " + rec.Time.UTC().Format(time.RFC3339)
	}
	if mark := marks[line.State]; mark != "" {
		head += " · *" + mark + "*"
	}
	if body := markdownOf(&rec); body != "" {
		head += "\n\n" + body
	}
	return d.p.say("\n%s", head)
}

func (d *document) begin() error {
	if d.begun {
		return nil
	}
	d.begun = true
	lines := []string{"# " + escaped(title(d.session)), "", "- Session: " + d.session.ID, "- Created: " + d.session.CreatedAt}
	for _, fact := range []struct{ name, value string }{
		{"Model", d.session.Model}, {"Folder", orEmpty(d.session.Cwd)}, {"Forked from", d.session.ParentSessionID},
	} {
		if fact.value != "" {
			lines = append(lines, "- "+fact.name+": "+codeSpan(oneLine(fact.value)))
		}
	}
	return d.p.say("%s", strings.Join(lines, "\n"))
}

func (d *document) end() error { return d.begin() }

func markdownOf(rec *record.Record) string {
	switch {
	case rec.Message != nil:
		parts := blocksMarkdown(rec.Message.Content, rec.Message.Role == record.RoleToolResult)
		if rec.Message.ErrorMessage != "" {
			parts = append(parts, fenced(manyLines(rec.Message.ErrorMessage), ""))
		}
		return strings.Join(parts, "\n\n")
	case rec.Compaction != nil:
		return quoted(rec.Compaction.Summary)
	case rec.Branch != nil:
		return quoted(rec.Branch.Summary)
	case rec.Note != nil:
		return strings.Join(blocksMarkdown(rec.Note.Content, false), "\n\n")
	case rec.Newer:
		return fenced(indentedJSON(rec.JSON), "json")
	}
	return ""
}

func blocksMarkdown(blocks []record.Block, output bool) []string {
	var parts []string
	for i := range blocks {
		b := &blocks[i]
		switch b.Kind {
		case record.BlockText:
			text := manyLines(b.Text) + elsewhere(b)
			if output {
				parts = append(parts, fenced(text, ""))
			} else {
				parts = append(parts, contained(text))
			}
		case record.BlockThinking:
			parts = append(parts, "*Thinking*\n\n"+fenced(manyLines(b.Text), ""))
		case record.BlockToolCall:
			parts = append(parts, "Calls "+codeSpan(oneLine(b.Name))+" ("+codeSpan(oneLine(b.ID))+")\n\n"+
				fenced(indentedJSON(b.Arguments), "json"))
		case record.BlockImage:
			parts = append(parts, "*Image* "+codeSpan(oneLine(b.Blob)))
		case record.BlockUnknown:
			parts = append(parts, "*Unsupported block*\n\n"+fenced(indentedJSON(b.JSON), "json"))
		}
	}
	return parts
}

// quoted is a summary, whose headings are not those of the document.
func quoted(summary string) string {
	if strings.TrimSpace(summary) == "" {
		return ""
	}
	return "> " + strings.ReplaceAll(contained(manyLines(summary)), "\n", "\n> ")
}

func indentedJSON(text string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(text), "", "  ") != nil {
		return manyLines(text)
	}
	return manyLines(out.String())
}

// fenced is text in a code fence that is longer than any run of backticks in it.
func fenced(text, language string) string {
	fence := strings.Repeat("`", max(3, longestRun(text)+1))
	return fence + language + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}

func codeSpan(text string) string {
	ticks := strings.Repeat("`", longestRun(text)+1)
	if strings.HasPrefix(text, "`") || strings.HasSuffix(text, "`") {
		text = " " + text + " "
	}
	return ticks + text + ticks
}

// longestRun is the length of the longest run of backticks.
func longestRun(text string) int {
	longest, run := 0, 0
	for _, r := range text {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// escaped is text that is to mean nothing to Markdown.
func escaped(text string) string { return special.ReplaceAllString(text, `\$0`) }

var (
	special   = regexp.MustCompile("[\\\\`*_\\[\\]<>&|~]")
	fenceLine = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})(.*)$")
	// rawHTML begins the kinds of HTML that would go on to the end of the document.
	rawHTML = regexp.MustCompile(`(?i)^ {0,3}<(!|\?|(script|pre|style|textarea)\b)`)
)

// contained is a message's Markdown with an open code fence closed, and without the beginnings of HTML that swallows
// everything behind it.
func contained(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	open := ""
	for i, line := range lines {
		found := fenceLine.FindStringSubmatch(line)
		switch {
		case open == "" && found != nil && (found[1][0] == '~' || !strings.Contains(found[2], "`")):
			open = found[1]
		case open == "" && rawHTML.MatchString(line):
			lines[i] = strings.Replace(line, "<", "&lt;", 1)
		case open != "" && found != nil && strings.HasPrefix(found[1], open) && strings.TrimSpace(found[2]) == "":
			open = ""
		}
	}
	if open != "" {
		lines = append(lines, open)
	}
	return strings.Join(lines, "\n")
}
