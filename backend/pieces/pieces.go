// Package pieces writes a JSON document that has one long list, element by element: encoded whole, it would be in memory several times.
package pieces

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Encode writes a value as JSON, whose lines but the first begin with prefix if it has several.
type Encode func(value any, prefix string) (string, error)

// Write writes a document in which the list with this name is empty, with so many elements in it, which are told of one by one. The name is the first of its kind, and
// belongs to the document itself.
func Write(w io.Writer, encode Encode, document any, list string, n int, element func(i int) (any, error)) error {
	text, err := encode(document, "")
	if err != nil {
		return err
	}
	// No string has an unescaped quote in it.
	before, after, ok := strings.Cut(text, `"`+list+`":[]`)
	space, line, prefix := "", "", ""
	if !ok {
		before, after, ok = strings.Cut(text, `"`+list+`": []`)
		space, line, prefix = " ", "\n", "  "
	}
	if !ok {
		return errors.New("the document has no such empty list")
	}
	out := &writer{to: w}
	out.write(before, `"`, list, `":`, space, "[")
	for i := range n {
		value, err := element(i)
		if err != nil {
			return err
		}
		piece, err := encode(value, prefix+prefix)
		if err != nil {
			return err
		}
		if i > 0 {
			out.write(",")
		}
		out.write(line, prefix, prefix, piece)
	}
	if n > 0 {
		out.write(line, prefix)
	}
	out.write("]", after, "\n")
	return out.err
}

// writer keeps the first error.
type writer struct {
	to  io.Writer
	err error
}

func (w *writer) write(texts ...string) {
	for _, text := range texts {
		if w.err != nil {
			return
		}
		if _, err := io.WriteString(w.to, text); err != nil {
			w.err = fmt.Errorf("writing the answer: %w", err)
		}
	}
}
