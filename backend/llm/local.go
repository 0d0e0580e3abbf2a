package llm

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

// Candidate is a place where a model may be served.
type Candidate struct{ Name, BaseURL string }

// Server is one that answered.
type Server struct {
	Name, BaseURL string
	Models        []string
}

// LocalServers are the usual ones on this machine.
var LocalServers = []Candidate{
	{"Ollama", "http://127.0.0.1:11434/v1"},
	{"LM Studio", "http://127.0.0.1:1234/v1"},
	{"llama.cpp", "http://127.0.0.1:8080/v1"},
	{"vLLM", "http://127.0.0.1:8000/v1"},
}

const (
	findTimeout = 700 * time.Millisecond
	maxFound    = 1 << 20 // bytes of an answer: anything may listen on these ports
)

// FindLocal asks all candidates at once for their models and returns those that answer with a list, in the candidates'
// order. No key is sent, no redirect followed, no proxy used.
func FindLocal(ctx context.Context, candidates []Candidate) []Server {
	t := baseTransport()
	t.Proxy, t.DisableKeepAlives = nil, true
	client := &http.Client{
		Transport: t,
		Timeout:   findTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
	found := make([]*Server, len(candidates))
	var asked sync.WaitGroup
	for i, candidate := range candidates {
		asked.Go(func() { found[i] = ask(ctx, client, candidate) })
	}
	asked.Wait()
	var servers []Server
	for _, server := range found {
		if server != nil {
			servers = append(servers, *server)
		}
	}
	return servers
}

// ask returns nil for whatever is no server of models.
func ask(ctx context.Context, client *http.Client, candidate Candidate) *Server {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, candidate.BaseURL+"/models", http.NoBody)
	if err != nil {
		return nil
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxFound))
	if err != nil {
		return nil
	}
	models, ok := modelsIn(body)
	if !ok {
		return nil
	}
	server := &Server{Name: candidate.Name, BaseURL: candidate.BaseURL, Models: make([]string, len(models))}
	for i, model := range models {
		server.Models[i] = model.ID
	}
	return server
}
