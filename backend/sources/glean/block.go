package glean

import (
	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// Block is a block of a content, as pi and the programs built on it write it. They send thinking of another model as text, but for what only
// the model can read that thought it.
func Block(log *sources.Log, block gjson.Result) sources.Block {
	switch jsonl.Member(block, "type").Str {
	case "text":
		if text := jsonl.Member(block, "text"); text.Type == gjson.String {
			return log.Text(text.Str)
		}
	case "thinking":
		return sources.Block{
			Type: "thinking", Text: jsonl.Text(block.Get("thinking")), Signature: jsonl.Text(block.Get("thinkingSignature")),
			AnyProvider: !block.Get("redacted").Bool(),
		}
	case "toolCall":
		return sources.Block{Type: "toolCall", ID: jsonl.Text(block.Get("id")), Name: jsonl.Text(block.Get("name")), Arguments: Raw(block.Get("arguments"))}
	case "image":
		data := jsonl.Text(block.Get("data"))
		if image, ok := log.Base64(jsonl.Text(block.Get("mimeType")), data); ok && data != "" {
			return image
		}
	}
	return jsonl.Unknown(block)
}
