package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func environment(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestAddressIsNormalised(t *testing.T) {
	for in, want := range map[string]string{
		"":                                   "https://api.openai.com/v1",
		"  ":                                 "https://api.openai.com/v1",
		"https://api.openai.com":             "https://api.openai.com/v1",
		"http://127.0.0.1:11434":             "http://127.0.0.1:11434/v1",
		"http://127.0.0.1:11434/":            "http://127.0.0.1:11434/v1",
		"http://host/v1///":                  "http://host/v1",
		"https://openrouter.ai/api/v1":       "https://openrouter.ai/api/v1",
		"https://h/v1/chat/completions":      "https://h/v1",
		"https://h/chat/completions":         "https://h/v1",
		"https://h/v1?key=x#y":               "https://h/v1",
		"localhost:1234":                     "http://localhost:1234/v1",
		"[::1]:1234":                         "http://[::1]:1234/v1",
		"models.example.com":                 "https://models.example.com/v1",
		"not an address":                     "https://not an address",
		"https://user:pass@example.com/api/": "https://user:pass@example.com/api",
	} {
		if got := NewEndpoint(in, environment()).BaseURL; got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}

func TestKeyGoesOnlyWhereItMay(t *testing.T) {
	all := environment("OPENAI_API_KEY", "of-openai", "OPENROUTER_API_KEY", " of-openrouter\n")
	for base, want := range map[string]string{
		"":                                "of-openai",
		"https://API.OpenAI.com/v1":       "of-openai",
		"http://api.openai.com/v1":        "", // not encrypted
		"http://localhost:11434":          "of-openai",
		"http://127.0.0.53:1":             "of-openai",
		"http://[::1]:1":                  "of-openai",
		"https://openrouter.ai/api/v1":    "of-openrouter",
		"http://openrouter.ai/api/v1":     "",
		"https://openrouter.ai.evil.com":  "",
		"https://api.openai.com.evil.com": "",
		"https://evil.com/api.openai.com": "",
		"https://api.openai.com@evil.com": "",
		"https://localhost.evil.com":      "",
		"http://192.168.1.2:11434":        "",
		"https://my.openai.azure.com":     "",
	} {
		if got := NewEndpoint(base, all).Key; got != want {
			t.Errorf("%q gets %q, want %q", base, got, want)
		}
	}
	own := environment("OPENAI_API_KEY", "of-openai", "PALIMPSEST_API_KEY", "ours")
	for _, base := range []string{"", "https://anywhere.example.com", "http://127.0.0.1:1", "https://openrouter.ai/api/v1"} {
		if got := NewEndpoint(base, own).Key; got != "ours" {
			t.Errorf("%q gets %q, want our own", base, got)
		}
	}
}

func TestUsableAndProvider(t *testing.T) {
	for _, c := range []struct {
		base, provider string
		usable         bool
	}{
		{"", "openai", false},
		{"https://openrouter.ai/api/v1", "openrouter", true},
		{"http://127.0.0.1:11434", "127.0.0.1:11434", true},
		{"https://Models.example.com", "models.example.com", true},
		{"https://user:pass@example.com", "example.com", true},
		{"://", "unknown", true},
	} {
		e := NewEndpoint(c.base, environment())
		if e.Usable() != c.usable || e.Provider() != c.provider {
			t.Errorf("%q: usable %v, provider %q", c.base, e.Usable(), e.Provider())
		}
	}
	if !NewEndpoint("", environment("OPENAI_API_KEY", "k")).Usable() {
		t.Error("OpenAI with a key is not usable")
	}
}

func TestUnusableEndpointIsNotAsked(t *testing.T) {
	c := New(NewEndpoint("", environment()), Options{HTTP: refusing{t}})
	_, err := c.Stream(t.Context(), question(), nil)
	wantError(t, err, ClassAuth, "OPENAI_API_KEY")
	_, err = c.Models(t.Context())
	wantError(t, err, ClassAuth)
	for _, base := range []string{"ftp://host", "https://not an address", "http://"} {
		_, err := New(NewEndpoint(base, environment()), Options{HTTP: refusing{t}}).Stream(t.Context(), question(), nil)
		wantError(t, err, ClassRefused, "address", base)
	}
	_, err = New(NewEndpoint("http://u:pa%ss@host", environment()), Options{}).Stream(t.Context(), question(), nil)
	if wantError(t, err, ClassRefused, "address"); strings.Contains(err.Error(), "pa%ss") {
		t.Errorf("shows a password: %v", err)
	}
}

func TestKeyIsNeverPrinted(t *testing.T) {
	e := Endpoint{BaseURL: "https://u:" + testKey + "@example.com/v1", Key: testKey}
	c := New(e, Options{})
	var out bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		fmt.Fprintf(&out, verb+" "+verb+" "+verb+" "+verb+"\n", e, &e, c, struct{ E Endpoint }{e})
	}
	for _, handler := range []slog.Handler{slog.NewTextHandler(&out, nil), slog.NewJSONHandler(&out, nil)} {
		slog.New(handler).Info("asking", "endpoint", e, "client", c)
	}
	if err := json.NewEncoder(&out).Encode(e); err != nil {
		t.Fatal(err)
	}
	// The password in the address is the user's own; only as JSON, which is how settings are kept, it stays in it.
	printed := out.String()[:strings.LastIndex(out.String(), `{"BaseURL"`)]
	if strings.Contains(printed, testKey) || strings.Contains(printed, fmt.Sprintf("%x", testKey)) {
		t.Errorf("shows the key:\n%s", printed)
	}
	if !strings.Contains(printed, "llm.Endpoint{") {
		t.Errorf("Go syntax is none:\n%s", printed)
	}
	if strings.Contains(out.String(), `"Key"`) {
		t.Errorf("JSON has the key:\n%s", out.String())
	}
	if !strings.Contains(printed, "example.com") || !strings.Contains(printed, "hidden") {
		t.Errorf("shows nothing:\n%s", printed)
	}
}
