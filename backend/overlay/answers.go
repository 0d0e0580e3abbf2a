package overlay

import (
	"fmt"

	"palimpsest/backend/many"
	"palimpsest/backend/record"
)

// openCalls are calls waiting for their results, those with one id in a chain from the last to the first.
type openCalls struct {
	last  many.IDs // by id; none if it waits no more
	calls many.List[openCall]
}

// openCall is which call of which row, and the one before it with the same id.
type openCall struct{ row, call, before int32 }

func (o *openCalls) put(id string, row, call int) {
	before, known := o.last.Get(id)
	if !known {
		before = none
	}
	o.last.Put(id, o.calls.Len())
	o.calls.Add(openCall{int32(row), int32(call), int32(before)}) //nolint:gosec // nobody holds so many
}

// take is the first open call of the last message that has one.
func (o *openCalls) take(id string) (call openCall, ok bool) {
	last, known := o.last.Get(id)
	if !known || last == none {
		return call, false
	}
	at, behind := last, none
	for call = o.calls.At(at); call.before != none; {
		before := o.calls.At(int(call.before))
		if before.row != call.row {
			break
		}
		at, behind, call = int(call.before), at, before
	}
	if behind == none {
		o.last.Put(id, int(call.before))
		return call, true
	}
	next := o.calls.At(behind)
	next.before = call.before
	o.calls.Set(behind, next)
	return call, true
}

// matchResults finds, for each call of each message, the result that answers it, none if there is none. A result answers the nearest earlier
// call of that id that has no result yet; others are dropped, and so are those of answers that were dropped.
func (c *Context) matchResults() {
	r := &c.walk.rows
	var open openCalls
	for i := range r.list.Len() {
		of := r.list.At(i)
		switch c.walk.roleOf(of) {
		case record.RoleAssistant:
			m := c.told(of)
			ids := c.walk.callsOf(of, &m)
			of.calls, of.callCount = int32(r.answers.Len()), int32(len(ids)) //nolint:gosec // nobody holds so many
			for call, id := range ids {
				open.put(id, i, call)
				r.answers.Add(none)
			}
			r.list.Set(i, of)
		case record.RoleToolResult:
			m := c.told(of)
			call, is := open.take(m.ToolCallID)
			switch {
			case !is:
				c.drop(&m, fmt.Sprintf("a result for %.60q, a call that is not open, left out", m.ToolCallID))
				r.drop(i, of)
			case r.list.At(int(call.row)).gone:
				c.drop(&m, "the result of an answer that is left out")
				r.drop(i, of)
			default:
				r.answers.Set(int(r.list.At(int(call.row)).calls+call.call), int32(i)) //nolint:gosec // as above
			}
		case record.RoleUser:
		}
	}
}
