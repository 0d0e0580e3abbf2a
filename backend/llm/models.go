package llm

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/tidwall/gjson"
)

const (
	modelsTimeout = 30 * time.Second
	maxModels     = 16 << 20 // bytes of a list
)

// Model is one that a server offers, and what the server says of it.
type Model struct {
	ID string
	// Window is the size of its context in tokens as it is served, 0 if not known; AtMost is what it can't be above, 0 if
	// that is not known either.
	Window, AtMost int
	// MaxOutput is how many tokens an answer may have, 0 if not known.
	MaxOutput int
	// Prices are nil where the server names none.
	Prices *Prices

	owner string
}

// Models lists what the endpoint offers, and asks servers that are known to tell more of them for that (told.go). The
// error is an [*Error]; that a server does not tell more is none.
func (c *Client) Models(ctx context.Context) ([]Model, error) {
	if err := c.endpoint.check(); err != nil {
		return nil, err
	}
	asking, cancel := context.WithTimeout(ctx, modelsTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(asking, http.MethodGet, c.endpoint.BaseURL+"/models", http.NoBody)
	if err != nil {
		return nil, &Error{Class: ClassRefused, Message: "making the request: " + harmless(err.Error(), c.endpoint.Key)}
	}
	if c.endpoint.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.endpoint.Key)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, c.unanswered(ctx, &exchange{}, err, "")
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxModels))
	if err != nil {
		return nil, c.broken(ctx, &exchange{status: resp.StatusCode}, err)
	}
	if resp.StatusCode != http.StatusOK {
		return nil, c.failed(resp.StatusCode, saidIn(body), "")
	}
	models, ok := modelsIn(body)
	if !ok {
		return nil, c.failed(resp.StatusCode, said{message: "no list of models", page: saidIn(body).page}, "")
	}
	c.askMore(asking, models)
	return models, nil
}

// modelsIn reads a list of models: OpenAI's, or one of those that differ a little.
func modelsIn(body []byte) ([]Model, bool) {
	if !json.Valid(body) {
		return nil, false
	}
	value := gjson.ParseBytes(body)
	list := value
	if !value.IsArray() { // Together sends no more than the list
		list = value.Get("data")
	}
	models := []Model{}
	if !list.IsArray() {
		// Ollama without a model.
		return models, list.Type == gjson.Null && list.Raw != "" && str(value.Get("object")) == "list"
	}
	list.ForEach(func(_, model gjson.Result) bool {
		if id := str(model.Get("id")); id != "" {
			models = append(models, modelIn(id, model))
		}
		return true
	})
	return models, true
}

func modelIn(id string, model gjson.Result) Model {
	return Model{
		ID: id, Window: firstCount(model, windows...), MaxOutput: firstCount(model, outputs...),
		Prices: pricesIn(model.Get("pricing")), owner: str(model.Get("owned_by")),
	}
}

// windows are the names under which servers report the size of a context, what holds now before what could be.
var windows = []string{
	"loaded_context_length",       // LM Studio, as loaded
	"meta.n_ctx",                  // llama.cpp, as loaded
	"top_provider.context_length", // OpenRouter, of the one that will answer
	"max_model_len",               // vLLM
	"context_length", "context_window", "max_context_length", "max_input_tokens",
	"meta.n_ctx_train", // llama.cpp, at most
}

// outputs are those of the longest answer.
var outputs = []string{
	"top_provider.max_completion_tokens", // OpenRouter
	"max_completion_tokens",              // Groq
	"max_output_tokens", "max_output_length",
}

func firstCount(value gjson.Result, names ...string) int {
	for _, name := range names {
		if n := count(value.Get(name)); n > 0 {
			return n
		}
	}
	return 0
}
