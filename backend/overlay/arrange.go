package overlay

import "palimpsest/backend/record"

// arranger puts messages into their final order: each result directly behind its message, in the order of its calls.
type arranger struct {
	ctx  *Context
	walk *walk
	in   []Message
	gone []bool // dropped or already placed
	next int    // nothing before it is left to place
	// order are the places in in of what is placed or, below 0, the complements of those in made.
	order []int32
	made  []Message
}

func (c *Context) arrange(in []Message, dropped []bool, answers [][]int, w *walk) {
	a := arranger{ctx: c, walk: w, in: in, gone: dropped, order: make([]int32, 0, len(in))}
	for i := range in {
		if a.gone[i] || in[i].Role == record.RoleToolResult {
			continue
		}
		a.place(i)
		a.placeResults(i, answers[i])
	}
	c.Messages = a.arranged()
}

func (a *arranger) place(i int) {
	a.order = append(a.order, int32(i)) //nolint:gosec // nobody holds so many
	a.gone[i] = true
}

// arranged takes the room of what came in where nothing is put before what stood before it: a second copy of a long context is much.
func (a *arranger) arranged() []Message {
	out := a.in[:0]
	for at, i := range a.order {
		if i >= 0 && int(i) < at {
			out = make([]Message, 0, len(a.order))
			break
		}
	}
	for _, i := range a.order {
		if i < 0 {
			out = append(out, a.made[^i])
		} else {
			out = append(out, a.in[i])
		}
	}
	return out
}

// placeResults places the results of message i; one that is not the next thing left in path order has to move.
func (a *arranger) placeResults(i int, answers []int) {
	missing := false
	for call, id := range a.walk.callsOf(&a.in[i]) {
		result := answers[call]
		if result < 0 {
			missing = true
			a.order = append(a.order, ^int32(len(a.made))) //nolint:gosec // nobody holds so many
			a.made = append(a.made, interrupted(&a.in[i], id))
			continue
		}
		for a.next < len(a.gone) && a.gone[a.next] {
			a.next++
		}
		if a.next != result {
			a.ctx.repair(&a.in[result], "a result that stood elsewhere, put behind its call")
		}
		a.place(result)
	}
	if missing {
		a.ctx.repair(&a.in[i], "no result")
	}
}

// interrupted stands for a result that never came.
func interrupted(call *Message, id string) Message {
	return Message{
		ToolCallID: id, Offset: call.Offset, Part: call.Part, From: call.From,
		Body: &Body{
			Role: record.RoleToolResult, IsError: true, Overlay: OverlayRepair,
			Content: []record.Block{record.TextBlock("[no result: interrupted]")},
		},
	}
}
