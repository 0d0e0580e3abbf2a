package jsonl

import "strings"

// prefixes begin texts that stand in a user message and that no person typed.
var prefixes = []string{
	"# AGENTS.md instructions", "# Context from my IDE", "Caveat: The messages below", "[Request interrupted", "[SYSTEM", "System:",
	"Another language model started to solve this problem", "This session is being continued from a previous conversation",
	"The conversation history before this point was compacted",
}

// Typed tells whether a text may be what a person typed first: it is no instructions, no tag and no summary. Agents put all of these
// into user messages. Who types a tag first that could be one of these is misjudged; that costs a line in a list, and nothing else. A heading tells nothing: people
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

// Tagged tells whether a text begins with a tag, as what an agent puts around its own words or around what it made of a file. No agent does with
// a tag of one letter, or with those of a page, which people show when they ask about theirs.
func Tagged(text string) bool {
	rest, is := strings.CutPrefix(strings.TrimSpace(text), "<")
	rest = strings.TrimPrefix(rest, "/")
	if !is || !strings.Contains(rest, ">") {
		return false
	}
	if rest[0] == '!' {
		const page = "!doctype html"
		return len(rest) < len(page) || !strings.EqualFold(rest[:len(page)], page)
	}
	if rest[0]|0x20 < 'a' || rest[0]|0x20 > 'z' {
		return false
	}
	name := rest[:strings.IndexAny(rest, " \t\r\n/>")]
	return len(name) > 1 && !ofPages[strings.TrimRight(strings.ToLower(name), "123456")]
}

// ofPages are elements of HTML that no agent is known to name a tag of its own by, without the digit of headings.
var ofPages = func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq("article aside audio blockquote body br button canvas caption center dialog div dl em figure font footer form " +
		"h head header hr html iframe img input label li main meta nav ol option picture pre script section select span strong style svg table tbody " +
		"td template textarea th thead tr ul video") {
		names[name] = true
	}
	return names
}()
