package overlay

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"palimpsest/backend/record"
	"palimpsest/backend/tokens"
)

// Estimate is the raw estimate of one message with this content, in tokens.
func Estimate(content []record.Block) int {
	var tally tokens.Tally
	for _, block := range content {
		weigh(&tally, block)
	}
	return tally.Tokens()
}

func weigh(tally *tokens.Tally, block record.Block) {
	if block.Quarters > 0 {
		tally.AddQuarters(block.Quarters)
		return
	}
	switch block.Kind {
	case record.BlockText:
		weighText(tally, &block)
	case record.BlockThinking:
		tally.AddText(block.Text)
	case record.BlockToolCall:
		tally.AddText(block.Name)
		tally.AddText(compact(block.Arguments))
	case record.BlockImage:
		tally.AddImage()
	case record.BlockUnknown:
	}
}

// weighText counts a text; one of which head and tail are here, as if all of it was like these.
func weighText(tally *tokens.Tally, block *record.Block) {
	head, tail, whole, cut := block.Ends()
	if !cut {
		tally.AddText(block.Text)
		return
	}
	var here tokens.Tally
	here.AddText(head)
	here.AddText(tail)
	tally.AddQuarters(int(float64(here.Quarters()) / float64(len(head)+len(tail)) * float64(whole)))
}

// compact writes JSON without white space, so that the estimate does not depend on who formatted it.
func compact(text string) string {
	var out bytes.Buffer
	if err := json.Compact(&out, []byte(text)); err != nil {
		return text
	}
	return out.String()
}

// Estimate is the raw estimate of the whole context, in tokens.
func (c *Context) Estimate() int {
	total := 0
	for i := range c.Messages {
		total += c.Messages[i].Tokens
	}
	return total
}

// Parts returns the raw estimate of each part.
func (c *Context) Parts() (parts [3]int) {
	for i := range c.Messages {
		parts[c.Messages[i].Part] += c.Messages[i].Tokens
	}
	return parts
}

// measure derives the anchored count and the calibration from the usage that the messages in range report.
func (c *Context) measure(w *walk) {
	for i := range c.Messages {
		m := &c.Messages[i]
		m.Tokens = c.estimate(m)
		if at, ok := w.itemAt(m.Offset); ok {
			w.items[at].tokens += m.Tokens
		}
	}
	if count, ok := tokens.Anchored(anchorOf(w.items)); ok {
		c.Reported = &count
	}
	c.Calibration = tokens.Calibrate(pointsOf(w.items))
}

// itemAt finds the item of a line. They stand as they were met, from the last back.
func (w *walk) itemAt(offset int64) (int, bool) {
	return slices.BinarySearchFunc(w.items, offset, func(it item, offset int64) int { return cmp.Compare(offset, it.offset) })
}

// anchorOf is the end of the path, as far as an anchor is looked for in it.
func anchorOf(items []item) []tokens.Item {
	var path []tokens.Item
	for i := range items {
		path = append(path, itemOf(&items[i]))
		if last := path[i]; last.Assistant || last.Breaks {
			break
		}
	}
	slices.Reverse(path)
	return path
}

func itemOf(it *item) tokens.Item {
	out := tokens.Item{Estimate: it.tokens}
	switch it.rec.Type {
	case record.TypeCompaction, record.TypePrune, record.TypeRevert, record.TypeBranch, record.TypeModel:
		out.Breaks = true
	case record.TypeMessage:
		m := it.rec.Message
		out.Assistant = m.Role == record.RoleAssistant
		out.Discount = m.StopReason == record.StopAborted || m.StopReason == record.StopError
		if out.Usage = usageOf(m); it.own != nil {
			out.Usage = it.own.usage
		}
	case record.TypeLabel, record.TypeNote:
	}
	return out
}

// usageOf is what was reported with an answer, nil where the input was not: the rest alone is not the size of the context.
func usageOf(m *record.Message) *tokens.Usage {
	if m.Usage == nil || m.Usage.Untold&record.InputTokens != 0 {
		return nil
	}
	return &tokens.Usage{Input: m.Usage.Input, Output: m.Usage.Output, CacheRead: m.Usage.CacheRead, CacheWrite: m.Usage.CacheWrite}
}

// pointsOf finds the answers whose usage can be compared with an estimate: those of the newest model since the last
// compaction, prune or revert. What was in the context before one of these is not known from the range; before a branch
// or a switch of model it was what is on the path.
func pointsOf(items []item) []tokens.Point {
	var points []tokens.Point
	before, model := 0, ""
	for i := range slices.Backward(items) {
		it := itemOf(&items[i])
		switch items[i].rec.Type {
		case record.TypeCompaction, record.TypePrune, record.TypeRevert:
			points = nil
		case record.TypeMessage, record.TypeBranch, record.TypeLabel, record.TypeModel, record.TypeNote:
		}
		if it.Assistant && it.Usage != nil && !it.Discount {
			if m := items[i].rec.Message.Model; m != model {
				points, model = nil, m
			}
			points = append(points, tokens.Point{Estimate: before, Usage: *it.Usage})
		}
		before += it.Estimate
	}
	return points
}
