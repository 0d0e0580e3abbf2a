package cli

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"palimpsest/backend/record"
)

// TestALineIsMadeOfLittle: of a message of any length, no more is looked at than a line may show.
func TestALineIsMadeOfLittle(t *testing.T) {
	block := json.RawMessage(record.TextBlock(strings.Repeat("長い", inShortMost)).JSON)
	line := blocksInShort([]json.RawMessage{block, block, block})
	if len(line) < inShortMost/2 || len(line) > 2*inShortMost || !utf8.ValidString(line) {
		t.Errorf("%d bytes", len(line))
	}
}
