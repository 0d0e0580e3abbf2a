package jsonl

import "strings"

// prefixes begin texts that stand in a user message and that no person typed.
var prefixes = []string{
	"# AGENTS.md instructions", "# Context from my IDE", "Caveat: The messages below", "[Request interrupted", "[SYSTEM", "System:",
	"Another language model started to solve this problem", "This session is being continued from a previous conversation",
	"The conversation history before this point was compacted",
}

// Typed tells whether a text may be what a person typed first: it is no instructions, no tag and no summary. Agents put all of these
// into user messages. Who types a tag first is misjudged; that costs a line in a list, and nothing else. A heading tells nothing: people
// type some, too.
func Typed(text string) bool {
	text = strings.TrimSpace(text)
	if text == "" {
		return false
	}
	if Tagged(text) {
		return false
	}
	for _, prefix := range prefixes {
		if strings.HasPrefix(text, prefix) {
			return false
		}
	}
	return true
}

// Tagged tells whether a text begins with a tag, as what an agent puts around its own words or around what it made of a file.
func Tagged(text string) bool {
	rest, is := strings.CutPrefix(strings.TrimSpace(text), "<")
	rest = strings.TrimPrefix(rest, "/")
	return is && rest != "" && (rest[0]|0x20 >= 'a' && rest[0]|0x20 <= 'z' || rest[0] == '!') && strings.Contains(rest, ">")
}
