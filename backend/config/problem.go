package config

import "fmt"

// Problem is one mistake in the settings. None is fatal: the rest of the settings is in force.
type Problem struct {
	// Path is the settings file, empty if the mistake is in an environment variable.
	Path string
	// Line in that file, counted from 1; 0 if it isn't known.
	Line int
	// Key is the setting concerned, such as compaction.enabled, as it was spelt; empty if the
	// problem is that of the whole file.
	Key string
	// Message says what is wrong.
	Message string
	// Hint says what to do about it; may be empty.
	Hint string
}

// Error is the problem in one sentence.
func (p Problem) Error() string {
	sentence := p.Message
	if p.Hint != "" {
		sentence += "; " + p.Hint
	}
	switch {
	case p.Path == "":
		return sentence
	case p.Line == 0:
		return p.Path + ": " + sentence
	default:
		return fmt.Sprintf("%s, line %d: %s", p.Path, p.Line, sentence)
	}
}

// quote shows a piece of the user's input within a message, made printable and not too long.
func quote(s string) string {
	const limit = 40
	if runes := []rune(s); len(runes) > limit {
		s = string(runes[:limit]) + "…"
	}
	return fmt.Sprintf("%q", s)
}
