package compaction

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// texts are messages with their texts, which a context may have left in the log: one is held at a time. Of those that are not wanted, if
// there is such a rule, the texts are not read. Where a text can't be read they end, and [Plan.Unread] says why.
func (p *Plan) texts(wanted func(*overlay.Message) bool, lists ...[]overlay.Message) iter.Seq[*overlay.Message] {
	return func(yield func(*overlay.Message) bool) {
		for _, messages := range lists {
			more := p.unread == nil
			each := func(m *overlay.Message) bool {
				more = yield(m)
				return more
			}
			if !more || !p.hand(messages, wanted, each) || !more {
				return
			}
		}
	}
}

func (p *Plan) hand(messages []overlay.Message, wanted, each func(*overlay.Message) bool) bool {
	c := p.context
	if c == nil { // messages of nobody's log
		c = &overlay.Context{}
	}
	if err := c.Texts(messages, wanted, each); err != nil {
		p.unread = fmt.Errorf("reading what is compacted: %w", err)
	}
	return p.unread == nil
}

// Unread is why texts could not be read: then what was made of the plan since is not whole.
func (p *Plan) Unread() error { return p.unread }

// tokensAtOnce is how much is read at once by who goes back from the newest message: a log is read forward.
const tokensAtOnce = 64 << 10

// backward are messages with their texts, the newest first.
func (p *Plan) backward(messages []overlay.Message) iter.Seq[*overlay.Message] {
	return func(yield func(*overlay.Message) bool) {
		for len(messages) > 0 {
			from := len(messages)
			for size := 0; from > 0 && size < tokensAtOnce; {
				from--
				size += messages[from].Tokens + 1
			}
			var some []overlay.Message
			for m := range p.texts(nil, messages[from:]) {
				some = append(some, *m)
			}
			for i := range slices.Backward(some) {
				if !yield(&some[i]) {
					return
				}
			}
			messages = messages[:from]
		}
	}
}

// serialize is [Serialize] of messages with their texts.
func (p *Plan) serialize(lists ...[]overlay.Message) string {
	var out strings.Builder
	for m := range p.texts(nil, lists...) {
		serializeMessage(&out, m)
	}
	return strings.TrimSuffix(out.String(), "\n")
}

func hasCalls(m *overlay.Message) bool {
	return slices.ContainsFunc(m.Content, func(b record.Block) bool { return b.Kind == record.BlockToolCall })
}
