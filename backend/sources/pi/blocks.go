package pi

import (
	"encoding/json"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// blocks are those of a content, which may be a plain text.
func (r *reader) blocks(content gjson.Result) []sources.Block {
	if content.Type == gjson.String {
		return []sources.Block{r.log.Text(content.Str)}
	}
	var blocks []sources.Block
	if content.IsArray() {
		content.ForEach(func(_, block gjson.Result) bool {
			blocks = append(blocks, r.block(block))
			return true
		})
	}
	return blocks
}

func (r *reader) block(block gjson.Result) sources.Block {
	switch block.Get("type").Str {
	case "text":
		if text := block.Get("text"); text.Type == gjson.String {
			return r.log.Text(text.Str)
		}
	case "thinking":
		return sources.Block{
			Type: "thinking", Text: jsonl.Text(block.Get("thinking")), Signature: jsonl.Text(block.Get("thinkingSignature")),
		}
	case "toolCall":
		return sources.Block{
			Type: "toolCall", ID: jsonl.Text(block.Get("id")), Name: jsonl.Text(block.Get("name")),
			Arguments: json.RawMessage(block.Get("arguments").Raw),
		}
	case "image":
		if image, ok := r.log.Base64(jsonl.Text(block.Get("mimeType")), jsonl.Text(block.Get("data"))); ok {
			return image
		}
	}
	return jsonl.Unknown(block)
}
