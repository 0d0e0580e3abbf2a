package overlay

import "palimpsest/backend/record"

// arranger puts messages into their final order: each result directly behind its message, in the order of its calls.
type arranger struct {
	ctx  *Context
	rows *rows
	next int // nothing before it is left to place
}

func (c *Context) arrange() {
	a := arranger{ctx: c, rows: &c.walk.rows}
	for i := range a.rows.list.Len() {
		if of := a.rows.list.At(i); !of.gone && c.walk.roleOf(of) != record.RoleToolResult {
			a.place(i, of)
			a.placeResults(i, of)
		}
	}
}

func (a *arranger) place(i int, of row) {
	a.rows.order.Add(int32(i)) //nolint:gosec // nobody holds so many
	of.gone = true
	a.rows.list.Set(i, of)
}

// placeResults places the results of a row; one that is not the next thing left in path order has to move.
func (a *arranger) placeResults(i int, of row) {
	if of.callCount == 0 {
		return
	}
	lacks := false
	for call := range of.callCount {
		result := int(a.rows.answers.At(int(of.calls + call)))
		if result < 0 {
			lacks = true
			a.rows.order.Add(int32(^a.rows.missing.Len()))         //nolint:gosec // nobody holds so many
			a.rows.missing.Add(missing{row: int32(i), call: call}) //nolint:gosec // as above
			continue
		}
		for a.next < a.rows.list.Len() && a.rows.list.At(a.next).gone {
			a.next++
		}
		at := a.rows.list.At(result)
		if a.next != result {
			m := a.ctx.told(at)
			a.ctx.repair(&m, "a result that stood elsewhere, put behind its call")
		}
		a.place(result, at)
	}
	if lacks {
		m := a.ctx.told(of)
		a.ctx.repair(&m, "no result")
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
