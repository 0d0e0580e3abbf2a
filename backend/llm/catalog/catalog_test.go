package catalog

import (
	"testing"

	"pgregory.net/rapid"
)

const (
	openAI     = "https://api.openai.com/v1"
	openRouter = "https://openrouter.ai/api/v1"
	elsewhere  = "https://models.example.com/v1"
)

// TestNames: the same model goes by several names.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		base, name, same string
	}{
		{openAI, "GPT-5", "gpt-5"},
		{openAI, "openai/gpt-5", "gpt-5"},
		{openAI, "gpt-4o-2024-08-06", "gpt-4o"},
		{openAI, "gpt-5:latest", "gpt-5"},
		{"https://API.openai.com./v1", "gpt-5", "gpt-5"},
		{"https://me.openai.azure.com/openai/v1", "gpt-5-2025-08-07", "gpt-5"},
		{"https://api.anthropic.com/v1", "claude-sonnet-4-5", "claude-sonnet-4-5-20250929"},
		{"https://api.anthropic.com/v1", "claude-sonnet-4-5-latest", "claude-sonnet-4-5-20250929"},
		{openRouter, "Anthropic/Claude-Sonnet-4.5", "anthropic/claude-sonnet-4.5"},
	} {
		got, ok := Find(c.base, c.name)
		same, sameOK := Find(c.base, c.same)
		if !ok || !sameOK || got.Window != same.Window || got.Window == 0 || got.Prices == nil || *got.Prices != *same.Prices {
			t.Errorf("%s at %s: %+v, %v; as %s %+v, %v", c.name, c.base, got, ok, c.same, same, sameOK)
		}
	}
}

func TestAModelAsItIsListed(t *testing.T) {
	m, ok := Find("https://api.anthropic.com/v1", "claude-sonnet-4-5-20250929")
	if p := m.Prices; !ok || m.Window != 200000 || m.MaxOutput == 0 || !m.Reasons || !m.SeesImages ||
		p.Input != 3 || p.Output != 15 || p.CacheRead != 0.3 || p.CacheWrite != 3.75 {
		t.Errorf("%+v %+v", m, m.Prices)
	}
	// Nothing is said of a cache there: it costs what the input does.
	if m, _ := Find("https://api.groq.com/openai/v1", "qwen/qwen3-32b"); m.Prices == nil || m.Prices.CacheRead != m.Prices.Input || m.Prices.Input == 0 {
		t.Errorf("%+v", m.Prices)
	}
}

// TestPricesAreThoseOfTheAddress, or none.
func TestPricesAreThoseOfTheAddress(t *testing.T) {
	if m, ok := Find(elsewhere, "gpt-5"); !ok || m.Window == 0 || m.Prices != nil {
		t.Errorf("elsewhere: %+v", m)
	}
	for _, base := range []string{
		"http://localhost:11434/v1", "http://127.0.0.1:8080/v1", "http://[::1]:8080/v1", "http://192.168.1.7/v1", "http://10.1.2.3/v1",
		"http://nas:8000/v1", "http://box.local/v1", "http://0.0.0.0:8000/v1", "http://169.254.3.4/v1", "http://[fd00::1]/v1",
		"ftp://api.openai.com", "", "nonsense",
	} {
		if m, ok := Find(base, "gpt-5"); ok {
			t.Errorf("%s: %+v", base, m)
		}
	}
	// Not what some other provider has under this name.
	if m, ok := Find(openAI, "anthropic/claude-sonnet-4.5"); ok {
		t.Errorf("%+v", m)
	}
	// A tag that makes another model of it is not taken off.
	for _, name := range []string{"gpt-5:free", "gpt-5-turbo", "gpt", "", "/", ":latest"} {
		if m, ok := Find(openAI, name); ok {
			t.Errorf("%q: %+v", name, m)
		}
	}
	if m, ok := Find("https://api.kimi.com/coding", "kimi-for-coding"); !ok || m.Prices != nil {
		t.Errorf("a subscription: %+v", m)
	}
}

// TestNothingUnknownIsZero: every price in the list is one, but for what is free.
func TestNothingUnknownIsZero(t *testing.T) {
	for provider, models := range loaded().providers {
		for name, m := range models {
			if p := m.Prices; p != nil && (p.Input == 0) != (p.Output == 0) || m.Window < 0 || m.MaxOutput < 0 {
				t.Errorf("%s %s: %+v %+v", provider, name, m, m.Prices)
			}
		}
	}
	if m, ok := loaded().any.find("gpt-4o"); !ok || m.Prices != nil {
		t.Error("prices without a provider", m.Prices)
	}
}

func TestAnyNameCanBeAskedFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name, base := rapid.String().Draw(t, "name"), rapid.SampledFrom([]string{openAI, openRouter, elsewhere}).Draw(t, "base")
		if m, ok := Find(base, name); !ok && m != (Model{}) {
			t.Errorf("%q: %+v", name, m)
		}
	})
}
