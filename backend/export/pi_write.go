package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"unicode/utf8"
)

// writer writes values as JSON, each on a line, and long texts in pieces: encoded at once, one would be in memory several times.
type writer struct {
	out     io.Writer
	waiting bytes.Buffer // until it is worth writing
	value   bytes.Buffer
	err     error
}

// textPiece is how much of a text is encoded at once.
const textPiece = 64 << 10

func (w *writer) line(value any) {
	w.put(value)
	w.waiting.WriteByte('\n')
	w.flush()
}

func (w *writer) put(value any) {
	switch value := value.(type) {
	case object:
		w.waiting.WriteByte('{')
		for i, name := range slices.Sorted(maps.Keys(value)) {
			w.comma(i)
			w.text(name)
			w.waiting.WriteByte(':')
			w.put(value[name])
		}
		w.waiting.WriteByte('}')
	case []any:
		w.waiting.WriteByte('[')
		for i, one := range value {
			w.comma(i)
			w.put(one)
		}
		w.waiting.WriteByte(']')
	case string:
		w.text(value)
	default:
		w.waiting.Write(w.encoded(value))
	}
}

func (w *writer) comma(i int) {
	if i > 0 {
		w.waiting.WriteByte(',')
	}
}

func (w *writer) text(text string) {
	w.waiting.WriteByte('"')
	for len(text) > 0 {
		end := pieceOf(text)
		if piece := text[:end]; asItIs(piece) {
			w.waiting.WriteString(piece)
		} else {
			quoted := w.encoded(piece)
			w.waiting.Write(quoted[1 : len(quoted)-1])
		}
		if text = text[end:]; len(text) > 0 {
			w.flush()
		}
	}
	w.waiting.WriteByte('"')
}

// asItIs tells of a text that stands in JSON as it is: names do, and most of what is short.
func asItIs(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// pieceOf is where a piece of a text ends, which is in no letter.
func pieceOf(text string) int {
	if len(text) <= textPiece {
		return len(text)
	}
	for end := textPiece; end > textPiece-utf8.UTFMax; end-- {
		if utf8.RuneStart(text[end]) {
			return end
		}
	}
	return textPiece // these are no letters
}

// encoded is a value as JSON, until the next one is.
func (w *writer) encoded(value any) []byte {
	w.value.Reset()
	enc := json.NewEncoder(&w.value)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil && w.err == nil {
		w.err = fmt.Errorf("writing the session: %w", err)
	}
	return bytes.TrimSuffix(w.value.Bytes(), []byte("\n"))
}

func (w *writer) flush() {
	if w.err == nil {
		if _, err := w.out.Write(w.waiting.Bytes()); err != nil {
			w.err = fmt.Errorf("writing the session: %w", err)
		}
	}
	w.waiting.Reset()
}
