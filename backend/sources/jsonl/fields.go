package jsonl

import (
	"strings"

	"github.com/tidwall/gjson"
)

// Object is what members can be asked of: a [gjson.Result], which looks for each anew, or [Fields].
type Object interface {
	Get(path string) gjson.Result
}

// Fields are the members of an object, found once for all that is asked of them: a line may be long, and what it does not have is found
// out at its end. They are read again for each object, and valid until then.
type Fields struct {
	gjson.Result
	list []field
}

type field struct {
	name  string
	value gjson.Result
}

// Read takes the members of an object; of anything else there are none.
func (f *Fields) Read(object gjson.Result) *Fields {
	f.Result, f.list = object, f.list[:0]
	if object.IsObject() {
		object.ForEach(func(name, value gjson.Result) bool {
			f.list = append(f.list, field{name.Str, value})
			return true
		})
	}
	return f
}

// Get is what a path leads to, as [gjson.Result.Get] has it: of a name that occurs twice, the first.
func (f *Fields) Get(path string) gjson.Result {
	name, rest, deeper := strings.Cut(path, ".")
	for i := range f.list {
		if f.list[i].name != name {
			continue
		}
		if deeper {
			return f.list[i].value.Get(rest)
		}
		return f.list[i].value
	}
	return gjson.Result{}
}
