package sources

import (
	"bytes"
	"encoding/json"
	"slices"

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

// AppendJSON appends a block as [Block.MarshalJSON] writes it, without white space of its own.
func (b *Block) AppendJSON(dst []byte) []byte {
	a := appender{out: dst}
	if a.block(b); !a.bad {
		return a.out
	}
	raw, _ := b.MarshalJSON() // blocks can always be written
	return append(dst, raw...)
}

// AsIs is a block that the agent sends again as it is; one that is of a type of ours stays what it is.
func AsIs(b Block) Block {
	if b.Raw == nil {
		b.SentAsIs = !slices.Contains([]string{"text", "thinking", "toolCall", "image"}, b.Type)
		return b
	}
	end := bytes.LastIndexByte(b.Raw, '}')
	b.Raw = slices.Concat(b.Raw[:end], []byte(`,"sentAsIs":true}`))
	return b
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
