package cli

import (
	"fmt"
	"strconv"
	"strings"

	"palimpsest/backend"
	"palimpsest/backend/export"
	"palimpsest/backend/record"
)

// transcript prints a session for people to read in a terminal.
type transcript struct {
	p       *program
	session backend.Session
	instead export.Instead
	begun   bool
}

const (
	dim   = "\x1b[2m"
	plain = "\x1b[0m"
)

func (t *transcript) visit(line *backend.Shown) error {
	if err := t.begin(); err != nil {
		return err
	}
	for _, d := range line.Damage {
		if err := t.p.say("\n!!! damage at %s: %s: %s", export.PlaceOf(t.session.ID, d), d.Kind, oneLine(d.Reason)); err != nil {
			return err
		}
	}
	if line.JSON == nil {
		return nil
	}
	rec, err := record.DecodeShared(line.JSON)
	if err != nil {
		return fmt.Errorf("line %d changed on disk while it was read: %w", line.Number, err)
	}
	text := t.entry(&rec, line.State)
	if t.p.terminal.dim && unseen(line.State) {
		text = dim + text + plain
	}
	return t.p.say("\n%s", text)
}

// unseen is true of what the model does not see any more.
func unseen(state backend.State) bool {
	return state == backend.StateSuperseded || state == backend.StateOffPath || state == backend.StateReverted || state == backend.StateDropped
}

func (t *transcript) begin() error {
	if t.begun {
		return nil
	}
	t.begun = true
	return t.p.say("%s  %s", t.session.ID, title(t.session))
}

func (t *transcript) end() error { return t.begin() }

// entry is one record.
func (t *transcript) entry(rec *record.Record, state backend.State) string {
	head := "#" + strconv.FormatInt(rec.Seq, 10) + " " + export.Headline(rec)
	if !rec.Time.IsZero() {
		head += "  " + clock(rec.Time)
	}
	if mark := backend.MarkOf(state, rec); mark != "" {
		head += "  [" + mark + "]"
	}
	if rec.Compaction != nil {
		band := strings.Repeat("─", 4)
		head = band + " " + head + " " + band
	}
	body := bodyOf(rec, t.instead.Of(rec))
	if body == "" {
		return head
	}
	return head + "\n" + indent(body, "  ")
}

// bodyOf is the text of a record, "" if there is none.
func bodyOf(rec *record.Record, instead []record.Message) string {
	switch {
	case rec.Message != nil:
		body := blocksText(rec.Message.Content)
		if failure := export.Failure(rec.Message); failure != "" {
			body = strings.TrimPrefix(body+"\n"+manyLines(failure), "\n")
		}
		return body
	case rec.Compaction != nil:
		return compactionText(rec.Compaction, instead)
	case rec.Branch != nil:
		return manyLines(rec.Branch.Summary)
	case rec.Prune != nil:
		return manyLines(strings.Join(rec.Prune.Told(), "\n\n"))
	case rec.Note != nil:
		return blocksText(rec.Note.Content)
	}
	return ""
}

// compactionText is the summary, and what else is in its place.
func compactionText(c *record.Compaction, instead []record.Message) string {
	if export.Wordless(c) {
		return export.Unreadable
	}
	var texts []string
	if strings.TrimSpace(c.Summary) != "" {
		texts = append(texts, manyLines(c.Summary))
	}
	for i := range instead {
		texts = append(texts, "("+export.InPlace(&instead[i])+") "+blocksText(instead[i].Content))
	}
	return strings.Join(texts, "\n")
}

func blocksText(blocks []record.Block) string {
	texts := make([]string, 0, len(blocks))
	for i := range blocks {
		if text := blockText(&blocks[i]); text != "" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "\n")
}

func blockText(b *record.Block) string {
	said := blockSaid(b)
	if b.Aside {
		return "(not sent again) " + said
	}
	return said
}

func blockSaid(b *record.Block) string {
	switch b.Kind {
	case record.BlockText:
		return manyLines(strings.TrimRight(b.Text, "\n")) + export.Elsewhere(b)
	case record.BlockThinking:
		return "(thinking) " + manyLines(strings.TrimRight(b.Text, "\n"))
	case record.BlockToolCall:
		return "→ " + oneLine(b.Name) + " " + oneLine(b.Arguments)
	case record.BlockImage:
		return "[image " + oneLine(b.Blob) + "]"
	case record.BlockAsIs:
		return "[sent as it is] " + cut(oneLine(b.JSON), unsupportedMost)
	case record.BlockUnknown:
	}
	return "[unsupported block] " + cut(oneLine(b.JSON), unsupportedMost)
}

// unsupportedMost is how many columns are shown of a block whose kind is not ours: it may be a file. --json and --markdown have all of it.
const unsupportedMost = 1000
