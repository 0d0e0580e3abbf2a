package llm

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

const testKey = "sk-secret-0123456789"

// TestMain names a proxy that nothing listens on: every test that reaches a server on this machine shows that it is
// not asked.
func TestMain(m *testing.M) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"} {
		if err := os.Setenv(name, "http://127.0.0.1:9"); err != nil {
			panic(err)
		}
	}
	_ = os.Unsetenv("NO_PROXY")
	_ = os.Unsetenv("no_proxy")
	goleak.VerifyTestMain(m)
}

// waits takes the place of the clock between tries.
type waits struct {
	mu   sync.Mutex
	list []time.Duration
}

func (w *waits) sleep(ctx context.Context, d time.Duration) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list = append(w.list, d)
	return ctx.Err()
}

// served answers the first request with the first handler and so on, later ones with the last.
func served(t testing.TB, handlers ...http.HandlerFunc) (*Client, *waits) {
	t.Helper()
	n := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := handlers[min(n, len(handlers)-1)]
		n++
		h(w, r)
	}))
	t.Cleanup(server.Close)
	w := &waits{}
	return New(Endpoint{BaseURL: server.URL + "/v1", Key: testKey}, Options{Sleep: w.sleep}), w
}

// events answers with data lines and the end marker.
func events(data ...string) http.HandlerFunc {
	return raw("data: " + strings.Join(append(data, "[DONE]"), "\n\ndata: ") + "\n\n")
}

// raw answers with this text and ends.
func raw(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, body)
	}
}

// torn sends this text and cuts the connection.
func torn(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, body)
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
		panic(http.ErrAbortHandler)
	}
}

// fails answers with a status and a body; headers come in pairs.
func fails(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

func say(text string) string {
	return fmt.Sprintf(`{"model":"m-1","choices":[{"index":0,"delta":{"content":%q},"finish_reason":null}]}`, text)
}

func finish(reason string) string {
	return fmt.Sprintf(`{"choices":[{"index":0,"delta":{},"finish_reason":%q}]}`, reason)
}

func question() Request {
	return Request{Model: "m", Messages: []overlay.Message{user(record.TextBlock("hello"))}}
}

// asked runs a request and lists what was handed on, a word each.
func asked(t testing.TB, c *Client, r Request) (Answer, []string, error) {
	t.Helper()
	var handed []string
	answer, err := c.Stream(t.Context(), r, func(d Delta) {
		switch {
		case d.Call != nil:
			handed = append(handed, "call:"+d.Call.ID+":"+d.Call.Name+":"+d.Call.Arguments)
		case d.Retry != nil:
			handed = append(handed, fmt.Sprintf("retry:%d", d.Retry.Attempt))
		case d.Thinking != "":
			handed = append(handed, "thinking:"+d.Thinking)
		default:
			handed = append(handed, "text:"+d.Text)
		}
	})
	return answer, handed, err
}

func user(blocks ...record.Block) overlay.Message {
	return overlay.Message{Body: &overlay.Body{Role: record.RoleUser, Content: blocks}}
}

func assistant(blocks ...record.Block) overlay.Message {
	return overlay.Message{Body: &overlay.Body{Role: record.RoleAssistant, Content: blocks}}
}

func result(id string, blocks ...record.Block) overlay.Message {
	return overlay.Message{ToolCallID: id, Body: &overlay.Body{Role: record.RoleToolResult, Content: blocks}}
}

func callBlock(id, name, arguments string) record.Block {
	return record.Block{Kind: record.BlockToolCall, ID: id, Name: name, Arguments: arguments}
}

func imageBlock(blob, media string) record.Block {
	return record.Block{
		Kind: record.BlockImage, Blob: blob, JSON: fmt.Sprintf(`{"type":"image","mediaType":%q,"blob":%q}`, media, blob),
	}
}

// wantError checks class, and that the message is one line with these words and without the key.
func wantError(t testing.TB, err error, class Class, words ...string) {
	t.Helper()
	if got := ClassOf(err); got != class {
		t.Fatalf("class %q, want %q: %v", got, class, err)
	}
	message := err.Error()
	for _, word := range words {
		if !strings.Contains(message, word) {
			t.Errorf("%q does not say %q", message, word)
		}
	}
	if strings.ContainsAny(message, "\r\n\x1b") || strings.Contains(message, testKey) {
		t.Errorf("%q is not fit to be shown", message)
	}
}

func asError(t testing.TB, err error) *Error {
	t.Helper()
	e, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("%T is no *Error: %v", err, err)
	}
	return e
}
