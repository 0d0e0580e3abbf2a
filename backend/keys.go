package backend

import (
	"fmt"

	"palimpsest/backend/config"
	"palimpsest/backend/keys"
	"palimpsest/backend/session"
)

// KeyPlace is where a key goes. Provider is empty for the server without a name. BaseURL, if it is not empty, has to be on
// the host that the settings have for it: who enters a key has seen where it goes.
type KeyPlace struct {
	Provider string `json:"provider"`
	BaseURL  string `json:"baseUrl"`
}

// SetKey keeps a key in the system's keychain, for the address that the settings have now and no other. [Backend.PutBack]
// takes the handle for the one that it replaced, empty if there was none.
func (b *Backend) SetKey(place KeyPlace, key string) (handle string, err error) {
	account, address, err := b.account(place)
	if err != nil {
		return "", err
	}
	back, err := b.keys.Set(account, key)
	if err != nil {
		return "", fmt.Errorf("keeping the key for %s: %w", account, err)
	}
	return b.keyTaken(address, back), nil
}

// ForgetKey removes a key from the system's keychain. [Backend.PutBack] takes the handle, empty if there was none.
func (b *Backend) ForgetKey(place KeyPlace) (handle string, err error) {
	account, address, err := b.account(place)
	if err != nil {
		return "", err
	}
	back, err := b.keys.Forget(account)
	if err != nil {
		return "", fmt.Errorf("forgetting the key for %s: %w", account, err)
	}
	return b.keyTaken(address, back), nil
}

// keyTaken has the server asked again, since it may offer something else to another key, now and once the old one is back.
func (b *Backend) keyTaken(address string, back func() error) (handle string) {
	b.offers.forget(address)
	if back == nil {
		return ""
	}
	return b.taken.add(func() (bool, error) {
		if err := back(); err != nil {
			return false, fmt.Errorf("putting the key back: %w", err)
		}
		b.offers.forget(address)
		return true, nil
	})
}

// KeyState says whether there is a key for a server, and where it is from.
type KeyState struct {
	Provider *string `json:"provider"`
	BaseURL  string  `json:"baseUrl"`
	HasKey   bool    `json:"hasKey"`
	KeyFrom  *string `json:"keyFrom"`
}

// KeyState asks nobody but the environment and the keychain.
func (b *Backend) KeyState(place KeyPlace) (KeyState, error) {
	if _, _, err := b.account(place); err != nil {
		return KeyState{}, err
	}
	inForce, _ := b.Settings()
	settings, _ := inForce.Using(place.Provider)
	endpoint, from := b.endpointOf(settings)
	return KeyState{orNil(settings.Provider), endpoint.BaseURL, from != "", orNil(from)}, nil
}

// account is what a key is kept under, and the address that it is for.
func (b *Backend) account(place KeyPlace) (account, address string, err error) {
	inForce, problems := b.Settings()
	settings, ok := inForce.Using(place.Provider)
	if !ok {
		return "", "", b.checkProvider(place.Provider)
	}
	if config.AddressLost(settings, problems) {
		return "", "", fmt.Errorf("%w: the address in config.yaml can't be used, and a key is only kept for one that can", session.ErrInput)
	}
	address = addressOf(settings)
	account = keys.Account(settings.Provider, address)
	shown := settings
	shown.BaseURL = place.BaseURL
	if place.BaseURL != "" && keys.Account(settings.Provider, addressOf(shown)) != account {
		return "", "", fmt.Errorf("%w: the address in config.yaml is another one by now: %s", session.ErrInput, address)
	}
	return account, address, nil
}
