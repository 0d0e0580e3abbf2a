package compaction

import (
	"strings"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// Row is a message that a compaction can take or keep.
type Row struct {
	From     int64
	Role     string
	Tool     string
	Tokens   int
	Boundary bool

	message *overlay.Message
}

// Rows are the messages that a compaction of this context can take or keep, in the order of the path. The first is never
// a boundary: nothing is before it.
func Rows(c *overlay.Context) []Row {
	s := spanOf(c)
	tools := toolsOf(c)
	rows := make([]Row, 0, len(s.messages))
	for i := range s.messages {
		m := &s.messages[i]
		if m.Overlay == overlay.OverlayRepair {
			if len(rows) > 0 {
				rows[len(rows)-1].Tokens += m.Tokens
			}
			continue
		}
		rows = append(rows, Row{
			From: m.From, Role: roleOf(m), Tool: tools[m.Offset], Tokens: m.Tokens, Boundary: i > 0 && s.cuttable[i], message: m,
		})
	}
	return rows
}

func roleOf(m *overlay.Message) string {
	if m.Overlay == overlay.OverlayBranch || m.Overlay == overlay.OverlayNote {
		return m.Overlay
	}
	return string(m.Role)
}

// toolsOf names the tool of each result, and of each answer that is nothing but calls, by place.
func toolsOf(c *overlay.Context) map[int64]string {
	tools := map[int64]string{}
	var open openCallList
	for i := range c.Messages {
		m := &c.Messages[i]
		switch m.Role {
		case record.RoleAssistant:
			if open = callsIn(m.Content); len(open) > 0 && textOf(m.Content) == "" {
				tools[m.Offset] = open[0].Name
			}
		case record.RoleToolResult:
			if call, _ := open.answer(m.ToolCallID); m.Overlay != overlay.OverlayRepair {
				tools[m.Offset] = call.Name
			}
		case record.RoleUser:
		}
	}
	return tools
}

// rowMost is how much of a message a row shows, in characters.
const rowMost = 160

// Text is the message on one line, cut.
func (r Row) Text() string {
	if text := textOf(r.message.Content); strings.TrimSpace(text) != "" {
		const enough = 8 * rowMost // so that a long text is not looked at whole
		return oneLine(cutBytes(text, enough), rowMost)
	}
	for _, block := range r.message.Content {
		if block.Kind == record.BlockToolCall {
			text := oneLine(callText(block), rowMost)
			return strings.TrimLeft(strings.TrimPrefix(text, block.Name), ": ")
		}
	}
	return ""
}

// cutBytes cuts at a byte; what it cuts in half at the end is left out later, or shown as unreadable.
func cutBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + " …"
}
