package gemini

import (
	"encoding/json"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources/jsonl"
)

// calls are those that Gemini lists with a message. Each may stand among the parts of the message, too: a message may have very many, so
// they are found by their ids or by what they say.
type calls struct {
	all   []gjson.Result
	taken []bool
	// named and said are where those with an id, or that say something, are in the list, the first ones first.
	named, said map[string][]int
}

func callsOf(m gjson.Result) *calls {
	all := few(m.Get("toolCalls"))
	return &calls{all: all, taken: make([]bool, len(all))}
}

// take is the first one that a part is and that no part was yet: by its id, or else by what it says.
func (c *calls) take(part gjson.Result) (gjson.Result, bool) {
	of, name := c.index(&c.named, idOf), idOf(part)
	if name == "" {
		of, name = c.index(&c.said, saying), saying(part)
	}
	for left := of[name]; len(left) > 0; left = of[name] {
		i := left[0]
		if of[name] = left[1:]; !c.taken[i] {
			c.taken[i] = true
			return c.all[i], true
		}
	}
	return gjson.Result{}, false
}

// index is one of the two, which is made when it is asked for.
func (c *calls) index(of *map[string][]int, name func(call gjson.Result) string) map[string][]int {
	if *of == nil {
		*of = map[string][]int{}
		for i, call := range c.all {
			(*of)[name(call)] = append((*of)[name(call)], i)
		}
	}
	return *of
}

// left are those that no part was.
func (c *calls) left() (out []gjson.Result) {
	for i, call := range c.all {
		if !c.taken[i] {
			out = append(out, call)
		}
	}
	return out
}

func idOf(call gjson.Result) string { return jsonl.Text(call.Get("id")) }

// saying is the tool and the arguments of a call, whatever their order and however they are written.
func saying(call gjson.Result) string {
	args, is := call.Get("args").Value().(map[string]any)
	if !is {
		args = map[string]any{}
	}
	text, err := json.Marshal(args)
	if err != nil {
		text = []byte(call.Get("args").Raw) // a number that is none
	}
	return jsonl.Text(call.Get("name")) + "\x00" + string(text)
}
