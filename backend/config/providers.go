package config

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Provider is a place where models are asked.
type Provider struct {
	// Name is empty for what base_url, model and context_window at the top of the file say.
	Name, BaseURL, Model string
	ContextWindow        int
}

// Providers are those that have a name, so that settings can be compared.
type Providers string

// List are the providers in the order of the file.
func (t Providers) List() []Provider {
	var out []Provider
	for _, row := range rowsOf(string(t)) {
		out = append(out, Provider{
			Name: row[rowName], BaseURL: row["base_url"], Model: row["model"], ContextWindow: tokensIn(row["context_window"]),
		})
	}
	return out
}

// Find is the provider of a name, in whatever case.
func (t Providers) Find(name string) (Provider, bool) {
	for _, p := range t.List() {
		if strings.EqualFold(p.Name, name) {
			return p, true
		}
	}
	return Provider{}, false
}

// Override is what the settings say of a model, whoever serves it. What is 0 or nil they leave to others.
type Override struct {
	ContextWindow, MaxOutput int
	// Images tells whether it takes images, nil if that is left to others.
	Images *bool
	// Prices are in dollars per million tokens.
	Prices *OverridePrices
}

// OverridePrices are all known or none.
type OverridePrices struct{ Input, Output, CacheRead, CacheWrite float64 }

// Overrides are what is said of models by name, so that settings can be compared.
type Overrides string

// Find is what is said of a model.
func (t Overrides) Find(model string) Override {
	for _, row := range rowsOf(string(t)) {
		if !strings.EqualFold(row[rowName], model) {
			continue
		}
		return Override{
			ContextWindow: tokensIn(row["context_window"]), MaxOutput: tokensIn(row["max_output_tokens"]), Prices: overridePrices(row),
			Images: overrideImages(row["images"]),
		}
	}
	return Override{}
}

// tokensIn reads what isCount let through; none counts as 0.
func tokensIn(text string) int {
	n, _ := strconv.ParseInt(text, 0, strconv.IntSize)
	return int(n)
}

func overrideImages(text string) *bool {
	if takes, err := strconv.ParseBool(text); err == nil {
		return &takes
	}
	return nil
}

// overridePrices takes a cache that has no price for one that costs what the input does.
func overridePrices(row map[string]string) *OverridePrices {
	input, inErr := strconv.ParseFloat(row["input"], 64)
	output, outErr := strconv.ParseFloat(row["output"], 64)
	if inErr != nil || outErr != nil {
		return nil
	}
	p := &OverridePrices{Input: input, Output: output, CacheRead: input, CacheWrite: input}
	for key, into := range map[string]*float64{"cache_read": &p.CacheRead, "cache_write": &p.CacheWrite} {
		if price, err := strconv.ParseFloat(row[key], 64); err == nil {
			*into = price
		}
	}
	return p
}

// A table is kept as JSON, a row for each name in it.
const rowName = ""

func rowsOf(text string) []map[string]string {
	var rows []map[string]string
	if text != "" {
		_ = json.Unmarshal([]byte(text), &rows) // written by rowsText
	}
	return rows
}

func rowsText(rows []map[string]string) string {
	if len(rows) == 0 {
		return ""
	}
	text, err := json.Marshal(rows)
	if err != nil {
		panic("config: text that can't be encoded: " + err.Error())
	}
	return string(text)
}

// All are the providers there are: the one without a name, if it has an address, and those that have one.
func (c Config) All() []Provider {
	own := c.Unnamed
	if c.Provider == "" {
		own = Provider{BaseURL: c.BaseURL, Model: c.Model, ContextWindow: c.ContextWindow}
	}
	var out []Provider
	if own.BaseURL != "" {
		out = append(out, own)
	}
	return append(out, c.Providers.List()...)
}

// DefaultProvider is how the server without a name is called where one is chosen. No provider has this name.
const DefaultProvider = "default"

// IsDefault tells whether a name is that of the server without one.
func IsDefault(name string) bool { return strings.EqualFold(name, DefaultProvider) }

// Using are the settings as if another provider were the one in use; empty, or [DefaultProvider], is the one without a name.
// What a provider leaves open is as at the top of the file. False if there is no such provider.
func (c Config) Using(name string) (Config, bool) {
	if IsDefault(name) {
		name = ""
	}
	if strings.EqualFold(name, c.Provider) {
		return c, true
	}
	own := c.Unnamed
	if c.Provider == "" {
		own = Provider{BaseURL: c.BaseURL, Model: c.Model, ContextWindow: c.ContextWindow}
	}
	if name == "" {
		c.Provider, c.BaseURL, c.Model, c.ContextWindow, c.Unnamed = "", own.BaseURL, own.Model, own.ContextWindow, Provider{}
		return c, true
	}
	p, ok := c.Providers.Find(name)
	if !ok {
		return c, false
	}
	c.Provider, c.BaseURL, c.Unnamed = p.Name, p.BaseURL, own
	c.Model, c.ContextWindow = own.Model, own.ContextWindow
	if p.Model != "" {
		c.Model = p.Model
	}
	if p.ContextWindow != 0 {
		c.ContextWindow = p.ContextWindow
	}
	return c, true
}

// connect puts the provider in use into force. The environment comes before the file: an address there stands against a
// provider that only the file names, and a model or window there against those of a provider.
func (c *Config) connect(getenv func(string) string) []Problem {
	name := c.Provider
	c.Provider = ""
	if set(getenv, "base_url") && !set(getenv, "provider") || name == "" {
		return nil
	}
	used, ok := c.Using(name)
	if !ok {
		c.BaseURL = "" // what is meant for one place must not go to another
		return []Problem{{
			Key: "provider", Message: fmt.Sprintf("provider is %s, and there is none of that name in providers", quote(name)),
			Hint: c.hintOfProvider(name),
		}}
	}
	if set(getenv, "model") {
		used.Model = c.Model
	}
	if set(getenv, "context_window") {
		used.ContextWindow = c.ContextWindow
	}
	*c = used
	return nil
}

func set(getenv func(string) string, key string) bool {
	s, _ := settingOf(key)
	return getenv(s.env()) != ""
}

func (c *Config) hintOfProvider(name string) string {
	best, bestDistance := "", 3
	for _, p := range c.Providers.List() {
		if d := distance(squeeze(name), squeeze(p.Name), bestDistance); d < bestDistance {
			best, bestDistance = p.Name, d
		}
	}
	if best != "" {
		return "did you mean " + best + "?"
	}
	return "no model is asked until there is"
}

// isProviderName lets through what can be typed, and be part of a variable's name.
func isProviderName(text string) string {
	const limit = 64
	bad := func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' && r != '.'
	}
	if IsDefault(text) {
		return "another name than default, which is what the server without a name is called"
	}
	if text == "" || len(text) > limit || strings.ContainsFunc(text, bad) || strings.ContainsAny(text[:1], "-_.") {
		return "a name of letters, digits, dots and hyphens that begins with a letter or digit"
	}
	return ""
}

// isProvider lets through no name at all, too.
func isProvider(text string) string {
	if text == "" {
		return ""
	}
	return isProviderName(text)
}

// KeyVariable is the variable of the environment that has the key of a provider: PALIMPSEST_API_KEY_ and its name in
// capitals, with _ for what is neither letter nor digit.
func KeyVariable(name string) string {
	return "PALIMPSEST_API_KEY_" + strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToUpper(r)
		}
		return '_'
	}, name)
}
