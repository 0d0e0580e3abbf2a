package overlay

import (
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/tokens"
)

// weighAsIs counts the texts in a block that is sent as it is. A file, here or beside the log, and what only the provider can read count as
// an image does: how much they are to it can't be told by their bytes.
func weighAsIs(tally *tokens.Tally, block *record.Block) {
	if block.Blob != "" {
		tally.AddImage()
		return
	}
	weighJSON(tally, gjson.Parse(block.JSON))
}

// weighJSON counts a value, whose nesting was bounded when its line was checked.
func weighJSON(tally *tokens.Tally, value gjson.Result) {
	switch {
	case value.IsObject() || value.IsArray():
		value.ForEach(func(_, member gjson.Result) bool {
			weighJSON(tally, member)
			return true
		})
	case value.Type == gjson.String && isData(value.Str):
		tally.AddImage()
	case value.Type == gjson.String:
		tally.AddText(value.Str)
	}
}

// isData tells a file or a secret in base64 from a text: no text goes on for so long without a space.
func isData(text string) bool {
	const least = 256
	return len(text) >= least && strings.Trim(text, base64) == ""
}

// base64 are the characters of both alphabets of it, and the ends of lines that some write.
const base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=\r\n"
