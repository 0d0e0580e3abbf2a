package tools

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// span is a part of a text that an edit replaces.
type span struct {
	from, to int // bytes
	text     string
	edit     int // counts from 1
}

// replaceIn makes all edits, or none. A byte order mark stays, and so do the line ends: where those of a text are CRLF, the
// edits may be written with LF.
func replaceIn(text string, edits []replacement) (string, error) {
	const mark = "\uFEFF"
	body, marked := strings.CutPrefix(text, mark)
	var spans []span
	for i, e := range edits {
		found, err := e.in(body)
		if err != nil {
			return "", fmt.Errorf("edit %d: %w", i+1, err)
		}
		for j := range found {
			found[j].edit = i + 1
		}
		spans = append(spans, found...)
	}
	size := len(text)
	for _, s := range spans {
		size += len(s.text) - (s.to - s.from)
	}
	if size > changeMost {
		return "", fmt.Errorf("it would become larger than %d MiB", changeMost>>20)
	}
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	var out strings.Builder
	if marked {
		out.WriteString(mark)
	}
	at := 0
	for i, s := range spans {
		if s.from < at {
			return "", fmt.Errorf("edits %d and %d overlap at line %d; make them one", spans[i-1].edit, s.edit, lineOf(body, s.from))
		}
		out.WriteString(body[at:s.from])
		out.WriteString(s.text)
		at = s.to
	}
	out.WriteString(body[at:])
	return out.String(), nil
}

// in finds where a text is to be replaced, and by what.
func (r replacement) in(body string) ([]span, error) {
	if r.OldText == "" {
		return nil, errors.New("oldText is empty; to replace all of a file, use write")
	}
	if r.NewText == nil {
		return nil, errors.New("newText is missing; to remove a text, give an empty one")
	}
	oldText, newText := r.OldText, *r.NewText
	if lines := strings.Count(body, "\n"); lines > 0 && strings.Count(body, "\r\n")*2 > lines {
		newText = toCRLF(newText)
	}
	at := occurrences(body, oldText)
	if len(at) == 0 && strings.Contains(body, "\r\n") {
		oldText = toCRLF(oldText)
		at = occurrences(body, oldText)
	}
	switch {
	case len(at) > occurrencesMost:
		return nil, fmt.Errorf("oldText is there more than %d times", occurrencesMost)
	case len(at) == 0:
		return nil, absent(body, r.OldText)
	case len(at) > 1 && !r.ReplaceAll:
		return nil, fmt.Errorf("oldText is there %d times, at %s; take in more lines around the one that you mean, or set replaceAll",
			len(at), linesAt(body, at))
	}
	spans := make([]span, len(at))
	for i, from := range at {
		spans[i] = span{from: from, to: from + len(oldText), text: newText}
	}
	return spans, nil
}

func toCRLF(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\n", "\r\n")
}

// occurrencesMost bounds how often one text is replaced.
const occurrencesMost = 100_000

// occurrences are the offsets of a text that is not empty, from one's end on to the next. One that begins or ends within a
// CRLF is none: half of a line end would stay.
func occurrences(body, text string) []int {
	var at []int
	for from := 0; ; {
		i := strings.Index(body[from:], text)
		if i < 0 {
			return at
		}
		i += from
		if splitsCRLF(body, i) || splitsCRLF(body, i+len(text)) {
			from = i + 1
			continue
		}
		if at = append(at, i); len(at) > occurrencesMost {
			return at
		}
		from = i + len(text)
	}
}

func splitsCRLF(body string, offset int) bool {
	return offset > 0 && offset < len(body) && body[offset-1] == '\r' && body[offset] == '\n'
}

func lineOf(body string, offset int) int { return strings.Count(body[:offset], "\n") + 1 }

// linesAt names the lines of some offsets.
func linesAt(body string, at []int) string {
	const most = 10
	var numbers []string
	for _, offset := range at[:min(len(at), most)] {
		numbers = append(numbers, fmt.Sprint(lineOf(body, offset)))
	}
	if len(at) > most {
		numbers = append(numbers, "…")
	}
	if len(numbers) == 1 {
		return "line " + numbers[0]
	}
	return "lines " + strings.Join(numbers, ", ")
}

// absent says where something like the text is.
func absent(body, text string) error {
	const why = "oldText is not there"
	if len(body)+len(text) > 4<<20 {
		return errors.New(why) // looking for something like it would take long
	}
	lines, wanted := squeezed(body), squeezed(text)
	for len(wanted) > 0 && wanted[0] == "" {
		wanted = wanted[1:]
	}
	for len(wanted) > 0 && wanted[len(wanted)-1] == "" {
		wanted = wanted[:len(wanted)-1]
	}
	if len(wanted) == 0 {
		return errors.New(why)
	}
	var first []string
	for i := range lines {
		if lines[i] != wanted[0] {
			continue
		}
		if i+len(wanted) <= len(lines) && slices.Equal(lines[i:i+len(wanted)], wanted) {
			return fmt.Errorf("%s; what is at line %d differs from it in white space only: read it again", why, i+1)
		}
		if len(first) < 5 {
			first = append(first, fmt.Sprint(i+1))
		}
	}
	if len(first) > 0 {
		return fmt.Errorf("%s, but its first line is, at line %s: read that again", why, strings.Join(first, ", "))
	}
	return errors.New(why + ", nor is its first line; read the file again")
}

// squeezed are the lines of a text without the white space that is easily got wrong.
func squeezed(text string) []string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return lines
}
