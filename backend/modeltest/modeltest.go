// Package modeltest serves a model for tests: as much of OpenAI's API as the program asks for, piece by piece as the test
// says. It is imported by tests only.
package modeltest

import (
	"encoding/json"
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
	read, err := decoded(body)
	if err != nil {
		s.t.Errorf("the model was asked with %s: %v", body, err)
		return
	}
	q := &Asked{
		Model: read.Model, Messages: read.messages(), Tools: read.Tools, Raw: string(body), Header: r.Header,
		t: s.t, w: w, gone: r.Context().Done(), over: make(chan bool, 1),
	}
	if err := read.validate(); err != nil {
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
