package sources

import (
	"bytes"
	"encoding/json"

	"palimpsest/backend/wellformed"
)

// MarshalJSON writes a block as our logs have it.
func (b Block) MarshalJSON() ([]byte, error) {
	if b.Raw != nil {
		return b.Raw, nil
	}
	type plain Block
	switch b.Type {
	case "text", "thinking":
		return asItStands(struct {
			plain
			Text string `json:"text"` // there, if empty
		}{plain(b), b.Text})
	case "toolCall":
		b.Arguments = arguments(b.Arguments)
	}
	return asItStands(plain(b))
}

// asItStands is JSON without the escapes of what a page would take for tags.
func asItStands(value any) ([]byte, error) {
	var out bytes.Buffer
	to := json.NewEncoder(&out)
	to.SetEscapeHTML(false)
	err := to.Encode(value)
	return bytes.TrimRight(out.Bytes(), "\n"), err
}

// arguments are those of a call as an object: agents have written text, lists and nothing at all there.
func arguments(raw json.RawMessage) json.RawMessage {
	raw = bytes.TrimSpace(raw)
	var text string
	switch {
	case len(raw) == 0 || !wellformed.JSON(raw) || bytes.Equal(raw, []byte("null")):
		return json.RawMessage("{}")
	case raw[0] == '{':
		return raw
	case raw[0] == '"' && json.Unmarshal(raw, &text) == nil:
		if inner := bytes.TrimSpace([]byte(text)); len(inner) > 0 && inner[0] == '{' && wellformed.JSON(inner) {
			return inner
		}
	}
	return json.RawMessage(`{"input":` + string(raw) + `}`)
}
