package jsonl

import (
	"strings"
	"sync"

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

// field is a member; its value is what its text says, once it was asked for.
type field struct {
	name, text string
	value      gjson.Result
	known      bool
}

var unusedFields = sync.Pool{New: func() any { return new(Fields) }}

// Fields are for the lines of the file, and valid until it is closed: another file's have their room then.
func (f *File) Fields() *Fields {
	fields, _ := unusedFields.Get().(*Fields) // the pool makes nothing else
	f.fields = append(f.fields, fields)
	return fields
}

func (f *Fields) release() {
	clear(f.list[:cap(f.list)]) // a long line is kept by nobody
	f.Result, f.list = gjson.Result{}, f.list[:0]
	unusedFields.Put(f)
}

// Read takes the members of an object; of anything else there are none.
func (f *Fields) Read(object gjson.Result) *Fields {
	f.Result, f.list = object, f.list[:0]
	if object.IsObject() && !f.members(object.Raw) {
		f.list = f.list[:0]
		object.ForEach(func(name, value gjson.Result) bool {
			f.list = append(f.list, field{name: name.Str, value: value, known: true})
			return true
		})
	}
	return f
}

// Len is how many members there are.
func (f *Fields) Len() int { return len(f.list) }

// Name and Value are a member by its number.
func (f *Fields) Name(i int) string { return f.list[i].name }

// Value is what it says.
func (f *Fields) Value(i int) gjson.Result { return f.list[i].get() }

// Get is what a path leads to, as [gjson.Result.Get] has it: of a name that occurs twice, the first.
func (f *Fields) Get(path string) gjson.Result {
	name, rest, deeper := strings.Cut(path, ".")
	for i := range f.list {
		if f.list[i].name != name {
			continue
		}
		if deeper {
			return at(f.list[i].get(), rest)
		}
		return f.list[i].get()
	}
	return gjson.Result{}
}

func (d *field) get() gjson.Result {
	if !d.known {
		d.value, d.known = valueOf(d.text), true
	}
	return d.value
}
