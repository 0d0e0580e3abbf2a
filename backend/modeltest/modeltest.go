// Package modeltest serves a model for tests: as much of OpenAI's API as the program asks for, piece by piece as the test
// says. It is imported by tests only.
package modeltest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// Deadline is how long anything that a test waits for may take: long, since the machine may have much else to do.
const Deadline = 2 * time.Minute

// Server is a model's. Requests come in by [Server.Next], unless there is a script.
type Server struct {
	// URL is the base_url.
	URL string

	t      testing.TB
	asked  chan *Asked
	ending chan struct{}

	mu     sync.Mutex
	script func(*Asked)
	models []string
	lists  int
	held   chan struct{} // lists wait for it, if there is one
}

// New returns a server that offers the models m-1 and m-2, and ends with the test.
func New(t testing.TB) *Server {
	t.Helper()
	s := &Server{t: t, asked: make(chan *Asked, 1000), ending: make(chan struct{}), models: []string{"m-1", "m-2"}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", s.list)
	mux.HandleFunc("POST /v1/chat/completions", s.complete)
	server := httptest.NewServer(mux)
	s.URL = server.URL + "/v1"
	t.Cleanup(func() {
		close(s.ending)
		server.CloseClientConnections()
		server.Close()
	})
	return s
}

// Script answers every request from now on.
func (s *Server) Script(script func(*Asked)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = script
}

// Offer sets what the server offers, as "name" or "name=window"; nothing at all is a server without a list.
func (s *Server) Offer(models ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = models
}

// HoldLists lets whoever asks what the server offers wait until release is called.
func (s *Server) HoldLists() (release func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	held := make(chan struct{})
	s.held = held
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.held = nil
		close(held)
	}
}

// AwaitList waits until somebody has asked what the server offers.
func (s *Server) AwaitList() {
	s.t.Helper()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for deadline := time.After(Deadline); s.Lists() == 0; {
		select {
		case <-look.C:
		case <-deadline:
			s.t.Fatal("the server is not asked what it offers")
		}
	}
}

// Lists is how often the server was asked what it offers.
func (s *Server) Lists() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lists
}

func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.lists++
	held := s.held
	s.mu.Unlock()
	if held != nil {
		select {
		case <-held:
		case <-r.Context().Done():
		case <-s.ending:
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.models) == 0 {
		http.Error(w, `{"error":{"message":"no list"}}`, http.StatusNotFound)
		return
	}
	list := []map[string]any{}
	for _, id := range s.models {
		id, window, _ := strings.Cut(id, "=")
		model := map[string]any{"id": id, "object": "model"}
		if window != "" {
			model["context_length"] = json.Number(window)
		}
		list = append(list, model)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": list}) // who has gone need not be told
}

func (s *Server) complete(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	q := &Asked{Raw: string(body), Header: r.Header, t: s.t, w: w, gone: r.Context().Done(), over: make(chan bool, 1)}
	if err := json.Unmarshal(body, q); err != nil {
		s.t.Errorf("the model was asked with %s: %v", body, err)
		return
	}
	if err := Validate(q.Raw); err != nil {
		s.t.Errorf("a strict API would refuse this: %v\n%.2000s", err, q.Raw)
	}
	s.mu.Lock()
	script := s.script
	s.mu.Unlock()
	if script != nil {
		script(q)
		select {
		case broken := <-q.over:
			if broken {
				panic(http.ErrAbortHandler)
			}
		default:
		}
		return
	}
	q.steps = make(chan func())
	s.asked <- q
	for {
		select {
		case step := <-q.steps:
			step()
		case broken := <-q.over:
			if broken {
				panic(http.ErrAbortHandler)
			}
			return
		case <-s.ending:
			return
		}
	}
}

// Next waits for the next request.
func (s *Server) Next() *Asked {
	s.t.Helper()
	select {
	case q := <-s.asked:
		return q
	case <-time.After(Deadline):
		s.t.Fatal("the model is not asked")
		return nil
	}
}

// Silent fails the test if a request has come in that nobody answered.
func (s *Server) Silent() {
	s.t.Helper()
	select {
	case q := <-s.asked:
		s.t.Errorf("the model was asked: %.500s", q.Raw)
	default:
	}
}

// Asked is a request for an answer. It is answered by its methods, from one goroutine.
type Asked struct {
	Model    string    `json:"model"`
	Messages []Message `json:"messages"`
	Tools    []any     `json:"tools"`
	Raw      string    `json:"-"`

	Header http.Header `json:"-"`

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
	Role       string `json:"role"`
	Content    string `json:"content"`
	ToolCallID string `json:"tool_call_id"`
	ToolCalls  []struct {
		ID       string `json:"id"`
		Function struct {
			Name      string `json:"name"`
			Arguments string `json:"arguments"`
		} `json:"function"`
	} `json:"tool_calls"`
}

// UnmarshalJSON reads content that is text, and content in parts: each on a line, images as [image].
func (m *Message) UnmarshalJSON(data []byte) error {
	type plain Message
	var read struct {
		plain
		Content json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(data, &read); err != nil {
		return fmt.Errorf("reading a message: %w", err)
	}
	*m = Message(read.plain)
	var parts []struct{ Type, Text string }
	switch err := json.Unmarshal(read.Content, &parts); {
	case len(read.Content) == 0: // an answer that only calls
		return nil
	case err != nil:
		if err := json.Unmarshal(read.Content, &m.Content); err != nil {
			return fmt.Errorf("reading its content: %w", err)
		}
		return nil
	}
	for i, part := range parts {
		if i > 0 {
			m.Content += "\n"
		}
		if part.Type == "image_url" {
			part.Text = "[image]"
		}
		m.Content += part.Text
	}
	return nil
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
