package jsonl

import (
	"bytes"
	"os"
)

// Small is the text of a file no longer than most, without a byte order mark; nil if it can't be read. A link is followed: many keep their
// settings elsewhere.
func Small(path string, most int64) []byte {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil // less is known then
	}
	return Unmarked(text)
}

// Unmarked is a text without the byte order mark that some editors put before it.
func Unmarked(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF")) }
