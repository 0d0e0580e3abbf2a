package backend

import (
	"bytes"
	"fmt"

	"palimpsest/backend/config"
	"palimpsest/backend/session"
)

// UseModel writes the address of a server and the name of a model into the settings, and leaves the rest of the file as
// it is. No provider with a name is in use then.
func (b *Backend) UseModel(baseURL, model string) error {
	return b.editSettings(fmt.Sprintf("choosing the model %q", model), func(data []byte) ([]byte, error) {
		data, err := config.WithProviderInUse(data, "")
		if err != nil {
			return nil, err
		}
		return config.WithModel(data, baseURL, model)
	})
}

// UseProvider puts a provider into use, and a model of it if one is named; an empty name is the one without.
func (b *Backend) UseProvider(name, model string) error {
	settings, _ := b.Settings()
	if config.IsDefault(name) {
		name = ""
	}
	p, ok := settings.Providers.Find(name)
	if !ok && name != "" {
		return b.checkProvider(name)
	}
	return b.editSettings(fmt.Sprintf("using the provider %q", name), func(data []byte) ([]byte, error) {
		data, err := config.WithProviderInUse(data, p.Name)
		switch {
		case err != nil || model == "":
			return data, err
		case name == "":
			return config.WithValue(data, "model", model)
		}
		p.Model = model
		return config.WithProvider(data, p)
	})
}

// NewProvider says what a provider is to be.
type NewProvider struct {
	Name    string `json:"name"`
	BaseURL string `json:"baseUrl"`
	Model   string `json:"model"`
	Window  int    `json:"window"`
}

// SetProvider writes a provider into the settings, new or changed.
func (b *Backend) SetProvider(n NewProvider) error {
	settings, _ := b.Settings()
	if p, ok := settings.Providers.Find(n.Name); ok {
		n.Name = p.Name // as it is spelt there
	}
	return b.editSettings("writing the provider", func(data []byte) ([]byte, error) {
		return config.WithProvider(data, config.Provider{Name: n.Name, BaseURL: n.BaseURL, Model: n.Model, ContextWindow: n.Window})
	})
}

// RemoveProvider takes a provider out of the settings. Its key stays in the keychain until it is forgotten. [Backend.PutBack]
// takes the handle.
func (b *Backend) RemoveProvider(name string) (handle string, err error) {
	settings, _ := b.Settings()
	p, ok := settings.Providers.Find(name)
	if !ok {
		return "", fmt.Errorf("%w: there is no provider %.64q in config.yaml", session.ErrInput, name)
	}
	var before, after []byte
	wasInUse := settings.Provider == p.Name
	err = b.editSettings("removing the provider "+p.Name, func(data []byte) ([]byte, error) {
		before, after = data, data
		var err error
		if wasInUse {
			if after, err = config.WithProviderInUse(after, ""); err != nil {
				return nil, err
			}
		}
		after, err = config.WithoutProvider(after, p.Name)
		return after, err
	})
	if err != nil {
		return "", err
	}
	return b.taken.add(func() (asItWas bool, err error) {
		err = b.editSettings("putting back the provider "+p.Name, func(data []byte) ([]byte, error) {
			if asItWas = bytes.Equal(data, after); asItWas {
				return before, nil
			}
			return config.WithProviderBack(data, before, p, wasInUse)
		})
		return asItWas && err == nil, err
	}), nil
}
