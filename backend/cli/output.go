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
	text, err := encoded(value, "")
	if err != nil {
		return err
	}
	if _, err := p.out.Write(text); err != nil {
		return fmt.Errorf("writing the answer: %w", err)
	}
	return nil
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
	text, err := encoded(value, prefix)
	return strings.TrimSuffix(string(text), "\n"), err
}

// encoded is the same with a newline behind it.
func encoded(value any, prefix string) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent(prefix, "  ")
	if err := enc.Encode(value); err != nil {
		return nil, fmt.Errorf("writing the answer: %w", err)
	}
	return harmless(out.Bytes()), nil
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
