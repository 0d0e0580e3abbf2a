package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// answer prints a value as the one JSON document.
func (p *program) answer(value any) error {
	p.answering = true
	text, err := indented(value, "")
	if err != nil {
		return err
	}
	return p.print(text + "\n")
}

// say prints a line of text.
func (p *program) say(format string, args ...any) error {
	if _, err := fmt.Fprintf(p.out, format+"\n", args...); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
}

// tell prints a value as JSON or, for people, the line of text.
func (p *program) tell(value any, format string, args ...any) error {
	if p.json {
		return p.answer(value)
	}
	return p.say(format, args...)
}

// indented is a value as JSON whose lines but the first begin with prefix, for a place within a larger document.
func indented(value any, prefix string) (string, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent(prefix, "  ")
	if err := enc.Encode(value); err != nil {
		return "", fmt.Errorf("writing the answer: %w", err)
	}
	return strings.TrimSuffix(string(harmless(out.Bytes())), "\n"), nil
}

// named is the document of verbs after which there is no session to show.
type named struct {
	ID string `json:"id"`
}

// orEmpty is what a string that may be unknown holds.
func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
