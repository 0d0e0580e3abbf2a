package record

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// Cut returns the record as JSON of at most about size bytes, marked with "truncated": true and its real length, whole, in
// "bytes": long strings are cut, wherever they stand, to the largest length at which the whole fits.
func (r *Record) Cut(size int, whole int64) string {
	var value map[string]any
	decoder := json.NewDecoder(strings.NewReader(r.JSON))
	decoder.UseNumber() // They stay as they are written.
	if decoder.Decode(&value) != nil {
		return r.stub(whole)
	}
	value["truncated"], value["bytes"] = true, whole
	// JSON text can be six times as long as the string it stands for, and there may be many strings: halve until it fits.
	for longest := size; longest >= shortest; longest /= 2 {
		text, err := json.Marshal(cutStrings(value, longest))
		if err == nil && len(text) <= size {
			return string(text)
		}
	}
	return r.stub(whole)
}

// shortest is the length below which cutting strings further shows nothing any more.
const shortest = 32

// cutStrings copies a JSON value with every string cut to a length in bytes. Nesting is bounded by the decoder.
func cutStrings(value any, length int) any {
	switch v := value.(type) {
	case string:
		return cutString(v, length)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = cutStrings(v[i], length)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, member := range v {
			out[cutString(key, length)] = cutStrings(member, length)
		}
		return out
	}
	return value
}

func cutString(s string, length int) string {
	if len(s) <= length {
		return s
	}
	for length > 0 && !utf8.RuneStart(s[length]) {
		length--
	}
	return s[:length] + "…"
}

// stub is all of a record that is sure to be short.
func (r *Record) stub(whole int64) string {
	object := gjson.Parse(r.JSON)
	stub := `{"recordType":` + quote(string(r.Type)) + `,"schemaVersion":` + strconv.FormatInt(r.Version, 10) +
		`,"seq":` + strconv.FormatInt(r.Seq, 10)
	if r.Message != nil {
		stub += `,"role":` + quote(string(r.Message.Role)) + `,"content":[]`
	}
	if stamp := object.Get("timestamp"); stamp.Exists() && len(stamp.Raw) < 100 {
		stub += `,"timestamp":` + stamp.Raw
	}
	return stub + `,"truncated":true,"bytes":` + strconv.FormatInt(whole, 10) + `}`
}
