package overlay

import "palimpsest/backend/record"

// arranger puts messages into their final order: each result directly behind its message, in the order of its calls.
type arranger struct {
	ctx  *Context
	in   []Message
	gone []bool // dropped or already placed
	next int    // nothing before it is left to place
}

func (c *Context) arrange(in []Message, dropped []bool, answers [][]int) {
	c.Messages = make([]Message, 0, len(in))
	a := arranger{ctx: c, in: in, gone: dropped}
	for i := range in {
		if a.gone[i] || in[i].Role == record.RoleToolResult {
			continue
		}
		a.place(i)
		a.placeResults(i, answers[i])
	}
}

func (a *arranger) place(i int) {
	a.ctx.Messages = append(a.ctx.Messages, a.in[i])
	a.gone[i] = true
}

// placeResults places the results of message i; one that is not the next thing left in path order has to move.
func (a *arranger) placeResults(i int, answers []int) {
	missing := false
	call := -1
	for _, block := range a.in[i].Content {
		if block.Kind != record.BlockToolCall {
			continue
		}
		call++
		result := answers[call]
		if result < 0 {
			missing = true
			a.ctx.Messages = append(a.ctx.Messages, interrupted(&a.in[i], block.ID))
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
		Role: record.RoleToolResult, ToolCallID: id, IsError: true,
		Content: []record.Block{record.TextBlock("[no result: interrupted]")},
		Overlay: OverlayRepair, Offset: call.Offset, Part: call.Part, From: call.From,
	}
}
