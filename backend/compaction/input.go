package compaction

import (
	"fmt"
	"strings"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/tokens"
)

// input is what a summarizer is shown of a plan, in as many parts as it takes.
type input struct {
	parts [][]shown
	// frame is the size of a question without its conversation, in tokens.
	frame int
	// leftOut names messages that alone are too long.
	leftOut []string
}

// shown is a message with the size of its flat text, in tokens.
type shown struct {
	message *overlay.Message
	size    int
}

// summaryMost is what is kept free for the summary of the parts before: one is rarely longer.
const summaryMost = 4096

// input divides what is to be summarized. A message that alone is over half the summarizer's window, or that fits into
// no question, is left out.
func (p *Plan) input(budget tokens.Budget, asked Request) input {
	room := budget.Window - budget.Reserve
	frame := request{previous: p.previousSummary(), splitTurn: p.SplitTurn, turn: p.turn(), instructions: asked.Instructions, context: asked.Context}
	in := input{frame: p.scaled(SystemPrompt) + p.scaled(frame.prompt())}
	most := room - in.frame - min(summaryMost, room/4)
	var all []shown
	for _, messages := range [][]overlay.Message{p.replay, p.Summarize} {
		for i, size := range p.sizes(messages) {
			m := &messages[i]
			if size > min(budget.Window/2, most) {
				in.leftOut = append(in.leftOut, fmt.Sprintf("message %d (%s, about %s tokens)", m.From, m.Role, tokens.Written(m.Tokens)))
				continue
			}
			all = append(all, shown{m, size})
		}
	}
	if len(all) > 0 {
		in.parts = split(all, most)
	}
	return in
}

// sizes are those of the flat texts of messages.
func (p *Plan) sizes(messages []overlay.Message) []int {
	sizes := make([]int, 0, len(messages))
	for m := range p.texts(nil, messages) {
		sizes = append(sizes, p.scaled(Serialize([]overlay.Message{*m})))
	}
	return sizes
}

// split splits in two until each part fits, before a message that is no result, so that results stay with their calls.
func split(all []shown, most int) [][]shown {
	total := 0
	for _, m := range all {
		total += m.size
	}
	cut := middleOf(all, total)
	if cut == 0 || total <= most {
		return [][]shown{all}
	}
	return append(split(all[:cut], most), split(all[cut:], most)...)
}

// middleOf is where to split, 0 if there is no place to.
func middleOf(all []shown, total int) int {
	best, distance, before := 0, total+1, 0
	for i, m := range all {
		if off := max(total-2*before, 2*before-total); i > 0 && m.message.Role != record.RoleToolResult && off < distance {
			best, distance = i, off
		}
		before += m.size
	}
	return best
}

func messagesOf(all []shown) []overlay.Message {
	messages := make([]overlay.Message, len(all))
	for i, m := range all {
		messages[i] = *m.message
	}
	return messages
}

// scaled is the estimate of a text as this session's model counts, never below the raw one.
func (p *Plan) scaled(text string) int {
	return tokens.Scale(tokens.Estimate(strings.TrimSpace(text)), p.Calibration)
}
