package cli

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"palimpsest/backend"
	"palimpsest/backend/export"
	"palimpsest/backend/pieces"
)

const contextLong = `Shows what the model sees of a session: the summary of the compaction in force, the messages it kept and those since,
made valid for a model. Steps that this took are listed as repairs. Without --at it is what the model would see now.

--at SEQ shows what it saw right after that record. To see why it said something, name the record before.

Besides the conversation the model is told a system prompt, the AGENTS.md files that apply in the session's folder, the
environment, and what its memory directory holds. All of it is built anew for each request and never in the log;
--injected shows it as it would be sent now, as messages before the others.

For people each message is cut to one line; --json has them whole. Only as much of the log is read as the context needs.`

func (p *program) contextCommand() *cobra.Command {
	var opts backend.ContextOptions
	cmd := &cobra.Command{
		Use:     "context ID",
		Short:   "Show what the model sees",
		GroupID: groupLook,
		Long:    contextLong,
		Example: `  palimpsest context 01JD9ZK3
  palimpsest context 01JD9ZK3 --at 120
  palimpsest context 01JD9ZK3 --injected --json
  palimpsest context 01JD9ZK3 --no-messages --json | jq .tokens`,
		Args:              takes(1, 1),
		ValidArgsFunction: anySession,
	}
	at := seqFlag(cmd, "at", "what it saw right after this record")
	cmd.Flags().BoolVar(&opts.WithoutMessages, "no-messages", false, "only the numbers")
	cmd.Flags().BoolVar(&opts.Injected, "injected", false, "also the system prompt, AGENTS.md, environment and memory")
	cmd.RunE = p.onAny(func(_ *cobra.Command, b *backend.Backend, id string) error {
		opts.At = at.value
		seen, err := b.See(id, opts)
		if err != nil {
			return aboutRecord(err, id)
		}
		defer seen.Close()
		if p.json {
			p.answering = true
			return pieces.Write(p.out, indented, seen.Context, "messages", seen.Len(), func(i int) (any, error) { return seen.Message(i) })
		}
		return p.contextText(seen)
	})
	return cmd
}

// contextText prints the messages as they are read.
func (p *program) contextText(c *backend.Seen) error {
	t := c.Tokens
	assumed := ""
	if t.WindowAssumed {
		assumed = " (assumed)"
	}
	lines := []string{
		fmt.Sprintf("session     %s%s", c.SessionID, ifSet(c.At, " as of record %d")),
		"model       " + orNone(oneLine(orEmpty(c.Model))),
		fmt.Sprintf("tokens      %d of %d%s, of which %d are kept free for the answer (raw estimate %d%s)",
			t.Calibrated, t.Window, assumed, t.Reserve, t.Estimate, ifSet(t.Reported, ", reported %d")),
		injectedLine(&c.Context),
		"compaction  " + orNone(ifSet(c.CompactionSeq, "record %d is in force")),
		"repairs     " + orNone(several(len(c.Repairs))),
	}
	for _, repair := range c.Repairs {
		lines = append(lines, fmt.Sprintf("  record %d: %s", repair.Seq, oneLine(repair.Reason)))
	}
	if c.Injected.NoTools != nil {
		lines = append(lines, "tools       none: "+oneLine(*c.Injected.NoTools))
	}
	for _, skipped := range c.Injected.Skipped {
		lines = append(lines, fmt.Sprintf("left out    %s: %s", oneLine(skipped.Path), oneLine(skipped.Reason)))
	}
	lines = append(lines, "damage      "+orNone(several(len(c.Damage))))
	for _, d := range c.Damage {
		lines = append(lines, fmt.Sprintf("  %s: %s: %s", export.PlaceOf(c.SessionID, d), d.Kind, oneLine(d.Reason)))
	}
	if c.Len() > 0 {
		lines = append(lines, "")
	}
	for _, line := range lines {
		if err := p.say("%s", line); err != nil {
			return err
		}
	}
	for i := range c.Len() {
		m, err := c.Message(i)
		if err != nil {
			return err
		}
		if err := p.say("%s", cut(inShort(m), p.terminal.width)); err != nil {
			return err
		}
	}
	return nil
}

// injectedNames are the kinds of what is injected, for people.
var injectedNames = map[string]string{
	"system": "system prompt", "agents": "AGENTS.md", "environment": "environment", "memory": "memory", "tools": "tools",
}

// injectedLine says what the model is told besides the conversation.
func injectedLine(c *backend.Context) string {
	var kinds []string
	for _, part := range c.Injected.Parts {
		name := injectedNames[part.Kind]
		if part.Path != nil {
			name = oneLine(*part.Path)
		}
		if part.Cut {
			name += " (cut)"
		}
		kinds = append(kinds, name)
	}
	if len(kinds) == 0 {
		return "injected    nothing that is known"
	}
	return fmt.Sprintf("injected    %d tokens: %s", c.Parts.Injected, strings.Join(kinds, ", "))
}

// inShort is a message on one line.
func inShort(m backend.Message) string {
	seq, mark := "-", ""
	if m.Seq != 0 {
		seq = strconv.FormatInt(m.Seq, 10)
	}
	if m.Overlay != "" {
		mark = "[" + m.Overlay + "] "
	}
	return fmt.Sprintf("%6s  %-10s  %s%s", seq, oneLine(m.Role), mark, blocksInShort(m.Content))
}

// inShortMost bounds what is looked at for a line, in bytes: no terminal is as wide.
const inShortMost = 16 << 10

func blocksInShort(blocks []json.RawMessage) string {
	var text strings.Builder
	for _, raw := range blocks {
		if text.Len() > inShortMost {
			break
		}
		var block struct{ Type, Text, Name string }
		if json.Unmarshal(raw, &block) != nil {
			continue // nothing that the rest of the line could not do without
		}
		switch block.Type {
		case "toolCall":
			text.WriteString(" → " + block.Name)
		case "text":
			text.WriteString(" " + strings.ToValidUTF8(block.Text[:min(len(block.Text), inShortMost)], ""))
		default:
			text.WriteString(" (" + block.Type + ")")
		}
	}
	return oneLine(text.String())
}

func ifSet[N int | int64](n *N, format string) string {
	if n == nil {
		return ""
	}
	return fmt.Sprintf(format, *n)
}

func several(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
