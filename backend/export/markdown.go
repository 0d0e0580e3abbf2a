package export

import (
	"fmt"
	"io"
	"strings"
	"time"

	"palimpsest/backend/record"
	"palimpsest/backend/secrets"
	"palimpsest/backend/session"
)

// About is what a document says of its session before anything else.
type About struct {
	Title, ID, Created        string
	Model, Folder, ForkedFrom string
}

// Markdown writes a session as a document for people. Messages are Markdown themselves and stay as they are, except that nothing in one
// may reach beyond it: what it leaves open is closed.
type Markdown struct {
	out     io.Writer
	about   About
	secrets *secrets.Filter
	instead Instead
	begun   bool
}

// NewMarkdown returns a writer of a document to out, without what filter takes out of its messages.
func NewMarkdown(out io.Writer, about About, filter *secrets.Filter) *Markdown {
	return &Markdown{out: out, about: about, secrets: filter}
}

// Damage tells of what is wrong with the log where it stands.
func (d *Markdown) Damage(damage session.Damage) error {
	if err := d.End(); err != nil {
		return err
	}
	text := fmt.Sprintf("Damage at %s: %s: %s", PlaceOf(d.about.ID, damage), damage.Kind, OneLine(d.secrets.Text(damage.Reason)))
	return d.say("\n> **%s**", escaped(text))
}

// Add writes a record; mark is what became of it, where that is worth a word.
func (d *Markdown) Add(rec *record.Record, mark string) error {
	if err := d.End(); err != nil {
		return err
	}
	instead := d.instead.Of(rec)
	recordWithout(d.secrets, rec, instead)
	// Two blanks are what a headline has between its parts, and nowhere else.
	head := fmt.Sprintf("## %d · %s", rec.Seq, strings.ReplaceAll(escaped(Headline(rec)), "  ", " · "))
	if !rec.Time.IsZero() {
		head += " · " + rec.Time.UTC().Format(time.RFC3339)
	}
	if mark != "" {
		head += " · *" + mark + "*"
	}
	if body := markdownOf(rec, instead); body != "" {
		head += "\n\n" + body
	}
	return d.say("\n%s", head)
}

// End sees to it that the document has its beginning, whatever else is in it.
func (d *Markdown) End() error {
	if d.begun {
		return nil
	}
	d.begun = true
	lines := []string{"# " + escaped(d.about.Title), "", "- Session: " + d.about.ID, "- Created: " + d.about.Created}
	for _, fact := range []struct{ name, value string }{
		{"Model", d.about.Model}, {"Folder", d.about.Folder}, {"Forked from", d.about.ForkedFrom},
	} {
		if fact.value != "" {
			lines = append(lines, "- "+fact.name+": "+codeSpan(OneLine(fact.value)))
		}
	}
	return d.say("%s", strings.Join(lines, "\n"))
}

func (d *Markdown) say(format string, args ...any) error {
	if _, err := fmt.Fprintf(d.out, format+"\n", args...); err != nil {
		return fmt.Errorf("writing the document: %w", err)
	}
	return nil
}

func markdownOf(rec *record.Record, instead []record.Message) string {
	switch {
	case rec.Message != nil:
		parts := blocksMarkdown(rec.Message.Content, rec.Message.Role == record.RoleToolResult)
		if failure := Failure(rec.Message); failure != "" {
			parts = append(parts, fenced(ManyLines(failure), ""))
		}
		return strings.Join(parts, "\n\n")
	case rec.Compaction != nil:
		return compactionMarkdown(rec.Compaction, instead)
	case rec.Branch != nil:
		return quoted(rec.Branch.Summary)
	case rec.Prune != nil:
		return quoted(strings.Join(rec.Prune.Told(), "\n\n"))
	case rec.Note != nil:
		return strings.Join(blocksMarkdown(rec.Note.Content, false), "\n\n")
	case rec.Newer:
		return fenced(indentedJSON(rec.JSON), "json")
	}
	return ""
}

// compactionMarkdown is the summary, and what else is in its place.
func compactionMarkdown(c *record.Compaction, instead []record.Message) string {
	if Wordless(c) {
		return escaped(Unreadable)
	}
	var parts []string
	if summary := quoted(c.Summary); summary != "" {
		parts = append(parts, summary)
	}
	for i := range instead {
		m := &instead[i]
		parts = append(parts, "*"+escaped(InPlace(m))+"*")
		parts = append(parts, blocksMarkdown(m.Content, m.Role == record.RoleToolResult)...)
	}
	return strings.Join(parts, "\n\n")
}

func blocksMarkdown(blocks []record.Block, output bool) []string {
	var parts []string
	for i := range blocks {
		b := &blocks[i]
		if b.Aside {
			parts = append(parts, "*Not sent again:*")
		}
		switch b.Kind {
		case record.BlockText:
			text := ManyLines(b.Text) + Elsewhere(b)
			if output {
				parts = append(parts, fenced(text, ""))
			} else {
				parts = append(parts, contained(text))
			}
		case record.BlockThinking:
			parts = append(parts, "*Thinking*\n\n"+fenced(ManyLines(b.Text), ""))
		case record.BlockToolCall:
			parts = append(parts, "Calls "+codeSpan(OneLine(b.Name))+" ("+codeSpan(OneLine(b.ID))+")\n\n"+
				fenced(indentedJSON(b.Arguments), "json"))
		case record.BlockImage:
			parts = append(parts, "*Image* "+codeSpan(OneLine(b.Blob)))
		case record.BlockAsIs:
			parts = append(parts, "*Sent as it is*\n\n"+fenced(indentedJSON(b.JSON), "json"))
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
	return "> " + strings.ReplaceAll(contained(ManyLines(summary)), "\n", "\n> ")
}
