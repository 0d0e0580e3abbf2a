package llm

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
)

// chunk is one line of a streamed answer.
type chunk struct {
	model          string
	text, thinking string
	calls          []callPiece
	// finish is how the answer ended, "" if it goes on; named is set if the server spelled that out as "".
	finish  string
	named   bool
	usage   *record.Usage
	failure *said
}

// callPiece is a piece of a tool call. Without an index, index is -1.
type callPiece struct {
	index               int
	id, name, arguments string
}

var errChunk = errors.New("a piece of the answer is not a JSON object")

// decodeChunk reads a line's JSON. Members that are missing, null, of another type or not known count as absent.
func decodeChunk(data []byte) (chunk, error) {
	if !json.Valid(data) {
		return chunk{}, errChunk
	}
	value := gjson.Parse(strings.ToValidUTF8(string(data), "\uFFFD"))
	if !value.IsObject() {
		return chunk{}, errChunk
	}
	if failure, ok := failureIn(value); ok {
		return chunk{failure: &failure}, nil
	}
	choice := value.Get("choices.0")
	ch := chunk{model: str(value.Get("model")), usage: usageIn(value.Get("usage"))}
	finish := choice.Get("finish_reason")
	ch.finish, ch.named = str(finish), finish.Type == gjson.String
	delta := choice.Get("delta")
	if !delta.IsObject() {
		delta = choice.Get("message") // of a server that does not stream
	}
	ch.text, ch.thinking = contentIn(delta.Get("content"))
	if ch.text == "" {
		ch.text = str(delta.Get("refusal"))
	}
	if ch.thinking == "" {
		// Some servers send the same under two names.
		ch.thinking = firstText(delta, "reasoning_content", "reasoning", "thinking")
	}
	ch.calls = callsIn(delta)
	return ch, nil
}

// failureIn finds an error in the middle of a stream: OpenAI's, or vLLM's, which is an object of its own.
func failureIn(value gjson.Result) (said, bool) {
	inner := value.Get("error")
	switch {
	case inner.IsObject(), inner.Type == gjson.String && inner.Str != "":
		return saidBy(inner), true
	case str(value.Get("object")) == "error":
		return saidBy(value), true
	}
	return said{}, false
}

// contentIn reads content that is a string or, as Mistral has it, a list of parts.
func contentIn(content gjson.Result) (text, thinking string) {
	if !content.IsArray() {
		return str(content), ""
	}
	content.ForEach(func(_, part gjson.Result) bool {
		switch str(part.Get("type")) {
		case "text":
			text += str(part.Get("text"))
		case "thinking":
			if inner := part.Get("thinking"); inner.IsArray() {
				more, _ := contentIn(inner)
				thinking += more
			} else {
				thinking += str(inner)
			}
		}
		return true
	})
	return text, thinking
}

func callsIn(delta gjson.Result) []callPiece {
	var pieces []callPiece
	list := delta.Get("tool_calls")
	if list.IsArray() {
		list.ForEach(func(_, call gjson.Result) bool {
			piece := pieceOf(call.Get("function"))
			piece.id = str(call.Get("id"))
			if index := call.Get("index"); index.Type == gjson.Number && index.Int() >= 0 {
				piece.index = int(index.Int())
			}
			pieces = append(pieces, piece)
			return true
		})
	}
	if old := delta.Get("function_call"); old.IsObject() {
		piece := pieceOf(old)
		piece.index = 0
		pieces = append(pieces, piece)
	}
	return pieces
}

// pieceOf takes arguments that are text, as they should be, or the object itself.
func pieceOf(function gjson.Result) callPiece {
	arguments := function.Get("arguments")
	piece := callPiece{index: -1, name: str(function.Get("name")), arguments: str(arguments)}
	if arguments.IsObject() {
		piece.arguments = arguments.Raw
	}
	return piece
}

// usageIn is nil if the server says nothing, or only zeros, which is how some say that.
func usageIn(value gjson.Result) *record.Usage {
	cached := count(value.Get("prompt_tokens_details.cached_tokens"))
	prompt, output := count(value.Get("prompt_tokens")), count(value.Get("completion_tokens"))
	if prompt == 0 && output == 0 {
		return nil
	}
	cached = min(cached, prompt)
	written := count(value.Get("prompt_tokens_details.cache_write_tokens"))
	if written == 0 {
		written = count(value.Get("cache_creation_input_tokens"))
	}
	written = min(written, prompt-cached)
	return &record.Usage{Input: prompt - cached - written, Output: output, CacheRead: cached, CacheWrite: written}
}

const maxCount = 1 << 40 // tokens; more is nonsense

func count(value gjson.Result) int {
	if value.Type != gjson.Number || !(value.Num >= 0 && value.Num <= maxCount) {
		return 0
	}
	return int(value.Num)
}

func str(value gjson.Result) string {
	if value.Type != gjson.String {
		return ""
	}
	return value.Str
}
