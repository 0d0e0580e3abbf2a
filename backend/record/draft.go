package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// ErrSeqsUsedUp is returned if a log's last seq is the largest there can be: one number in it must be wrong.
var ErrSeqsUsedUp = errors.New("there is no seq left to give out")

// Draft is a record that is checked and complete but for its seq, which the log gives out.
type Draft struct {
	Type Type
	Role Role
	Time time.Time
	// members is what follows recordType, schemaVersion and seq on the line, beginning with a comma.
	members  []byte
	pointers []pointer
}

// pointer is a seq that must lie before the record's own, or may equal it.
type pointer struct {
	field    string
	seq      int64
	mayEqual bool
}

// NewDraft checks a record as a writer must make it: one JSON object without seq, of a known type, with every field
// of its type. schemaVersion may be left out; so may timestamp, which is then now, and isError, which is then false.
// Members it does not know stay as they are. The error says what is wrong and where.
func NewDraft(object []byte, now time.Time) (Draft, error) {
	if !utf8.Valid(object) {
		return Draft{}, errors.New("not UTF-8")
	}
	if err := checkJSON(object); err != nil {
		return Draft{}, err
	}
	parsed := gjson.ParseBytes(object)
	if !parsed.IsObject() {
		return Draft{}, errors.New("not a JSON object")
	}
	kind, known := lookup(text(parsed.Get("recordType")))
	if !known {
		return Draft{}, fmt.Errorf("recordType is %s, not one that this version writes", shown(parsed.Get("recordType")))
	}
	d := Draft{Type: kind, Time: now.UTC()}
	check := checker{fields: map[string]gjson.Result{}}
	parsed.ForEach(func(key, value gjson.Result) bool {
		check.fields[key.Str] = value
		return true
	})
	check.common(&d)
	check.body(&d)
	if check.err != nil {
		return Draft{}, fmt.Errorf("%s: %w", kind, check.err)
	}
	return d, d.compose(check.fields, parsed)
}

// compose lays out the members in the order they came in, each compact, so that the record is one line.
func (d *Draft) compose(fields map[string]gjson.Result, object gjson.Result) error {
	var out bytes.Buffer
	written := map[string]bool{"recordType": true, "schemaVersion": true, "seq": true}
	var err error
	object.ForEach(func(key, _ gjson.Result) bool {
		if !written[key.Str] {
			written[key.Str] = true
			out.WriteString("," + quote(key.Str) + ":")
			err = json.Compact(&out, []byte(fields[key.Str].Raw))
		}
		return err == nil
	})
	if err != nil {
		return fmt.Errorf("compacting: %w", err)
	}
	if d.Role == RoleToolResult && !written["isError"] {
		out.WriteString(`,"isError":false`)
	}
	if !written["timestamp"] {
		out.WriteString(`,"timestamp":` + quote(Time(d.Time)))
	}
	d.members = out.Bytes()
	return nil
}

// Line returns the record as a line with its newline. It fails if seq is used up or the record would point ahead.
func (d *Draft) Line(seq int64) ([]byte, error) {
	if seq > MaxSeq {
		return nil, fmt.Errorf("%w: the log's last record has %d", ErrSeqsUsedUp, seq-1)
	}
	for _, p := range d.pointers {
		if p.seq > seq || p.seq == seq && !p.mayEqual {
			return nil, fmt.Errorf("%s: %s %d points ahead; this record would be %d", d.Type, p.field, p.seq, seq)
		}
	}
	line := make([]byte, 0, len(d.members)+80)
	line = append(line, `{"recordType":"`+string(d.Type)+`","schemaVersion":`...)
	line = strconv.AppendInt(line, versions[d.Type], 10)
	line = append(line, `,"seq":`...)
	line = strconv.AppendInt(line, seq, 10)
	line = append(line, d.members...)
	return append(line, "}\n"...), nil
}

// shown is a value as an error message repeats it, cut short.
func shown(value gjson.Result) string {
	if !value.Exists() {
		return "missing"
	}
	const most = 60
	if len(value.Raw) > most {
		return fmt.Sprintf("%q…", value.Raw[:most])
	}
	return value.Raw
}
