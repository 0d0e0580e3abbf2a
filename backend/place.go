package backend

import (
	"fmt"
	"os"
	"strings"

	"palimpsest/backend/agent"
	"palimpsest/backend/config"
	"palimpsest/backend/keys"
	"palimpsest/backend/llm"
	"palimpsest/backend/overlay"
	"palimpsest/backend/session"
)

// Where a key comes from.
const (
	keyFromEnv      = "env"
	keyFromKeychain = "keychain"
)

// endpointOf is where models are asked by the settings, with the key that may go there, and where that is from.
func (b *Backend) endpointOf(settings config.Config) (e llm.Endpoint, from string) {
	e = llm.NewEndpoint(settings.BaseURL, getenvFor(settings.Provider))
	if e.Key != "" {
		return e, keyFromEnv
	}
	// Without an answer it is asked without a key, and the server says what it lacks.
	key, _ := b.keys.Get(keys.Account(settings.Provider, e.BaseURL))
	if key == "" {
		return e, ""
	}
	e.Key = key
	return e, keyFromKeychain
}

// getenvFor is the environment as a provider may see it. One with a name has a variable of its own; PALIMPSEST_API_KEY is
// for the address at the top of the file, or for the provider that the environment itself names.
func getenvFor(provider string) func(string) string {
	if provider == "" {
		return os.Getenv
	}
	return func(name string) string {
		if name != llm.AnyKeyVariable {
			return os.Getenv(name)
		}
		if key := strings.TrimSpace(os.Getenv(config.KeyVariable(provider))); key != "" {
			return key
		}
		if strings.EqualFold(os.Getenv("PALIMPSEST_PROVIDER"), provider) {
			return os.Getenv(name)
		}
		return ""
	}
}

// addressOf is the address alone.
func addressOf(settings config.Config) string {
	return llm.NewEndpoint(settings.BaseURL, func(string) string { return "" }).BaseURL
}

// settingsFor are the settings as they are for a conversation: with the provider that is wanted or else the one that it
// remembers. What was meant for one that has a name goes to no other, whatever has become of it; the settings come with the
// error then, for who only counts. A host that a log names is no promise: logs of other programs do.
func (b *Backend) settingsFor(c *overlay.Context, wanted string) (config.Config, error) {
	settings, _ := b.Settings()
	name := wanted
	if name == "" {
		name = c.Model.Provider
	}
	if name == "" {
		return settings, nil
	}
	if wanted == "" && !c.Model.Named {
		return settingsAt(settings, name), nil
	}
	if used, ok := settings.Using(name); ok {
		return used, nil
	}
	return settings, fmt.Errorf("%w: the provider %.64q is not in config.yaml, or can't be used; choose another with --provider", ErrNoModel, name)
}

// settingsAt are the settings for who a log says serves a model, by a name that is nobody's choice: that of the server
// without one, if it would be called so, or of a provider; else those in force.
func settingsAt(settings config.Config, name string) config.Config {
	if nameOf(settings) == name || config.IsDefault(name) {
		return settings
	}
	if own, _ := settings.Using(""); own.BaseURL != "" && nameOf(own) == name {
		return own
	}
	if used, ok := settings.Using(name); ok {
		return used
	}
	return settings
}

// nameOf is what a log calls who serves a model.
func nameOf(settings config.Config) string {
	if settings.Provider != "" {
		return settings.Provider
	}
	return llm.Endpoint{BaseURL: addressOf(settings)}.Provider()
}

// checkProvider says that there is no provider of a name; none at all is right.
func (b *Backend) checkProvider(name string) error {
	settings, _ := b.Settings()
	if _, ok := settings.Providers.Find(name); !ok && name != "" && !config.IsDefault(name) {
		return fmt.Errorf("%w: there is no provider %.64q in config.yaml", session.ErrInput, name)
	}
	return nil
}

// usable says why there is no model to ask by these settings. Model is one that the user or the session names.
func (b *Backend) usable(settings config.Config, model string) error {
	_, problems := b.Settings()
	switch {
	case config.AddressLost(settings, problems):
		return fmt.Errorf("%w: an address is set in base_url that can't be used", ErrNoModel)
	case settings.BaseURL == "" && !b.canAsk(settings):
		return ErrNoModel
	case settings.Model == "" && model == "":
		return fmt.Errorf("%w: base_url is set, and model is not", ErrNoModel)
	}
	return nil
}

// reachable says early why nobody could answer in a session. What it remembers is only looked up where the settings in
// force have nobody: the turn, which has to, says the rest.
func (b *Backend) reachable(id string, wanted agent.Wanted) error {
	meta, err := b.metadata(id)
	if err != nil {
		return err
	}
	model := wanted.Model + meta.Model
	err = b.connected(wanted.Provider, model)
	if err == nil || wanted.Provider != "" {
		return err
	}
	if _, ok := b.asides.of(id); ok {
		return err
	}
	c, resolveErr := b.resolve(id)
	if resolveErr != nil || c.Model.Provider == "" {
		return err
	}
	settings, err := b.settingsFor(&c, "")
	if err != nil {
		return err
	}
	return b.usable(settings, model)
}

func (b *Backend) canAsk(settings config.Config) bool {
	endpoint, _ := b.endpointOf(settings)
	return endpoint.Usable()
}
