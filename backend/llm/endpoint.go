package llm

import (
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"strings"
)

const (
	openAIBase     = "https://api.openai.com/v1"
	openAIHost     = "api.openai.com"
	openRouterHost = "openrouter.ai"
)

// Endpoint is where a model is asked. It prints without its key, as text, in a log and as JSON. Only fmt on a struct
// that holds one in an unexported field would show it: fmt asks such fields for no method.
type Endpoint struct {
	BaseURL string
	Key     string `json:"-"`
}

// KeyVariables are the variables of the environment that a key is taken from.
var KeyVariables = []string{AnyKeyVariable, openAIKey, openRouterKey}

// AnyKeyVariable is the variable whose key goes wherever the address that was set with it leads.
const AnyKeyVariable = "PALIMPSEST_API_KEY"

const (
	openAIKey     = "OPENAI_API_KEY"
	openRouterKey = "OPENROUTER_API_KEY"
)

// NewEndpoint normalises a base URL (empty is OpenAI's; one without a path gets /v1) and takes from the environment the
// key that may go there: PALIMPSEST_API_KEY to any address, since whoever set it has set the address too;
// OPENAI_API_KEY to OpenAI and to this machine; OPENROUTER_API_KEY to OpenRouter. The last two are lent by other
// programs: they leave this machine only encrypted.
func NewEndpoint(baseURL string, getenv func(string) string) Endpoint {
	e := Endpoint{BaseURL: normalise(baseURL)}
	names := []string{AnyKeyVariable}
	host, secure := e.host()
	switch {
	case host == openAIHost && secure, isLoopback(host):
		names = append(names, openAIKey)
	case host == openRouterHost && secure:
		names = append(names, openRouterKey)
	}
	for _, name := range names {
		if key := strings.TrimSpace(getenv(name)); key != "" {
			e.Key = key
			break
		}
	}
	return e
}

// normalise leaves what is no address as it is: the first request says so.
func normalise(base string) string {
	base = strings.TrimSpace(base)
	if base == "" {
		return openAIBase
	}
	if !strings.Contains(base, "://") {
		base = schemeFor(base) + base
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return base
	}
	// Paths are appended to it, so there is no place for these.
	u.RawQuery, u.ForceQuery, u.Fragment, u.RawFragment = "", false, "", ""
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), ""
	u.Path = strings.TrimSuffix(u.Path, "/chat/completions") // as documentation often gives it
	if u.Path == "" {
		u.Path = "/v1"
	}
	return u.String()
}

// schemeFor is what a bare host is asked with.
func schemeFor(base string) string {
	if u, err := url.Parse("http://" + base); err == nil && isLoopback(hostOf(u)) {
		return "http://"
	}
	return "https://"
}

func hostOf(u *url.URL) string {
	return strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
}

// host is without the port; secure tells whether the way there is encrypted.
func (e Endpoint) host() (name string, secure bool) {
	u, err := url.Parse(e.BaseURL)
	if err != nil {
		return "", false
	}
	return hostOf(u), u.Scheme == "https"
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// Usable is false if nothing can be asked: OpenAI's own address without a key.
func (e Endpoint) Usable() bool {
	host, _ := e.host()
	return e.Key != "" || host != openAIHost
}

// Provider names the server for the records of a log: "openai", "openrouter", else host and port.
func (e Endpoint) Provider() string {
	switch host, _ := e.host(); host {
	case openAIHost:
		return "openai"
	case openRouterHost:
		return "openrouter"
	}
	u, err := url.Parse(e.BaseURL)
	if err != nil || u.Host == "" {
		return "unknown"
	}
	return strings.ToLower(u.Host)
}

// check says what keeps the address from being asked at all.
func (e Endpoint) check() error {
	u, err := url.Parse(e.BaseURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		shown := fmt.Sprintf(" %.200q", e.BaseURL)
		if strings.Contains(shown, "@") { // a password may stand before it
			shown = ""
		}
		return &Error{Class: ClassRefused, Message: "the address" + shown + " is not one: it begins with http:// or https:// and a host"}
	}
	if !e.Usable() {
		return &Error{Class: ClassAuth, Message: "OpenAI asks for a key: set OPENAI_API_KEY, or the address of another server"}
	}
	return nil
}

// hidden is the endpoint as text. A password in the address is one, too.
func (e Endpoint) hidden() (base, key string) {
	base, key = e.BaseURL, "none"
	if u, err := url.Parse(base); err == nil {
		base = u.Redacted()
	}
	if e.Key != "" {
		key = "hidden"
	}
	return base, key
}

// String leaves the key out.
func (e Endpoint) String() string {
	base, key := e.hidden()
	return fmt.Sprintf("%s (key: %s)", base, key)
}

// GoString leaves the key out.
func (e Endpoint) GoString() string {
	base, key := e.hidden()
	return fmt.Sprintf("llm.Endpoint{BaseURL:%q, Key:%q}", base, key)
}

// Format leaves the key out for verbs that ask for no string.
func (e Endpoint) Format(f fmt.State, verb rune) {
	if verb == 'v' && f.Flag('#') {
		fmt.Fprint(f, e.GoString())
		return
	}
	fmt.Fprint(f, e.String())
}

// LogValue leaves the key out.
func (e Endpoint) LogValue() slog.Value {
	base, key := e.hidden()
	return slog.GroupValue(slog.String("baseURL", base), slog.String("key", key))
}
