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
	return bytes.TrimPrefix(text, byteOrderMark)
}

var byteOrderMark = []byte("\xEF\xBB\xBF")
