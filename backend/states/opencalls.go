package states

import (
	"encoding/binary"

	"palimpsest/backend/many"
)

// openCalls are calls that have no result yet, which they may never get. Of those with the same id the last is answered first.
type openCalls struct {
	last  many.IDs // the place of the last one with an id, none if there is none
	calls many.List[openCall]
}

// openCall tells whether its message is left out, and where the one with its id stands that is answered next.
type openCall struct {
	leftOut bool
	next    int32
}

const none = -1

func (o *openCalls) push(id uint64, leftOut bool) {
	key, next := nameOf(id), none
	if last, known := o.last.Get(key); known {
		next = last
	}
	o.last.Put(key, o.calls.Len())
	o.calls.Add(openCall{leftOut, int32(next)})
}

func (o *openCalls) pop(id uint64) (leftOut, called bool) {
	key := nameOf(id)
	last, known := o.last.Get(key)
	if !known || last == none {
		return false, false
	}
	call := o.calls.At(last)
	o.last.Put(key, int(call.next))
	return call.leftOut, true
}

func nameOf(id uint64) string { return string(binary.BigEndian.AppendUint64(nil, id)) }
