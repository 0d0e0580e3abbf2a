package agent

import "unicode/utf8"

// How much one event holds of what, in bytes as JSON: an event is at most 8 KB with everything that stands around it.
const (
	pieceMost     = 7000 // text
	argumentsMost = 6000 // of a tool call
	resultMost    = 6000
	nameMost      = 600 // ids and names
	messageMost   = 3000
	hintMost      = 1000
	unsentMost    = 1500
	seqsMost      = 1500
	imageMost     = 125 // an image without its name
)

// cutAt is the length of the longest beginning of a text that takes at most so many bytes as JSON.
func cutAt(text string, most int) int {
	for i, r := range text {
		if most -= jsonSize(r); most < 0 {
			return i
		}
	}
	return len(text)
}

// jsonSize is how many bytes a character takes in a string of JSON, at most: some are escaped. What is no UTF-8 is
// written as if it were U+FFFD.
func jsonSize(r rune) int {
	switch {
	case r < ' ', r == '<', r == '>', r == '&', r == '\u2028', r == '\u2029', r == utf8.RuneError:
		return len(`\u0000`)
	case r == '"', r == '\\':
		return 2
	}
	return utf8.RuneLen(r)
}

func clip(text string, most int) string {
	const more = "…"
	if cutAt(text, most) == len(text) {
		return text
	}
	return text[:cutAt(text, most-len(more))] + more
}
