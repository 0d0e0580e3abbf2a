package record

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"time"

	"github.com/tidwall/gjson"
)

// fieldsOf returns the named members of a JSON object; of one that occurs twice, the last. Absent ones are the zero
// Result.
func fieldsOf(object gjson.Result, names ...string) map[string]gjson.Result {
	found := make(map[string]gjson.Result, len(names))
	object.ForEach(func(key, value gjson.Result) bool {
		for _, name := range names {
			if key.Str == name {
				found[name] = value
				break
			}
		}
		return true
	})
	return found
}

// text is the string that value holds, else "".
func text(value gjson.Result) string {
	if value.Type == gjson.String {
		return value.Str
	}
	return ""
}

// integer is the whole number that value holds. 5.0 and 5e0 are 5, as in JavaScript.
func integer(value gjson.Result) (int64, bool) {
	if value.Type != gjson.Number {
		return 0, false
	}
	if n, err := strconv.ParseInt(value.Raw, 10, 64); err == nil {
		return n, -MaxSeq <= n && n <= MaxSeq
	}
	f, err := strconv.ParseFloat(value.Raw, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > MaxSeq {
		return 0, false
	}
	return int64(f), true
}

// number is the whole number that value holds, else 0: for fields whose absence is no damage.
func number(value gjson.Result) int64 {
	n, _ := integer(value)
	return n
}

// stringList holds the strings of an array; members that are not strings are left out.
func stringList(value gjson.Result) []string {
	list := []string{}
	if !value.IsArray() {
		return list
	}
	value.ForEach(func(_, member gjson.Result) bool {
		if member.Type == gjson.String {
			list = append(list, member.Str)
		}
		return true
	})
	return list
}

// timeOf reads an ISO 8601 time with a zone; anything else is the zero time.
func timeOf(value gjson.Result) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text(value))
	if err != nil {
		return time.Time{}
	}
	return t
}

// quote writes s as a JSON string without the HTML escapes that encoding/json adds by default.
func quote(s string) string {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic("record: a string that can't be encoded: " + err.Error())
	}
	return string(bytes.TrimRight(out.Bytes(), "\n"))
}
