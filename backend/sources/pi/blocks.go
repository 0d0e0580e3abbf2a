package pi

import (
	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
)

// blocks are those of a content, which may be a plain text.
func (r *reader) blocks(content gjson.Result) []sources.Block {
	if content.Type == gjson.String {
		return []sources.Block{r.log.Text(content.Str)}
	}
	var blocks []sources.Block
	if content.IsArray() {
		content.ForEach(func(_, block gjson.Result) bool {
			blocks = append(blocks, glean.Block(r.log, block))
			return true
		})
	}
	return blocks
}
