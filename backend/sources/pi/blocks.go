package pi

import (
	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// blocks are those of a content, which may be a plain text.
func (r *reader) blocks(content gjson.Result) []sources.Block {
	if content.Type == gjson.String {
		return []sources.Block{r.log.Text(content.Str)}
	}
	var blocks []sources.Block
	if content.IsArray() {
		jsonl.Listed(content, func(block gjson.Result) bool {
			blocks = append(blocks, glean.Block(r.log, block))
			return true
		})
	}
	return blocks
}
