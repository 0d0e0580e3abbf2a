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

// unanswered are the calls since a person last said something that no result has come for. It holds few: of more it only knows that there are some.
type unanswered struct {
	calls map[string]bool
	more  bool
}

// unansweredMost is how many calls an answer has, at most, as a rule.
const unansweredMost = 64

func (u *unanswered) called(id string) {
	if len(u.calls) == unansweredMost {
		u.more = true
		return
	}
	if u.calls == nil {
		u.calls = map[string]bool{}
	}
	u.calls[strings.Clone(id)] = true
}

func (u *unanswered) answered(id string) { delete(u.calls, id) }

// forget has nobody wait: a person said something else.
func (u *unanswered) forget() {
	clear(u.calls)
	u.more = false
}

func (u *unanswered) none() bool { return len(u.calls) == 0 && !u.more }
