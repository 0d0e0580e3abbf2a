package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"
)

// What some servers tell of their models elsewhere than in the list. Which server it is shows in the list itself, by whom
// it names as owner, so that nobody is asked for what is not theirs to tell:
//
//   - llama.cpp says in /props with which window it was started;
//   - LM Studio says in /api/v0/models with which it has loaded each model;
//   - Ollama says in /api/ps with which it has loaded one, and in /api/show what the model's own parameters ask for. A
//     model that is not loaded and asks for nothing runs with what the server was started with, which it does not tell:
//     often 4,096, however much the model could have. So what the model could have is only a bound.
const (
	toldTimeout = 2 * time.Second
	maxTold     = 4 << 20 // bytes of an answer: templates and licences are in it
	maxShown    = 64      // models that are asked about one by one
	atOnce      = 4
)

// Who the lists of servers name as owner of a model.
const (
	ownerLlama    = "llamacpp"
	ownerLMStudio = "organization_owner"
	ownerOllama   = "library"
	portOllama    = "11434"
)

// askMore fills in what the list leaves out. What can't be had is left out, as before.
func (c *Client) askMore(ctx context.Context, models []Model) {
	u, err := url.Parse(c.endpoint.BaseURL)
	root, ok := strings.CutSuffix(c.endpoint.BaseURL, "/v1")
	if err != nil || !ok || hostOf(u) == openAIHost {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, toldTimeout)
	defer cancel()
	owned := func(owner string) bool {
		for _, m := range models {
			if m.owner == owner {
				return true
			}
		}
		return false
	}
	switch {
	case owned(ownerLlama):
		c.askLlama(ctx, root, models)
	case owned(ownerLMStudio):
		c.askLMStudio(ctx, root, models)
	case owned(ownerOllama), u.Port() == portOllama:
		c.askOllama(ctx, root, models)
	}
}

func (c *Client) askLlama(ctx context.Context, root string, models []Model) {
	if n := firstCount(c.told(ctx, root+"/props", nil), "default_generation_settings.n_ctx"); n > 0 && len(models) == 1 {
		models[0].Window = n
	}
}

func (c *Client) askLMStudio(ctx context.Context, root string, models []Model) {
	told := map[string]gjson.Result{}
	c.told(ctx, root+"/api/v0/models", nil).Get("data").ForEach(func(_, model gjson.Result) bool {
		told[str(model.Get("id"))] = model
		return true
	})
	for i := range models {
		model := told[models[i].ID]
		if n := firstCount(model, "loaded_context_length"); n > 0 {
			models[i].Window = n
		}
		models[i].AtMost = firstCount(model, "max_context_length")
	}
}

func (c *Client) askOllama(ctx context.Context, root string, models []Model) {
	running := map[string]int{}
	c.told(ctx, root+"/api/ps", nil).Get("models").ForEach(func(_, model gjson.Result) bool {
		for _, name := range []string{"name", "model"} {
			running[str(model.Get(name))] = firstCount(model, "context_length")
		}
		return true
	})
	var asking sync.WaitGroup
	turns := make(chan struct{}, atOnce)
	for i := range models[:min(len(models), maxShown)] {
		asking.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			m := &models[i]
			body, err := json.Marshal(map[string]string{"model": m.ID})
			if err != nil {
				return
			}
			m.Window, m.AtMost = shownByOllama(c.told(ctx, root+"/api/show", body))
			if n := running[m.ID]; n > 0 {
				m.Window = n
			}
		})
	}
	asking.Wait()
}

// shownByOllama reads what a model asks for, and what it could have: the first is a line of its parameters, the second is
// named after its architecture.
func shownByOllama(model gjson.Result) (window, atMost int) {
	info := model.Get("model_info")
	arch := str(info.Get(gjson.Escape("general.architecture")))
	atMost = firstCount(info, gjson.Escape(arch+".context_length"))
	for line := range strings.Lines(str(model.Get("parameters"))) {
		fields := strings.Fields(line)
		const pair = 2
		if len(fields) != pair || fields[0] != "num_ctx" {
			continue
		}
		if n, err := strconv.Atoi(fields[1]); err == nil && n > 0 && n <= maxCount {
			window = n
		}
	}
	if atMost > 0 {
		window = min(window, atMost)
	}
	return window, atMost
}

// told is a JSON object that the server answers with, or nothing.
func (c *Client) told(ctx context.Context, address string, body []byte) gjson.Result {
	method := http.MethodGet
	if body != nil {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return gjson.Result{}
	}
	if c.endpoint.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.endpoint.Key)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return gjson.Result{}
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxTold))
	if err != nil || resp.StatusCode != http.StatusOK || !json.Valid(answer) {
		return gjson.Result{}
	}
	return gjson.ParseBytes(answer)
}
