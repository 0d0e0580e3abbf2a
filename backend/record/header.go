package record

import (
	"strings"
	"unsafe"

	"github.com/tidwall/gjson"

	"palimpsest/backend/wellformed"
)

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
		h.Type, h.Newer = Type(valid([]byte(text(f.recordType)))), true // as Decode, which reads text, has it
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
