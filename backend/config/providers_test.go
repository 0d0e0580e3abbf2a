package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const twoProviders = `provider: work
model: top
base_url: http://top/v1
context_window: 5
providers:
  work: {base_url: https://w.example.com/v1, model: gpt-5}
  Local: {base_url: http://127.0.0.1:11434/v1, context_window: 32_000}
models:
  gpt-5: {context_window: 400000, max_output_tokens: 8000, images: false, input: 3, output: 15, cache_read: 0.3}
  free: {input: 0, output: 0}
`

func TestTheProviderInUse(t *testing.T) {
	for name, c := range map[string]struct {
		env                   map[string]string
		provider, base, model string
		window                int
	}{
		"as the file says":     {nil, "work", "https://w.example.com/v1", "gpt-5", 5},
		"another":              {map[string]string{"PROVIDER": "local"}, "Local", "http://127.0.0.1:11434/v1", "top", 32000},
		"an address":           {map[string]string{"BASE_URL": "http://e/v1"}, "", "http://e/v1", "top", 5},
		"an address and one":   {map[string]string{"BASE_URL": "http://e/v1", "PROVIDER": "work"}, "work", "https://w.example.com/v1", "gpt-5", 5},
		"a model and a window": {map[string]string{"MODEL": "mine", "CONTEXT_WINDOW": "7"}, "work", "https://w.example.com/v1", "mine", 7},
	} {
		t.Run(name, func(t *testing.T) {
			for key, value := range c.env {
				t.Setenv("PALIMPSEST_"+key, value)
			}
			got, problems := Load(homeWith(t, twoProviders))
			if len(problems) > 0 || got.Provider != c.provider || got.BaseURL != c.base || got.Model != c.model || got.ContextWindow != c.window {
				t.Errorf("%+v, %v", got, problems)
			}
			if again, _ := Load(homeWith(t, twoProviders)); again != got {
				t.Error("settings that are the same are not equal")
			}
		})
	}
}

func TestUsingAnother(t *testing.T) {
	c, _ := Load(homeWith(t, twoProviders))
	local, ok := c.Using("LOCAL")
	if !ok || local.BaseURL != "http://127.0.0.1:11434/v1" || local.Model != "top" || local.ContextWindow != 32000 {
		t.Errorf("%+v", local)
	}
	top, ok := local.Using("")
	if !ok || top.BaseURL != "http://top/v1" || top.Model != "top" || top.ContextWindow != 5 || top.Provider != "" {
		t.Errorf("%+v", top)
	}
	if back, ok := top.Using("work"); !ok || back != c {
		t.Errorf("%+v\n%+v", back, c)
	}
	if _, ok := c.Using("nobody"); ok {
		t.Error("nobody")
	}
	if own, ok := c.Using("Default"); !ok || own != top {
		t.Errorf("%+v", own)
	}
	var names []string
	for _, p := range c.All() {
		names = append(names, p.Name)
	}
	if strings.Join(names, " ") != " work Local" {
		t.Errorf("%q", names)
	}
}

func TestOverrides(t *testing.T) {
	c, _ := Load(homeWith(t, twoProviders))
	if diff := cmp.Diff(Override{400000, 8000, new(false), &OverridePrices{3, 15, 0.3, 3}}, c.Models.Find("GPT-5")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Override{Prices: &OverridePrices{}}, c.Models.Find("free")); diff != "" {
		t.Error(diff)
	}
	if got := c.Models.Find("other"); got != (Override{}) {
		t.Errorf("%+v", got)
	}
}

// TestMistakesInTables: each says where it is, what is wrong is left out, and no secret is repeated.
func TestMistakesInTables(t *testing.T) {
	home := homeWith(t, `provider: wrok
providers:
  work:
    base_url: https://w/v1
    bas_url: x
    api_key: sk-verysecret
    model: 4
    context_window: lots
  bad name: {base_url: http://x/v1}
  none: {model: m}
  pw: {base_url: "http://u:sk-verysecret@x/v1"}
  WORK: {base_url: https://second/v1}
  list: [1]
  DEFAULT: {base_url: http://y/v1}
models:
  half: {input: 3}
  odd: {input: x, output: .nan, headers: {authorization: sk-verysecret}}
`)
	c, problems := Load(home)
	var all []string
	for _, p := range problems {
		all = append(all, strings.TrimPrefix(p.Error(), p.Path+", "))
	}
	text := strings.Join(all, "\n")
	for _, want := range []string{
		`line 5: there is no setting "providers.work.bas_url"; did you mean base_url?`,
		`line 6: "providers.work.api_key" looks like a secret`,
		`line 7: providers.work.model must be text`,
		`line 8: providers.work.context_window must be a whole number of tokens`,
		`line 9: a name in providers must be a name of letters`,
		`line 10: providers.none has no address in base_url; it is left out`,
		`line 11: providers.pw.base_url must be without user name and password, like https://example.com/v1`,
		`line 12: providers.WORK is given more than once`,
		`line 14: a name in providers must be another name than default, which is what the server without a name is called`,
		`line 13: providers.list must hold settings of its own`,
		`line 16: models.half has a price and none for output`,
		`line 17: models.odd.input must be a price`, `line 17: models.odd.output must be a price`,
		`line 17: there is no setting "models.odd.headers"`, `"authorization" looks like a secret`,
		`provider is "wrok", and there is none of that name in providers; did you mean WORK?`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("nothing says %s", want)
		}
	}
	if strings.Contains(text, "verysecret") {
		t.Error("a secret is repeated")
	}
	if t.Failed() {
		t.Log(text)
	}
	if c.BaseURL != "" || !AddressLost(c, problems) {
		t.Error("a provider that is not there is asked elsewhere")
	}
	if ps := c.Providers.List(); len(ps) != 1 || ps[0].BaseURL != "https://second/v1" {
		t.Errorf("%+v", ps)
	}
}

// TestAProviderWithoutAddressLosesIt rather than the address at the top, or OpenAI's, being asked instead.
func TestAProviderWithoutAddressLosesIt(t *testing.T) {
	c, problems := Load(homeWith(t, "base_url: http://top/v1\nprovider: a\nproviders: {a: {base_url: ftp://x}}\n"))
	if c.BaseURL != "" || !AddressLost(c, problems) {
		t.Errorf("%+v %v", c, problems)
	}
}

func TestKeyVariable(t *testing.T) {
	for name, want := range map[string]string{"work": "PALIMPSEST_API_KEY_WORK", "a-b.c_1": "PALIMPSEST_API_KEY_A_B_C_1"} {
		if got := KeyVariable(name); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestAnAddressHoldsNoQuery: a key may stand there, and is not repeated.
func TestAnAddressHoldsNoQuery(t *testing.T) {
	s, _ := settingOf("base_url")
	message, _ := s.complaint("base_url", "https://x.example.com/v1?api_key=sk-1")
	if strings.Contains(message, "sk-1") || !strings.Contains(message, "without a question mark") {
		t.Error(message)
	}
}
