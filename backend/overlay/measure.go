package overlay

import (
	"bytes"
	"cmp"
	"encoding/json"
	"sort"

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
	if block.Aside {
		return
	}
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
	case record.BlockAsIs:
		weighAsIs(tally, &block)
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
	for _, part := range c.Parts() {
		total += part
	}
	return total
}

// Parts returns the raw estimate of each part.
func (c *Context) Parts() (parts [3]int) {
	if c.walk != nil {
		return c.walk.rows.parts
	}
	for i := range c.Messages {
		parts[c.Messages[i].Part] += c.Messages[i].Tokens
	}
	return parts
}

// measure derives the anchored count and the calibration from the usage that the messages in range report.
func (c *Context) measure() {
	w := c.walk
	for i := range w.rows.own {
		w.rows.own[i].Tokens = w.rows.own[i].size()
	}
	for _, m := range c.All() {
		size := m.size()
		w.rows.parts[m.Part] += size
		if at, ok := w.itemAt(m.Offset); ok {
			it := w.items.At(at)
			it.tokens += size
			w.items.Set(at, it)
		}
	}
	if count, ok := tokens.Anchored(w.anchor()); ok {
		c.Reported = &count
	}
	c.Calibration = tokens.Calibrate(w.points())
}

func (m *Message) size() int {
	if m.counted {
		return m.Tokens
	}
	return Estimate(m.Content)
}

// itemAt finds the item of a line. They stand as they were met, from the last back.
func (w *walk) itemAt(offset int64) (int, bool) {
	for i := w.near; i >= max(w.near-1, 0) && i < w.items.Len(); i-- { // mostly that of the same message, or of the next
		if w.items.At(i).offset == offset {
			w.near = i
			return i, true
		}
	}
	i, ok := sort.Find(w.items.Len(), func(i int) int { return cmp.Compare(w.items.At(i).offset, offset) })
	w.near = i
	return i, ok
}

// anchor is the end of the path, as far as an anchor is looked for in it: what stands behind that is one.
func (w *walk) anchor() []tokens.Item {
	behind := tokens.Item{}
	for i := range w.items.Len() {
		last := w.measured(i)
		if last.Assistant || last.Breaks {
			return []tokens.Item{last, behind}
		}
		behind.Estimate += last.Estimate
	}
	return []tokens.Item{behind}
}

func (w *walk) measured(i int) tokens.Item {
	it := w.items.At(i)
	out := tokens.Item{Estimate: it.tokens}
	rec := w.records[it.rec]
	switch rec.Type {
	case record.TypeCompaction, record.TypePrune, record.TypeRevert, record.TypeBranch, record.TypeModel:
		out.Breaks = true
	case record.TypeMessage:
		m := rec.Message
		out.Assistant, out.Discount = m.Role == record.RoleAssistant, discounted(m)
		if out.Usage = usageOf(m); it.counted && it.usage > 0 {
			usage := w.usage.At(int(it.usage - 1))
			out.Usage = &usage
		}
	case record.TypeLabel, record.TypeNote:
	}
	return out
}

// discounted tells that what was reported with an answer covers an unknown part.
func discounted(m *record.Message) bool {
	return m.StopReason == record.StopAborted || m.StopReason == record.StopError
}

// usageOf is what was reported with an answer, nil where the input was not: the rest alone is not the size of the context.
func usageOf(m *record.Message) *tokens.Usage {
	if m.Usage == nil || m.Usage.Untold&record.InputTokens != 0 {
		return nil
	}
	return &tokens.Usage{Input: m.Usage.Input, Output: m.Usage.Output, CacheRead: m.Usage.CacheRead, CacheWrite: m.Usage.CacheWrite}
}

// points finds the answers whose usage can be compared with an estimate: those of the newest model since the last
// compaction, prune or revert. What was in the context before one of these is not known from the range; before a branch
// or a switch of model it was what is on the path.
func (w *walk) points() []tokens.Point {
	var points []tokens.Point
	before, model := 0, ""
	for i := w.items.Len() - 1; i >= 0; i-- {
		it := w.measured(i)
		rec := w.records[w.items.At(i).rec]
		switch rec.Type {
		case record.TypeCompaction, record.TypePrune, record.TypeRevert:
			points = nil
		case record.TypeMessage, record.TypeBranch, record.TypeLabel, record.TypeModel, record.TypeNote:
		}
		if it.Assistant && it.Usage != nil && !it.Discount {
			if m := rec.Message.Model; m != model {
				points, model = nil, m
			}
			if it.Usage.Prompt() > 0 { // others tell nothing
				points = append(points, tokens.Point{Estimate: before, Usage: *it.Usage})
			}
		}
		before += it.Estimate
	}
	return points
}
