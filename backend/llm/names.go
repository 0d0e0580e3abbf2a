package llm

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sashabaranov/go-openai"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// maxID is the longest id of a call that OpenAI takes. Other agents' logs have longer ones.
const maxID = 40

// names gives every call of a request an id of its own, and its result the same. A log may repeat ids: local servers
// count from one in every answer.
type names struct {
	taken map[string]bool     // ids in the request, as recorded or as given
	used  map[string]bool     // ids that a call has
	next  map[string]int      // the number that a repeated id was given last
	open  map[string][]string // ids as recorded: those given to calls without a result
}

func newNames(in []overlay.Message) *names {
	n := &names{taken: map[string]bool{}, used: map[string]bool{}, next: map[string]int{}, open: map[string][]string{}}
	for i := range in {
		for _, block := range in[i].Content {
			if block.Kind == record.BlockToolCall {
				n.taken[block.ID] = true
			}
		}
	}
	return n
}

// calls are those of one assistant message. Whatever was open before has no result behind its message.
func (n *names) calls(content []record.Block) []openai.ToolCall {
	var calls []openai.ToolCall
	for _, block := range content {
		if block.Kind != record.BlockToolCall {
			continue
		}
		if len(calls) == 0 {
			clear(n.open)
		}
		id := n.name(block.ID)
		n.open[block.ID] = append(n.open[block.ID], id)
		arguments := block.Arguments
		if !isObject(arguments) {
			arguments = "{}"
		}
		calls = append(calls, openai.ToolCall{
			ID: id, Type: openai.ToolTypeFunction, Function: openai.FunctionCall{Name: functionName(block.Name), Arguments: arguments},
		})
	}
	return calls
}

// maxFunction is the longest name of a function that OpenAI takes.
const maxFunction = 64

// functionName is a name as OpenAI takes it: a model may call what was never offered, by any name, and that one call would have every
// later request refused.
func functionName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			return r
		}
		return '_'
	}, name)
	return name[:min(len(name), maxFunction)]
}

// name keeps the id of the first call that has it; later ones get a number behind it.
func (n *names) name(id string) string {
	short := id
	if len(id) > maxID {
		short = fmt.Sprintf("call_%x", sha256.Sum256([]byte(id)))[:24]
	}
	name := short
	if n.used[short] || short != id && n.taken[short] {
		number := max(n.next[short], 1)
		for n.taken[name] || n.used[name] {
			number++
			suffix := fmt.Sprintf("_%d", number)
			name = strings.ToValidUTF8(short[:min(len(short), maxID-len(suffix))], "") + suffix
		}
		n.next[short] = number
	}
	n.used[name] = true
	return name
}

// answered is the id of the call that a result with this recorded id answers.
func (n *names) answered(id string) (string, bool) {
	open := n.open[id]
	if len(open) == 0 {
		return "", false
	}
	n.open[id] = open[1:]
	return open[0], true
}
