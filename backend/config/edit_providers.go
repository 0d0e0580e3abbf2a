package config

import (
	"fmt"
	"maps"
	"strconv"
)

// What the fields of a provider are called where they are typed.
var fieldNames = map[string]string{"base_url": "address", "model": "model", "context_window": "window"}

// WithProvider is a settings file that has this provider, new or changed. Lines that say something else stay as they are.
func WithProvider(data []byte, p Provider) ([]byte, error) {
	fields := []member{{"base_url", p.BaseURL, false}, {"model", p.Model, false}, {"context_window", strconv.Itoa(p.ContextWindow), true}}
	if want := isProviderName(p.Name); want != "" {
		return nil, fmt.Errorf("a provider's name must be %s", want)
	}
	for i, f := range fields {
		known, _ := providersTable.field(f.key)
		message, _ := known.complaint(f.key, f.value)
		if message != "" || i == 0 && f.value == "" {
			return nil, fmt.Errorf("the %s must be %s", fieldNames[f.key], orSomething(known.check(f.value)))
		}
	}
	edited, ok := withEntry(data, p.Name, fields)
	if !ok || !changesOnly(data, edited, func(ps []Provider) []Provider { return replaced(ps, p) }) {
		return nil, fmt.Errorf("%w; write providers.%s in it by hand", ErrByHand, p.Name)
	}
	return edited, nil
}

// WithoutProvider is a settings file without a provider.
func WithoutProvider(data []byte, name string) ([]byte, error) {
	edited, ok := withoutEntry(data, name)
	if !ok || !changesOnly(data, edited, func(ps []Provider) []Provider { return removed(ps, name) }) {
		return nil, fmt.Errorf("%w; remove providers.%s from it by hand", ErrByHand, name)
	}
	return edited, nil
}

// WithProviderInUse is a settings file that uses a provider, or with an empty name none.
func WithProviderInUse(data []byte, name string) ([]byte, error) {
	values, _ := parse(FileName, data)
	if now, _ := values["provider"].(string); now == name {
		return data, nil
	}
	return WithValue(data, "provider", name)
}

// WithValue is a settings file in which one setting at the top level has another value.
func WithValue(data []byte, key, value string) ([]byte, error) {
	byHand := fmt.Errorf("%w; set %s in it by hand", ErrByHand, key)
	s, ok := settingOf(key)
	if !ok || !editable(data) {
		return nil, byHand
	}
	if message, _ := s.complaint(key, value); message != "" {
		return nil, fmt.Errorf("%s must be %s", key, s.check(value))
	}
	edited, err := withValue(data, key, value)
	if err != nil {
		return nil, byHand
	}
	before, _ := parse(FileName, data)
	after, _ := parse(FileName, edited)
	if after[key] != value {
		return nil, byHand
	}
	delete(before, key)
	delete(after, key)
	if !maps.Equal(before, after) {
		return nil, byHand
	}
	return edited, nil
}

// changesOnly tells whether an edited file says what was wanted of its providers, and else what it said before.
func changesOnly(data, edited []byte, want func([]Provider) []Provider) bool {
	before, _ := parse(FileName, data)
	after, _ := parse(FileName, edited)
	wanted, now := map[string]Provider{}, map[string]Provider{}
	for _, p := range want(providersIn(before)) {
		wanted[KeyVariable(p.Name)] = p
	}
	for _, p := range providersIn(after) {
		now[KeyVariable(p.Name)] = p
	}
	delete(before, keyProviders)
	delete(after, keyProviders)
	return maps.Equal(wanted, now) && maps.Equal(before, after)
}

func providersIn(values map[string]any) []Provider {
	text, _ := values[keyProviders].(string)
	return Providers(text).List()
}

func replaced(ps []Provider, p Provider) []Provider { return append(removed(ps, p.Name), p) }

func removed(ps []Provider, name string) []Provider {
	var out []Provider
	for _, p := range ps {
		if KeyVariable(p.Name) != KeyVariable(name) {
			out = append(out, p)
		}
	}
	return out
}
