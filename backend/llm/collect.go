package llm

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// collector puts an answer together from its chunks and hands the pieces on.
type collector struct {
	on             func(Delta)
	key            string // which is in nothing that comes out
	text, thinking strings.Builder
	texts, thought hider
	calls          []*openCall
	answer         Answer
	finish         string
	named          bool // the server named an end, be it ""
	given          bool // something was handed on: no second try from here on
}

// openCall is a call whose pieces still come in.
type openCall struct {
	index     int
	id, name  string
	arguments strings.Builder
}

func newCollector(key string, on func(Delta)) *collector {
	return &collector{on: on, key: key, texts: hider{key: key}, thought: hider{key: key}}
}

func (c *collector) add(ch chunk) {
	if c.answer.Model == "" {
		c.answer.Model = hide(ch.model, c.key)
	}
	if ch.usage != nil {
		c.answer.Usage = ch.usage // some report it as they go; the last counts
	}
	if ch.finish != "" {
		c.finish = ch.finish
	}
	c.named = c.named || ch.named
	c.think(c.thought.next(ch.thinking))
	c.say(c.texts.next(ch.text))
	for _, piece := range ch.calls {
		call := c.callOf(piece)
		if call.id == "" {
			call.id = piece.id
		}
		if call.name == "" {
			call.name = piece.name
		}
		call.arguments.WriteString(piece.arguments)
	}
}

func (c *collector) think(piece string) {
	if piece != "" {
		c.thinking.WriteString(piece)
		c.hand(Delta{Thinking: piece})
	}
}

func (c *collector) say(piece string) {
	if piece != "" {
		c.text.WriteString(piece)
		c.hand(Delta{Text: piece})
	}
}

func (c *collector) hand(d Delta) {
	c.given = true
	c.on(d)
}

// callOf finds the call that a piece belongs to: by index; without one by id; else it is the last. A piece with a name
// begins a call unless it names the one it belongs to. Some servers give every call of an answer index 0.
func (c *collector) callOf(piece callPiece) *openCall {
	var found *openCall
	for _, call := range slices.Backward(c.calls) {
		if piece.index >= 0 && call.index == piece.index || piece.index < 0 && piece.id != "" && call.id == piece.id {
			found = call
			break
		}
	}
	if piece.index < 0 && piece.id == "" && piece.name == "" && len(c.calls) > 0 {
		found = c.calls[len(c.calls)-1]
	}
	another := found != nil && piece.name != "" && piece.id != "" && found.id != "" && piece.id != found.id
	if found == nil || another {
		found = &openCall{index: piece.index}
		c.calls = append(c.calls, found)
	}
	return found
}

// partial is the answer as far as it came. Calls are not in it: half of one must not be taken for a whole.
func (c *collector) partial() Answer {
	c.think(c.thought.rest())
	c.say(c.texts.rest())
	a := c.answer
	a.Text, a.Thinking = c.text.String(), c.thinking.String()
	return a
}

// ended tells whether the answer is whole. Some servers end one that calls tools without a reason, by the marker alone.
func (c *collector) ended(done bool) bool {
	return c.finish != "" || done && c.named && len(c.calls) > 0
}

// whole finishes an answer that has ended, and hands on its calls.
func (c *collector) whole() (Answer, *Error) {
	a := c.partial()
	switch c.finish {
	case "content_filter", "safety", "SAFETY":
		return a, &Error{Class: ClassRefused, Message: "the server's content filter stopped the answer"}
	case "error", "abort", "cancelled":
		return a, &Error{Class: ClassNetwork, Message: fmt.Sprintf("the answer broke off: the server ended it with %q", c.finish)}
	case "length", "max_tokens", "model_length", "MAX_TOKENS":
		a.Stop = StopLength
	default:
		a.Stop = StopEnd
		if len(c.calls) > 0 {
			a.Stop = StopToolUse
		}
	}
	calls, err := c.finished()
	if err != nil {
		a.Stop = ""
		return a, err
	}
	a.Calls = calls
	for i := range calls {
		call := calls[i]
		c.hand(Delta{Call: &call})
	}
	return a, nil
}

func (c *collector) finished() ([]Call, *Error) {
	var calls []Call
	taken := map[string]bool{}
	for _, open := range c.calls {
		taken[open.id] = true
	}
	for _, open := range c.calls {
		if open.name == "" {
			return nil, &Error{Class: ClassRefused, Message: "the model called a tool without naming it"}
		}
		id := open.id
		for n := len(calls) + 1; id == ""; n++ {
			if made := fmt.Sprintf("call_%d", n); !taken[made] {
				id, taken[made] = made, true
			}
		}
		calls = append(calls, Call{
			ID: hide(id, c.key), Name: hide(open.name, c.key), Arguments: argumentsOf(hide(open.arguments.String(), c.key)),
		})
	}
	return calls, nil
}

// argumentsOf keeps what the model wrote: as it is if it is a JSON object, else as text in one. No arguments at all
// are an object without members.
func argumentsOf(text string) string {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" {
		return "{}"
	}
	if isObject(trimmed) {
		return trimmed
	}
	raw, err := json.Marshal(map[string]string{"_raw": text})
	if err != nil {
		panic("llm: a string that can't be encoded: " + err.Error())
	}
	return string(raw)
}

func isObject(text string) bool {
	return json.Valid([]byte(text)) && gjson.Parse(text).IsObject()
}
