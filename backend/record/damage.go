package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Error says why a line is damage.
type Error struct {
	// Unparsable is set if the line is not JSON at all, as a torn write leaves it; not set if it is JSON but no record.
	Unparsable bool
	// Truncated is set if the line is the beginning of a JSON text, or nothing but NUL bytes: the shapes that a crash
	// leaves, as opposed to a change of bytes.
	Truncated bool
	Reason    string
}

func (e *Error) Error() string { return e.Reason }

func damage(format string, args ...any) *Error {
	return &Error{Reason: fmt.Sprintf(format, args...)}
}

// leftOut begins a line that stands for what a reading left out, and says why.
const leftOut = "[left out: "

// LeftOut is such a line: no record, but one that tells its reason itself.
func LeftOut(reason string) []byte { return []byte(leftOut + reason + "]") }

// other begins a line that stands for JSON that is no object, as a reading found it.
const other = "? "

// Other is such a line, which must not pass for a record.
func Other(value []byte) []byte { return append([]byte(other), value...) }

// unparsable puts into words what is wrong with a line that is not JSON.
func unparsable(line []byte) *Error {
	if nul := bytes.Count(line, []byte{0}); nul == len(line) {
		reason := fmt.Sprintf("%d NUL bytes, as a filesystem leaves them after a power cut", nul)
		return &Error{Unparsable: true, Truncated: true, Reason: reason}
	}
	if reason, told := bytes.CutPrefix(line, []byte(leftOut)); told && bytes.HasSuffix(line, []byte("]")) {
		return &Error{Unparsable: true, Reason: valid(reason[:len(reason)-1])}
	}
	if value, marked := bytes.CutPrefix(line, []byte(other)); marked && json.Valid(value) {
		return &Error{Unparsable: true, Reason: "not one JSON object: other JSON"}
	}
	var value json.RawMessage
	reason := fmt.Sprintf("not one JSON object: %v", json.Unmarshal(line, &value))
	// The streaming decoder tells a text that ends too soon from one that is wrong.
	err := json.NewDecoder(bytes.NewReader(line)).Decode(&value)
	return &Error{Unparsable: true, Truncated: errors.Is(err, io.ErrUnexpectedEOF), Reason: reason}
}
