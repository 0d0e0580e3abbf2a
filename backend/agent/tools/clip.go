package tools

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// budgetLeast is room for the note about what was left out, and something around it.
const budgetLeast = 512

// middle cuts a text in its middle to at most so many bytes, with a note of how much is gone: both ends of an output
// matter, the command's first words and its last. It cuts between lines if there are some near, and never in a character.
func middle(text string, budget int) string {
	if len(text) <= budget {
		return text
	}
	const note = 80
	half := (budget - note) / 2
	head, tail := headOf(text, half), tailOf(text, half)
	gone := text[len(head) : len(text)-len(tail)]
	return fmt.Sprintf("%s\n[… %d bytes in %d lines left out …]\n%s", strings.TrimSuffix(head, "\n"), len(gone), strings.Count(gone, "\n")+1, tail)
}

// headOf is at most so many bytes of a text's beginning.
func headOf(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	if line := strings.LastIndexByte(text[:most], '\n') + 1; line > most*3/4 {
		return text[:line]
	}
	return text[:most]
}

// tailOf is at most so many bytes of a text's end.
func tailOf(text string, most int) string {
	if len(text) <= most {
		return text
	}
	from := len(text) - most
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	if line := strings.IndexByte(text[from:], '\n') + 1; line > 0 && line < most/4 {
		return text[from+line:]
	}
	return text[from:]
}

// valid makes a text UTF-8 without NUL, which some models' servers refuse.
func valid(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}
