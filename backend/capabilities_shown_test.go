package backend

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// things are what shows of sessions, as short texts, by what they are of: those of [sourcetest.Whats].
type things map[string][]string

func (s things) has(c claim) bool {
	for _, text := range s[c.what] {
		if strings.Contains(text, c.shows) {
			return true
		}
	}
	return false
}

func (s things) add(what, format string, args ...any) {
	s[what] = append(s[what], fmt.Sprintf(format, args...))
}

// whatShows is what shows of an agent's sessions, through every door that they come by.
func whatShows(t *testing.T, b *Backend, agent string) things {
	t.Helper()
	out := things{}
	rows, err := b.List(t.Context(), ListOptions{Agent: agent, Subagents: true})
	newsMust(t, err)
	for i := range rows {
		out.session(t, b, &rows[i])
		children, err := b.Children(t.Context(), rows[i].ID, ChildrenOptions{})
		newsMust(t, err)
		for _, child := range children {
			out.add("sub-agents", "%s of %s", idOnly(child.ID), idOnly(rows[i].ID))
		}
	}
	return out
}

func idOnly(id string) string { return id[strings.IndexByte(id, ':')+1:] }

func (s things) row(row *Session) {
	for what, value := range map[string]*string{"cwd": row.Cwd, "title": row.Name, "version": row.AgentVersion, "model": known(row.Model)} {
		if value != nil {
			s.add(what, "%s", *value)
		}
	}
	if row.Parent != nil && *row.Relation != "subagent" {
		s.add("parent", "%s %s of %s", idOnly(row.ID), *row.Relation, idOnly(*row.Parent))
	}
}

func (s things) session(t *testing.T, b *Backend, row *Session) {
	t.Helper()
	s.row(row)
	page, err := b.Page(row.ID, PageOptions{Limit: pageMost})
	newsMust(t, err)
	seen, err := b.Context(row.ID, ContextOptions{})
	newsMust(t, err)
	calls, compacted := map[string]record.Block{}, false
	for i, line := range page.Records {
		rec, err := record.Decode(line)
		newsMust(t, err)
		switch {
		case rec.Message != nil:
			s.message(t, b, row.ID, rec.Message, calls)
		case rec.Note != nil && len(rec.Note.Content) > 0:
			s.add("injected", "%s", plain(rec.Note.Content))
		}
		if rec.Message != nil && page.Entries[i].State == StateOffPath {
			s.add("branches", "%s: %s", rec.Message.Role, plain(rec.Message.Content))
		}
		compacted = compacted || rec.Compaction != nil && rec.Compaction.Counts()
	}
	for _, m := range seen.Messages {
		for _, block := range m.Content {
			if text := gjson.GetBytes(block, "text").Str; compacted && m.Overlay == overlay.OverlayCompaction && text != "" {
				s.add("compactions", "%s", text)
			}
		}
	}
}

func (s things) message(t *testing.T, b *Backend, id string, m *record.Message, calls map[string]record.Block) {
	t.Helper()
	if m.Role == record.RoleToolResult {
		if call, ok := calls[m.ToolCallID]; ok {
			s.add("tool calls", "%s %s -> %s", call.Name, call.Arguments, plain(m.Content))
		}
		if m.IsError {
			s.add("tool errors", "%s", m.ToolCallID)
		}
	} else if text := plain(m.Content); text != "" {
		s.add("messages", "%s: %s", m.Role, text)
	}
	if m.Model != "" {
		s.add("model", "%s", m.Model)
	}
	if u := m.Usage; u != nil {
		s.add("usage", "%d in, %d out, %d read, %d written", u.Input, u.Output, u.CacheRead, u.CacheWrite)
		if *u == (record.Usage{Cost: u.Cost}) || u.Cost != nil && *u.Cost == 0 {
			t.Errorf("%s: what is not known shows as 0: %+v", id, *u)
		}
		if u.Cost != nil {
			s.add("cost", "%g", *u.Cost)
		}
	}
	for _, block := range m.Content {
		switch block.Kind {
		case record.BlockThinking:
			s.add("thinking", "%s", block.Text)
		case record.BlockToolCall:
			calls[block.ID] = block
		case record.BlockImage:
			s.add("images", "%s %d", gjson.Get(block.JSON, "mediaType").Str, blobSize(t, b, id, block.Blob))
		}
	}
}

// plain are the texts of blocks.
func plain(blocks []record.Block) string {
	var texts []string
	for _, block := range blocks {
		if block.Kind == record.BlockText {
			texts = append(texts, block.Text)
		}
	}
	return strings.Join(texts, " ")
}

func blobSize(t *testing.T, b *Backend, id, sha string) int64 {
	t.Helper()
	file, err := b.OpenBlob(id, sha)
	newsMust(t, err)
	defer file.Close()
	n, err := io.Copy(io.Discard, file)
	newsMust(t, err)
	return n
}
