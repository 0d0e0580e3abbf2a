package backend

import (
	"context"
	"errors"
	"time"

	"palimpsest/backend/config"
	"palimpsest/backend/llm"
	"palimpsest/backend/overlay"
)

// ErrNoModel is returned where a model is needed and none is configured.
var ErrNoModel = errors.New("no model is configured")

// Models is what a server offers, and which others there are.
type Models struct {
	// Provider is the server's name in the settings, nil for the one without.
	Provider *string `json:"provider"`
	BaseURL  string  `json:"baseUrl"`
	Model    string  `json:"model"`
	HasKey   bool    `json:"hasKey"`
	// KeyFrom is "env" or "keychain", nil without a key.
	KeyFrom *string `json:"keyFrom"`
	// InUse is the name of the provider that new conversations are asked at, nil for the one without.
	InUse     *string    `json:"inUse"`
	Providers []Provider `json:"providers"`
	// Default is the server without a name, nil if no address is set for it.
	Default *Provider `json:"default"`
	Models  []Model   `json:"models"`
	// Error says why the list is not known.
	Error *Problem `json:"error"`
}

// Provider is a server that has a name in the settings.
type Provider struct {
	Name    string  `json:"name"`
	BaseURL string  `json:"baseUrl"`
	Model   string  `json:"model"`
	Window  *int    `json:"window"`
	HasKey  bool    `json:"hasKey"`
	KeyFrom *string `json:"keyFrom"`
}

// Model is one that a server offers, and what is known of it; nil is what is not.
type Model struct {
	ID string `json:"id"`
	// Window is its context in tokens; WindowFrom says who says so: "config", "server" or "catalog".
	Window     *int    `json:"window"`
	WindowFrom *string `json:"windowFrom"`
	// MaxOutput is how long an answer can be, in tokens.
	MaxOutput *int `json:"maxOutput"`
	// Prices are in US dollars per million tokens.
	Prices *Prices `json:"prices"`
}

// Prices are what a model costs.
type Prices struct {
	Input      float64 `json:"input"`
	Output     float64 `json:"output"`
	CacheRead  float64 `json:"cacheRead"`
	CacheWrite float64 `json:"cacheWrite"`
}

// LocalServer is a server of models found on this machine.
type LocalServer struct {
	Name    string   `json:"name"`
	BaseURL string   `json:"baseUrl"`
	Models  []string `json:"models"`
}

// Models asks the server in use what it offers; with refresh also if it is known.
func (b *Backend) Models(ctx context.Context, refresh bool) Models {
	settings, _ := b.Settings()
	return b.modelsOf(ctx, settings, refresh)
}

// ModelsOf asks the server of a provider; an empty name is the one without.
func (b *Backend) ModelsOf(ctx context.Context, provider string, refresh bool) (Models, error) {
	settings, _ := b.Settings()
	other, ok := settings.Using(provider)
	if !ok {
		return Models{}, b.checkProvider(provider)
	}
	return b.modelsOf(ctx, other, refresh), nil
}

func (b *Backend) modelsOf(ctx context.Context, settings config.Config, refresh bool) Models {
	inForce, problems := b.Settings()
	endpoint, from := b.endpointOf(settings)
	out := Models{
		Provider: orNil(settings.Provider), Model: settings.Model, HasKey: endpoint.Key != "", KeyFrom: orNil(from),
		InUse: orNil(inForce.Provider), Providers: b.providers(inForce), Default: b.defaultProvider(inForce), Models: []Model{},
	}
	if config.AddressLost(settings, problems) {
		problem := ProblemOf(b.usable(settings, settings.Model))
		out.Error = &problem
		return out
	}
	if settings.BaseURL == "" && !endpoint.Usable() {
		return out // nothing is configured, which is no error
	}
	out.BaseURL = endpoint.BaseURL
	models, err := b.offers.ask(ctx, endpoint, refresh)
	if err != nil {
		problem := ProblemOf(err)
		out.Error = &problem
	}
	for i := range models {
		out.Models = append(out.Models, b.model(settings, models[i].ID))
	}
	return out
}

// model is what is known of a model.
func (b *Backend) model(settings config.Config, id string) Model {
	known := b.factsOf(settings, id)
	out := Model{ID: id, Window: countOrNil(known.window), WindowFrom: orNil(known.windowFrom), MaxOutput: countOrNil(known.maxOutput)}
	if p := known.prices; p != nil {
		out.Prices = &Prices{p.Input, p.Output, p.CacheRead, p.CacheWrite}
	}
	return out
}

func (b *Backend) providers(settings config.Config) []Provider {
	out := []Provider{}
	for _, p := range settings.Providers.List() {
		using, _ := settings.Using(p.Name)
		_, from := b.endpointOf(using)
		out = append(out, Provider{
			Name: p.Name, BaseURL: p.BaseURL, Model: p.Model, Window: countOrNil(p.ContextWindow), HasKey: from != "", KeyFrom: orNil(from),
		})
	}
	return out
}

// defaultProvider is the server without a name, nil if there is none.
func (b *Backend) defaultProvider(settings config.Config) *Provider {
	own, _ := settings.Using(config.DefaultProvider)
	if own.BaseURL == "" {
		return nil
	}
	_, from := b.endpointOf(own)
	return &Provider{
		Name: config.DefaultProvider, BaseURL: own.BaseURL, Model: own.Model, Window: countOrNil(own.ContextWindow), HasKey: from != "", KeyFrom: orNil(from),
	}
}

func orNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func countOrNil(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

// LocalServers looks for servers of models at the usual places on this machine.
func (b *Backend) LocalServers(ctx context.Context) []LocalServer {
	servers := []LocalServer{}
	for _, s := range llm.FindLocal(ctx, llm.LocalServers) {
		servers = append(servers, LocalServer{Name: s.Name, BaseURL: s.BaseURL, Models: append([]string{}, s.Models...)})
	}
	return servers
}

// connected says why there is no model to ask at a provider, empty for the one in use. Model is one that the user or the
// session names.
func (b *Backend) connected(provider, model string) error {
	settings, err := b.settingsFor(&overlay.Context{}, provider)
	if err != nil {
		return err
	}
	return b.usable(settings, model)
}

// learn asks the server of a conversation for its models if that was not done yet: a plan depends on their windows. Without
// an answer in time it does without.
func (b *Backend) learn(ctx context.Context, c *overlay.Context, wait time.Duration) {
	settings, err := b.settingsFor(c, "")
	_, problems := b.Settings()
	if err != nil || config.AddressLost(settings, problems) {
		return
	}
	if _, fresh, _ := b.offers.remembered(addressOf(settings)); fresh {
		return
	}
	limited, cancel := context.WithTimeout(ctx, wait)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer cancel()
		if endpoint, _ := b.endpointOf(settings); settings.BaseURL != "" || endpoint.Usable() {
			_, _ = b.offers.ask(limited, endpoint, false) // none are known then
		}
	}()
	late := time.NewTimer(wait + wait/4) // the keychain, which nothing ends, may take longer
	defer late.Stop()
	select {
	case <-done:
	case <-late.C:
	}
}
