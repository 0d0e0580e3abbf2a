package compaction

import (
	"fmt"
	"strings"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// Row is a message that a compaction can take or keep.
type Row struct {
	From     int64
	Tokens   int
	Boundary bool
	// Said tells that it is a message of the log, no note and no summary of a branch.
	Said bool

	message *overlay.Message
}

// Shown is what a row shows of its message.
type Shown struct{ Role, Tool, Text string }

// Rows are the messages that a compaction of this context can take or keep, in the order of the path. The first is never
// a boundary: nothing is before it.
func Rows(c *overlay.Context) []Row {
	s := spanOf(c)
	rows := make([]Row, 0, len(s.messages))
	for i := range s.messages {
		m := &s.messages[i]
		if m.Overlay == overlay.OverlayRepair {
			if len(rows) > 0 {
				rows[len(rows)-1].Tokens += m.Tokens
			}
			continue
		}
		rows = append(rows, Row{From: m.From, Tokens: m.Tokens, Boundary: i > 0 && s.cuttable[i], Said: m.Seq != 0, message: m})
	}
	return rows
}

// Show tells what some rows of a context show.
func Show(c *overlay.Context, rows []Row) ([]Shown, error) {
	messages := make([]overlay.Message, len(rows))
	wanted := make(map[int64]bool, len(rows))
	for i, row := range rows {
		messages[i] = *row.message
		wanted[row.message.Offset] = true
	}
	tools := toolsOf(c, func(m *overlay.Message) bool { return wanted[m.Offset] })
	out := make([]Shown, 0, len(rows))
	err := c.Texts(messages, nil, func(m *overlay.Message) bool {
		out = append(out, Shown{roleOf(m), tools[m.Offset], rowText(m)})
		return true
	})
	if err != nil {
		return nil, fmt.Errorf("reading what is compacted: %w", err)
	}
	return out, nil
}

func roleOf(m *overlay.Message) string {
	if m.Overlay == overlay.OverlayBranch || m.Overlay == overlay.OverlayNote {
		return m.Overlay
	}
	return string(m.Role)
}

// toolsOf names the tool of each wanted result, and of each wanted answer that is nothing but calls, by place.
func toolsOf(c *overlay.Context, wanted func(*overlay.Message) bool) map[int64]string {
	tools := map[int64]string{}
	var open openCallList // results stand behind their message in the order of its calls
	for i := range c.Messages {
		m := &c.Messages[i]
		switch m.Role {
		case record.RoleAssistant:
			if open = callsIn(m.Content); len(open) > 0 && textOf(m.Content) == "" && wanted(m) {
				tools[m.Offset] = open[0].Name
			}
		case record.RoleToolResult:
			if len(open) == 0 {
				continue
			}
			if m.Overlay != overlay.OverlayRepair && wanted(m) {
				tools[m.Offset] = open[0].Name
			}
			open = open[1:]
		case record.RoleUser:
		}
	}
	return tools
}

// rowMost is how much of a message a row shows, in characters.
const rowMost = 160

// rowText is a message on one line, cut.
func rowText(m *overlay.Message) string {
	if text := textOf(m.Content); strings.TrimSpace(text) != "" {
		const enough = 8 * rowMost // so that a long text is not looked at whole
		return oneLine(cutBytes(text, enough), rowMost)
	}
	for _, block := range m.Content {
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
