package gemini

import (
	"bytes"
	"io"
	"path/filepath"

	"palimpsest/backend/wellformed"
)

// oneObject tells a file that is one object from one of lines. Gemini reads a file as lines, whatever it is called, and as one object if that
// gives no session: so one that was renamed, or written anew by hand, is a session all the same.
func oneObject(path string, file io.ReaderAt) bool {
	const most = 4 << 10
	head := make([]byte, most)
	n, _ := file.ReadAt(head, 0) // what was read counts
	first, rest, ended := bytes.Cut(bytes.TrimLeft(head[:n], "\xEF\xBB\xBF \t\r\n"), []byte("\n"))
	if filepath.Ext(path) == ".jsonl" {
		return ended && string(bytes.TrimSpace(first)) == "{"
	}
	return !ended || !wellformed.JSON(bytes.TrimSpace(first)) || len(bytes.TrimSpace(rest)) == 0
}
