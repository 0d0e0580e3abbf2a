package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
	"unsafe"

	"github.com/tidwall/gjson"

	"palimpsest/backend/wellformed"
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

// Scan reads a line's header and decides what the line is: one pass to validate, one to find the fields, and next to
// no allocation, so that a whole log can be indexed with it. The error is always an [*Error].
func Scan(line []byte) (Header, error) {
	if err := checkJSON(line); err != nil {
		return Header{}, err
	}
	// The string shares the line's bytes, which saves copying every log that is indexed; nothing of it outlives this
	// call, since headerOf returns types and roles from its own constants or as copies.
	return headerOf(gjson.Parse(unsafe.String(unsafe.SliceData(line), len(line))))
}

// Peek reads the header of a line that looks like a record without validating the rest: as soon as the fields that tell
// what it is are known, nothing more is read. False if they can't be told that way, which is no verdict; [Scan] gives one.
func Peek(line []byte) (Header, bool) {
	if len(line) < 2 || line[0] != '{' || line[len(line)-1] != '}' {
		return Header{}, false
	}
	var f headerFields
	gjson.Parse(unsafe.String(unsafe.SliceData(line), len(line))).ForEach(func(key, value gjson.Result) bool {
		f.take(key.Str, value)
		return !f.tell()
	})
	if !f.tell() {
		return Header{}, false
	}
	seq, ok := integer(f.seq)
	version, known := integer(f.schemaVersion)
	if !ok || !known || seq < 1 || version != versions[TypeMessage] {
		return Header{}, false
	}
	role := Role(strings.Clone(text(f.role)))
	return Header{Type: TypeMessage, Version: version, Seq: seq, Role: role}, true
}

// tell is whether the fields found so far make a message. Other records are few, and are read whole.
func (f *headerFields) tell() bool {
	if text(f.recordType) != string(TypeMessage) || !f.seq.Exists() || !f.schemaVersion.Exists() {
		return false
	}
	switch Role(text(f.role)) {
	case RoleUser, RoleAssistant, RoleToolResult:
		return true
	}
	return false
}

// checkJSON bounds nesting, which gjson answers by recursion.
func checkJSON(line []byte) error {
	if !wellformed.JSON(line) {
		return unparsable(line)
	}
	return nil
}

// headerFields are the members that decide whether a line is a record.
type headerFields struct {
	recordType, schemaVersion, seq, role, content, toolCallID, timestamp gjson.Result
}

func headerFieldsOf(object gjson.Result) (f headerFields) {
	object.ForEach(func(key, value gjson.Result) bool {
		f.take(key.Str, value)
		return true
	})
	return f
}

func (f *headerFields) take(key string, value gjson.Result) {
	switch key {
	case "recordType":
		f.recordType = value
	case "schemaVersion":
		f.schemaVersion = value
	case "seq":
		f.seq = value
	case "role":
		f.role = value
	case "content":
		f.content = value
	case "toolCallId":
		f.toolCallID = value
	case "timestamp":
		f.timestamp = value
	}
}

func headerOf(object gjson.Result) (Header, error) {
	if !object.IsObject() {
		return Header{}, damage("not a JSON object")
	}
	f := headerFieldsOf(object)
	seq, ok := integer(f.seq)
	if !ok || seq < 1 {
		return Header{}, damage("no seq, or not a whole number from 1 to 2^53-1")
	}
	if text(f.recordType) == "" {
		return Header{}, damage("no recordType")
	}
	version, ok := integer(f.schemaVersion)
	if !ok || version < 1 {
		return Header{}, damage("no schemaVersion, or not a whole number from 1 on")
	}
	h := Header{Version: version, Seq: seq, Time: timeOf(f.timestamp)}
	kind, known := lookup(text(f.recordType))
	if !known || version > versions[kind] {
		h.Type, h.Newer = Type(strings.Clone(text(f.recordType))), true
		return h, nil
	}
	h.Type = kind
	if version < versions[kind] {
		return Header{}, damage("a %s has schemaVersion %d, not %d", kind, versions[kind], version)
	}
	if kind == TypeMessage {
		var err error
		h.Role, err = roleOf(f)
		return h, err
	}
	return h, nil
}

func roleOf(f headerFields) (Role, error) {
	if !f.content.IsArray() {
		return "", damage("a message whose content is not an array of blocks")
	}
	switch text(f.role) {
	case string(RoleUser):
		return RoleUser, nil
	case string(RoleAssistant):
		return RoleAssistant, nil
	case string(RoleToolResult):
		if f.toolCallID.Type != gjson.String {
			return "", damage("a tool result without its toolCallId")
		}
		return RoleToolResult, nil
	}
	return "", damage("a message without a known role")
}

// leftOut begins a line that stands for what a reading left out, and says why.
const leftOut = "[left out: "

// LeftOut is such a line: no record, but one that tells its reason itself.
func LeftOut(reason string) []byte { return []byte(leftOut + reason + "]") }

// unparsable puts into words what is wrong with a line that is not JSON.
func unparsable(line []byte) *Error {
	if nul := bytes.Count(line, []byte{0}); nul == len(line) {
		reason := fmt.Sprintf("%d NUL bytes, as a filesystem leaves them after a power cut", nul)
		return &Error{Unparsable: true, Truncated: true, Reason: reason}
	}
	if reason, told := bytes.CutPrefix(line, []byte(leftOut)); told && bytes.HasSuffix(line, []byte("]")) {
		return &Error{Unparsable: true, Reason: valid(reason[:len(reason)-1])}
	}
	var value json.RawMessage
	reason := fmt.Sprintf("not one JSON object: %v", json.Unmarshal(line, &value))
	// The streaming decoder tells a text that ends too soon from one that is wrong.
	err := json.NewDecoder(bytes.NewReader(line)).Decode(&value)
	return &Error{Unparsable: true, Truncated: errors.Is(err, io.ErrUnexpectedEOF), Reason: reason}
}

// Decode reads a whole line. The error is always an [*Error]. Fields that are missing or of the wrong type are zero,
// but for those that make a record what it is.
func Decode(line []byte) (Record, error) {
	if err := checkJSON(line); err != nil {
		return Record{}, err
	}
	// Bytes that are not UTF-8 stay in the file; what is handed on is text, as every JSON reader would have it.
	object := gjson.Parse(valid(line))
	header, err := headerOf(object)
	if err != nil {
		return Record{}, err
	}
	return decode(header, object), nil
}

// DecodeScanned reads the whole of a line that [Scan] gave this header of. It does not look again whether the line is sound.
func DecodeScanned(header Header, line []byte) Record {
	return decode(header, gjson.Parse(valid(line)))
}

func valid(line []byte) string {
	if utf8.Valid(line) { // which is told faster
		return string(line)
	}
	return strings.ToValidUTF8(string(line), "\uFFFD")
}

func decode(header Header, object gjson.Result) Record {
	r := Record{Header: header, JSON: object.Raw}
	if !r.Newer {
		decodeBody(&r, object)
	}
	return r
}

// Answered is what a line of the log says of the model that answered, and of what that took.
type Answered struct {
	Model string
	// Usage is what was reported, if Reported.
	Usage    Usage
	Reported bool
	// Failed tells that the answer broke off, so that no later context holds it.
	Failed bool
	// Said tells that there is anything in it.
	Said bool
}

// AnsweredIn reads an assistant's line without its content. The line must have passed [Scan].
func AnsweredIn(line []byte) (a Answered) {
	// As in Scan; what is kept is copied.
	gjson.Parse(unsafe.String(unsafe.SliceData(line), len(line))).ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "model":
			a.Model = strings.Clone(text(value))
		case "usage":
			if a.Reported = value.IsObject(); a.Reported {
				a.Usage = usageIn(value)
			}
		case "content":
			a.Said = value.IsArray() && value.Get("0").Exists()
		case "stopReason":
			reason := text(value)
			a.Failed = reason == StopAborted || reason == StopError
		}
		return true
	})
	return a
}
