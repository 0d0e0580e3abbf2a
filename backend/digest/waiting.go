package digest

import (
	"strings"

	"palimpsest/backend/many"
)

// waiting are calls with the names of their tools, as long as they wait for a result, which may not come.
type waiting struct {
	calls many.IDs // the number of a name, gone if none waits any more
	names many.Few[string]
}

const gone = -1

func (w *waiting) called(id, name string) {
	w.calls.Put(id, int(w.names.Number(strings.Clone(name)))) // the name is a part of the whole record
}

// answered is the name of the tool that was called, empty if nothing waits for this result.
func (w *waiting) answered(id string) string {
	n, known := w.calls.Get(id)
	if !known || n == gone {
		return ""
	}
	w.calls.Put(id, gone)
	return w.names.Value(uint32(n))
}
