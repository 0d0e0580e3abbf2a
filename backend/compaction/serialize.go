package compaction

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// resultMost is how much of a tool result the summarizer is shown, in characters. pi's figure: what a result says at
// length is rarely what a summary keeps.
const resultMost = 2000

// Serialize writes messages as flat text (spec §7.5.5), so that a model takes them for something to summarize and not for
// a conversation to go on with. Thinking is left out.
func Serialize(messages []overlay.Message) string {
	var out strings.Builder
	for i := range messages {
		serializeMessage(&out, &messages[i])
	}
	return strings.TrimSuffix(out.String(), "\n")
}

func serializeMessage(out *strings.Builder, m *overlay.Message) {
	text := textOf(m.Content)
	switch m.Role {
	case record.RoleUser:
		line(out, "[User]: ", text)
	case record.RoleToolResult:
		line(out, "[Tool result]: ", cutText(text, resultMost))
	case record.RoleAssistant:
		if text != "" {
			line(out, "[Assistant]: ", text)
		}
		if calls := callsOf(m.Content); calls != "" {
			line(out, "[Assistant tool calls]: ", calls)
		}
	}
}

func line(out *strings.Builder, label, text string) {
	out.WriteString(label)
	out.WriteString(text)
	out.WriteByte('\n')
}

// textOf joins text blocks by one newline; an image is only named.
func textOf(content []record.Block) string {
	var parts []string
	for _, block := range content {
		if block.Aside { // as it may be in what a compaction put in the place of others
			continue
		}
		switch block.Kind {
		case record.BlockText:
			parts = append(parts, block.Text)
		case record.BlockImage:
			parts = append(parts, "[image]")
		case record.BlockThinking, record.BlockToolCall, record.BlockUnknown, record.BlockAsIs:
		}
	}
	return strings.Join(parts, "\n")
}

// callsOf lists tool calls as name(argument=JSON, …), in the order the model gave them.
func callsOf(content []record.Block) string {
	var calls []string
	for _, block := range content {
		if block.Kind != record.BlockToolCall {
			continue
		}
		var arguments []string
		gjson.Parse(block.Arguments).ForEach(func(key, value gjson.Result) bool {
			arguments = append(arguments, key.Str+"="+compactJSON(value.Raw))
			return true
		})
		calls = append(calls, block.Name+"("+strings.Join(arguments, ", ")+")")
	}
	return strings.Join(calls, "; ")
}

func compactJSON(raw string) string {
	var out bytes.Buffer
	if json.Compact(&out, []byte(raw)) != nil {
		return raw
	}
	return out.String()
}

// cutText cuts a text to a number of characters and says how many are missing.
func cutText(text string, most int) string {
	n, cut := 0, len(text)
	for i := range text {
		if n == most {
			cut = i
		}
		n++
	}
	if n <= most {
		return text
	}
	return fmt.Sprintf("%s\n[… %d more characters]", text[:cut], n-most)
}
