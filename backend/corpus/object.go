package corpus

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// object is one of JSON. Agents write what a thing is before what it holds, and some write the rest behind that.
type object map[string]any

// order is that of members; others come between those that are long and those that stand last.
var order = map[string]int{
	"recordType": 1, "schemaVersion": 2, "seq": 3, "parentUuid": 4, "logicalParentUuid": 5, "isSidechain": 6, "type": 7, "id": 8, "role": 9, "parentId": 10,
	"message": 90, "content": 91, "payload": 92, "text": 93, "uuid": 94, "toolUseResult": 96,
}

func place(name string) int {
	if at, ok := order[name]; ok {
		return at
	}
	const between, last = 50, 95
	if name == "timestamp" {
		return last
	}
	return between
}

// MarshalJSON is as [json.Marshaler] has it.
func (o object) MarshalJSON() ([]byte, error) {
	names := slices.SortedFunc(maps.Keys(o), func(a, b string) int { return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b)) })
	out := []byte{'{'}
	for i, name := range names {
		text, err := plain(o[name])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(append(append(out, '"'), name...), `":`...), text...)
	}
	return append(out, '}'), nil
}

// plain writes a value as programs other than Go's do, without escapes for pages.
func plain(value any) ([]byte, error) {
	var out bytes.Buffer
	to := json.NewEncoder(&out)
	to.SetEscapeHTML(false)
	if err := to.Encode(value); err != nil {
		return nil, fmt.Errorf("encoding: %w", err)
	}
	return bytes.TrimRight(out.Bytes(), "\n"), nil
}
