package jsonl

import (
	"bytes"

	"palimpsest/backend/wellformed"
)

// Strange says why nothing of a file can be read, in words for the user: it is not what its name says. It is empty where some of it is
// JSON, whatever it says.
func (f *File) Strange() string {
	const few = 4096
	head := make([]byte, few)
	n, err := f.ReadAt(head, 0)
	if head = head[:n]; n == 0 {
		if f.Size > 0 {
			return "The file can't be read: " + err.Error()
		}
		return "The file is empty."
	}
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return "The file is compressed with gzip, and not text as its name says."
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		return "The file is compressed with zstd, and not text as its name says."
	case len(bytes.Trim(head, "\x00")) == 0:
		return "The file begins with nothing but zeros, as a disk or a system that failed leaves it."
	case int64(n) == f.Size && len(bytes.TrimSpace(head)) == 0:
		return "The file has nothing but blank lines."
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")), n > 1 && (head[0] == 0) != (head[1] == 0):
		return "The file is text in UTF-16; agents write UTF-8. Something else has written it anew."
	}
	for line := range f.Forward() {
		if wellformed.JSON(line) {
			return ""
		}
	}
	if wellformed.JSON(f.Cut()) { // a first line that is longer than any list reads
		return ""
	}
	return "The file is no text of JSON: damaged, or written by something else."
}
