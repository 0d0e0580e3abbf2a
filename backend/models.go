package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"palimpsest/backend/agent"
	"palimpsest/backend/config"
	"palimpsest/backend/llm"
	"palimpsest/backend/overlay"
)

// ErrNoModel is returned where a model is needed and none is configured.
var ErrNoModel = errors.New("no model is configured")

// Models is what the configured server offers.
type Models struct {
	BaseURL string  `json:"baseUrl"`
	Model   string  `json:"model"`
	HasKey  bool    `json:"hasKey"`
	Models  []Model `json:"models"`
	// Error says why the list is not known.
	Error *Problem `json:"error"`
}

// Model is one that a server offers.
type Model struct {
	ID string `json:"id"`
	// Window is its context in tokens, nil if the server does not say.
	Window *int `json:"window"`
}

// LocalServer is a server of models found on this machine.
type LocalServer struct {
	Name    string   `json:"name"`
	BaseURL string   `json:"baseUrl"`
	Models  []string `json:"models"`
}

// catalog remembers what a server offers.
type catalog struct {
	mu     sync.Mutex
	base   string
	asked  time.Time
	models []llm.Model
	err    error
}

// How long a list holds, and how long that there was none; and how long a turn waits for it.
const (
	catalogKeeps = 10 * time.Minute
	catalogRetry = time.Minute
	catalogWait  = 3 * time.Second
)

// Models asks the configured server what it offers; with refresh also if it is known.
func (b *Backend) Models(ctx context.Context, refresh bool) Models {
	settings, problems := b.Settings()
	endpoint := endpointOf(settings)
	out := Models{Model: settings.Model, HasKey: endpoint.Key != "", Models: []Model{}}
	if config.AddressLost(settings, problems) {
		problem := ProblemOf(b.connected(settings.Model))
		out.Error = &problem
		return out
	}
	if settings.BaseURL == "" && !endpoint.Usable() {
		return out // nothing is configured, which is no error
	}
	out.BaseURL = endpoint.BaseURL
	models, err := b.catalog.ask(ctx, endpoint, refresh)
	if err != nil {
		problem := ProblemOf(err)
		out.Error = &problem
	}
	for _, m := range models {
		offered := Model{ID: m.ID}
		if m.Window > 0 {
			offered.Window = &m.Window
		}
		out.Models = append(out.Models, offered)
	}
	return out
}

// LocalServers looks for servers of models at the usual places on this machine.
func (b *Backend) LocalServers(ctx context.Context) []LocalServer {
	servers := []LocalServer{}
	for _, s := range llm.FindLocal(ctx, llm.LocalServers) {
		servers = append(servers, LocalServer{Name: s.Name, BaseURL: s.BaseURL, Models: append([]string{}, s.Models...)})
	}
	return servers
}

// UseModel writes the address of a server and the name of a model into the settings, and leaves the rest of the file as
// it is.
func (b *Backend) UseModel(baseURL, model string) error {
	return b.editSettings(fmt.Sprintf("choosing the model %q", model), func(data []byte) ([]byte, error) {
		return config.WithModel(data, baseURL, model)
	})
}

// ask is not held up by somebody else who asks: two may do so at once.
func (c *catalog) ask(ctx context.Context, e llm.Endpoint, refresh bool) ([]llm.Model, error) {
	if models, fresh, err := c.remembered(e.BaseURL); fresh && !refresh {
		return models, err
	}
	models, err := llm.New(e, llm.Options{}).Models(ctx)
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		return models, err // which says nothing about the server
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.base, c.asked, c.models, c.err = e.BaseURL, time.Now(), models, err
	return models, err
}

func (c *catalog) remembered(base string) (models []llm.Model, fresh bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	age := time.Since(c.asked)
	fresh = c.base == base && (c.err == nil && age < catalogKeeps || c.err != nil && age < catalogRetry)
	return c.models, fresh, c.err
}

// known is what is known without asking.
func (c *catalog) known(base string) []llm.Model {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.base != base {
		return nil
	}
	return c.models
}

func endpointOf(settings config.Config) llm.Endpoint {
	return llm.NewEndpoint(settings.BaseURL, os.Getenv)
}

// Connected says why no message can be sent, before there is a session to send it to. Model is one that the user names.
func (b *Backend) Connected(model string) error { return b.connected(model) }

// learn asks the configured server for its models if that was not done yet: a plan depends on their windows. Without an
// answer it does without.
func (b *Backend) learn(ctx context.Context) {
	settings, problems := b.Settings()
	endpoint := endpointOf(settings)
	if config.AddressLost(settings, problems) || settings.BaseURL == "" && !endpoint.Usable() {
		return
	}
	limited, cancel := context.WithTimeout(ctx, catalogWait)
	defer cancel()
	_, _ = b.catalog.ask(limited, endpoint, false) // none are known then
}

// connected says why there is no model to ask. Model is one that the user or the session names.
func (b *Backend) connected(model string) error {
	settings, problems := b.Settings()
	switch {
	case config.AddressLost(settings, problems):
		return fmt.Errorf("%w: an address is set in base_url that can't be used", ErrNoModel)
	case settings.BaseURL == "" && !endpointOf(settings).Usable():
		return ErrNoModel
	case settings.Model == "" && model == "":
		return fmt.Errorf("%w: base_url is set, and model is not", ErrNoModel)
	}
	return nil
}

// choose picks the model for a session: the one wanted, or the one in force, unless the server is known not to offer
// it; then the configured one.
func (b *Backend) choose(ctx context.Context, id, wanted string, c *overlay.Context) (agent.Choice, error) {
	meta, err := b.metadata(id)
	if err != nil {
		return agent.Choice{}, err
	}
	if err := b.connected(wanted + c.Model.Model); err != nil {
		return agent.Choice{}, err
	}
	settings, _ := b.Settings()
	endpoint := endpointOf(settings)
	choice := agent.Choice{
		Model: wanted, Provider: endpoint.Provider(), Compaction: compactionOf(settings.Compaction),
	}
	limited, cancel := context.WithTimeout(ctx, catalogWait)
	defer cancel()
	offered, _ := b.catalog.ask(limited, endpoint, false) // none are known if it fails; the turn says what is wrong
	if choice.Model == "" {
		choice.Model = modelFor(settings, c, offered)
	}
	if choice.Model == c.Model.Model {
		choice.ReasoningEffort = c.Model.ReasoningEffort
	}
	choice.Budget = b.budget(settings, choice.Model)
	choice.Asker = llm.New(endpoint, llm.Options{
		Idle: settings.IdleTimeout, Blob: func(sha string) ([]byte, error) { return b.blobOf(id, sha) },
	})
	choice.Compaction.Hook = b.hook(settings, id, meta.Cwd)
	if other := settings.Compaction.Model; other != "" && other != choice.Model {
		choice.Compaction.Summarizer = &agent.Choice{
			Asker: choice.Asker, Model: other, Provider: choice.Provider, Budget: b.budget(settings, other),
		}
	}
	return choice, nil
}

// modelFor is the model in force in a session, unless the server is known not to offer it; then the configured one.
func modelFor(settings config.Config, c *overlay.Context, offered []llm.Model) string {
	inForce := c.Model.Model
	if inForce == "" || settings.Model != "" && len(offered) > 0 && !offers(offered, inForce) {
		return settings.Model
	}
	return inForce
}

func offers(models []llm.Model, id string) bool {
	for _, m := range models {
		if m.ID == id {
			return true
		}
	}
	return false
}
