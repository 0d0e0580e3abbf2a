package overlay

import (
	"iter"

	"palimpsest/backend/many"
	"palimpsest/backend/record"
)

// rows are the messages of a context in few bytes: of one that is like many only which item it is of, and the message itself of any other.
type rows struct {
	list many.List[row]
	own  []Message
	// answers has for each call of each message, as they come, the row of the result that answers it.
	answers many.List[int32]
	// order has the rows in the order of the context, and below 0 the complements of those calls, in missing, that have no result.
	order   many.List[int32]
	missing many.List[missing]
	// bodies are those that messages have in common, by the numbers of their records.
	bodies map[int32]*Body
	filter filter
	parts  [3]int
}

// row is a message. It is told by its item or, if own is not none, stands there.
type row struct {
	item, own int32
	// calls is where those of its calls begin in answers, and callCount how many these are.
	calls, callCount int32
	// gone tells that it is dropped or, later, that it has its place.
	gone bool
}

// missing is a result that never came.
type missing struct{ row, call int32 }

const none = -1

func (r *rows) put(m Message) {
	r.own = append(r.own, m)
	r.list.Add(row{item: none, own: int32(len(r.own) - 1)}) //nolint:gosec // nobody holds so many
}

// Len is how many messages there are.
func (c *Context) Len() int {
	if c.walk == nil {
		return len(c.Messages)
	}
	return c.walk.rows.order.Len()
}

// Message is one of them, also of a context that was resolved light.
func (c *Context) Message(i int) Message {
	if c.walk == nil {
		return c.Messages[i]
	}
	r := &c.walk.rows
	at := r.order.At(i)
	if at >= 0 {
		return c.told(r.list.At(int(at)))
	}
	gone := r.missing.At(int(^at))
	of := r.list.At(int(gone.row))
	call := c.told(of)
	m := interrupted(&call, c.walk.callsOf(of, &call)[gone.call])
	m.Tokens = m.size()
	return m
}

// All are the messages in their order.
func (c *Context) All() iter.Seq2[int, Message] {
	return func(yield func(int, Message) bool) {
		for i := range c.Len() {
			if !yield(i, c.Message(i)) {
				return
			}
		}
	}
}

// told is the message of a row, as it is sent.
func (c *Context) told(of row) Message {
	if of.own != none {
		return c.walk.rows.own[of.own]
	}
	m, _ := c.ofItem(c.walk.items.At(int(of.item)))
	c.fit(&m)
	m.Tokens = m.size()
	return m
}

// ofItem is what an item says, as it was recorded; not ok if that is nothing.
func (c *Context) ofItem(it item) (m Message, ok bool) {
	w := c.walk
	rec := w.records[it.rec]
	m = Message{From: it.seq, Offset: it.offset, Part: PartKept, light: it.light, counted: it.counted}
	if it.fresh && w.compaction != nil {
		m.Part = PartFresh
	}
	if m.Body = w.rows.bodies[it.rec]; m.Body == nil || it.pruned {
		m.Body = bodyOf(rec)
	}
	if m.Body == nil {
		return m, false
	}
	if it.counted && !it.pruned {
		w.rows.bodies[it.rec] = m.Body
	}
	sent, recorded := c.estimate(it, rec.Message)
	m.Tokens = sent
	if rec.Message == nil {
		return m, true
	}
	m.Seq, m.ToolCallID = it.seq, rec.Message.ToolCallID
	if it.counted && m.Role == record.RoleToolResult {
		m.ToolCallID = w.ids.At(it.idsEnd - 1)
	}
	if it.pruned {
		m.Overlay, m.instead = OverlayPrune, w.insteads[it.instead]
		if m.whole = recorded; !it.counted {
			m.whole = Estimate(m.Content)
		}
	}
	return m, true
}
