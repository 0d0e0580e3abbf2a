package modeltest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Asked is a request for an answer. It is answered by its methods, from one goroutine.
type Asked struct {
	Model    string
	Messages []Message
	Tools    []tool
	Raw      string

	Header http.Header

	t     testing.TB
	w     http.ResponseWriter
	gone  <-chan struct{}
	over  chan bool
	begun bool
	// steps are run by the goroutine of the request; nil in a script, which is that goroutine.
	steps chan func()
}

// Message is one of a request, its content as text.
type Message struct {
	Role       string
	Content    string
	ToolCallID string
	ToolCalls  []ToolCall
}

// messages are those of a request.
func (r *request) messages() []Message {
	all := make([]Message, len(r.Messages))
	for i, m := range r.Messages {
		all[i] = Message{m.Role, textOf(m.Content), m.ToolCallID, m.ToolCalls}
	}
	return all
}

// textOf is content that is text, or in parts: each on a line, images as [image].
func textOf(content any) string {
	if text, is := content.(string); is {
		return text
	}
	parts, _ := partsOf(content)
	lines := make([]string, len(parts))
	for i, part := range parts {
		lines[i], _ = part["text"].(string)
		if part["type"] == "image_url" {
			lines[i] = "[image]"
		}
	}
	return strings.Join(lines, "\n")
}

// Last is the text of the last message.
func (q *Asked) Last() string { return q.Messages[len(q.Messages)-1].Content }

// Dialogue is the request's messages, each "role: text".
func (q *Asked) Dialogue() []string {
	var out []string
	for _, m := range q.Messages {
		var text strings.Builder
		text.WriteString(m.Role + ": " + m.Content)
		for _, call := range m.ToolCalls {
			fmt.Fprintf(&text, "[%s %s %s]", call.ID, call.Function.Name, call.Function.Arguments)
		}
		if m.ToolCallID != "" {
			text.WriteString(" (" + m.ToolCallID + ")")
		}
		out = append(out, text.String())
	}
	return out
}

// ForSummary tells whether a summary is asked for.
func (q *Asked) ForSummary() bool {
	return len(q.Messages) > 0 && strings.HasPrefix(q.Messages[0].Content, "You are a context summarization assistant")
}

// ForName tells whether a name for a conversation is asked for.
func (q *Asked) ForName() bool {
	return len(q.Messages) > 0 && strings.HasPrefix(q.Messages[0].Content, "You name conversations.")
}

func (q *Asked) do(step func()) {
	if q.steps == nil {
		step()
		return
	}
	done := make(chan struct{})
	q.steps <- func() {
		defer close(done)
		step()
	}
	<-done
}

// Send sends a chunk as it is given.
func (q *Asked) Send(chunk string) *Asked {
	q.do(func() {
		if !q.begun {
			q.w.Header().Set("Content-Type", "text/event-stream")
			q.begun = true
		}
		_, _ = fmt.Fprintf(q.w, "data: %s\n\n", chunk) // who has gone need not be told
		if f, ok := q.w.(http.Flusher); ok {
			f.Flush()
		}
	})
	return q
}

// Bytes sends these bytes of the stream and nothing around them.
func (q *Asked) Bytes(piece string) *Asked {
	q.do(func() {
		if !q.begun {
			q.w.Header().Set("Content-Type", "text/event-stream")
			q.begun = true
		}
		_, _ = io.WriteString(q.w, piece) // who has gone need not be told
		if f, ok := q.w.(http.Flusher); ok {
			f.Flush()
		}
	})
	return q
}

// Close ends the answer as it is.
func (q *Asked) Close() { q.over <- false }

func (q *Asked) delta(member string, value any) *Asked {
	text, err := json.Marshal(map[string]any{
		"choices": []any{map[string]any{"index": 0, "delta": map[string]any{member: value}}},
	})
	if err != nil {
		q.t.Error(err)
	}
	return q.Send(string(text))
}

// Say sends a piece of text.
func (q *Asked) Say(text string) *Asked { return q.delta("content", text) }

// Think sends a piece of thinking.
func (q *Asked) Think(text string) *Asked { return q.delta("reasoning_content", text) }

// Call sends a tool call.
func (q *Asked) Call(index int, id, name, arguments string) *Asked {
	return q.delta("tool_calls", []any{map[string]any{
		"index": index, "id": id, "type": "function", "function": map[string]any{"name": name, "arguments": arguments},
	}})
}

// Usage reports what was used, in tokens.
func (q *Asked) Usage(prompt, output int) *Asked {
	return q.Send(fmt.Sprintf(`{"choices":[],"usage":{"prompt_tokens":%d,"completion_tokens":%d}}`, prompt, output))
}

// End ends the answer: "stop", "tool_calls" or "length".
func (q *Asked) End(reason string) {
	q.Send(fmt.Sprintf(`{"choices":[{"index":0,"delta":{},"finish_reason":%q}]}`, reason)).Send("[DONE]")
	q.over <- false
}

// Answer is a whole answer.
func (q *Asked) Answer(text string) { q.Say(text).End("stop") }

// Fail refuses the request; headers come in pairs.
func (q *Asked) Fail(status int, body string, headers ...string) {
	q.do(func() {
		for i := 0; i+1 < len(headers); i += 2 {
			q.w.Header().Set(headers[i], headers[i+1])
		}
		q.w.WriteHeader(status)
		_, _ = io.WriteString(q.w, body) // who has gone need not be told
	})
	q.over <- false
}

// Break breaks the connection.
func (q *Asked) Break() { q.over <- true }

// Gone waits until whoever asked has gone.
func (q *Asked) Gone() {
	q.t.Helper()
	select {
	case <-q.gone:
	case <-time.After(Deadline):
		q.t.Error("who asked the model still waits for its answer")
	}
}
