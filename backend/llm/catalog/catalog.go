// Package catalog knows models without asking anybody: how large their windows are, how much they answer at most, and
// what they cost. The list is that of github.com/charmbracelet/catwalk, which is embedded; nothing is fetched.
//
// What a model costs depends on who serves it, so prices are those of the provider at that address or none. Windows
// belong to models, and are found by name anywhere else; where providers differ, the smallest counts, since a request
// that is too long for a window is refused. A server on this machine or in this network is asked instead: the same name
// stands there for whatever somebody has loaded, with a window of their own.
package catalog

import (
	"maps"
	"net/netip"
	"net/url"
	"strings"
	"sync"

	"github.com/charmbracelet/catwalk/pkg/catwalk"
	"github.com/charmbracelet/catwalk/pkg/embedded"

	"palimpsest/backend/llm"
)

// Model is what is known of one.
type Model struct {
	// Window and MaxOutput are in tokens, 0 if not known. MaxOutput is what the catalog advises to ask for at most, which
	// is never more than the model can.
	Window, MaxOutput int
	// Prices are nil if not known.
	Prices *llm.Prices
	// Reasons and SeesImages are false if not known.
	Reasons, SeesImages bool
}

// Named tells what is known of a model by its name and that of its provider, wherever it is asked. The provider may be one that nobody knows.
func Named(provider, model string) (Model, bool) {
	all := loaded()
	if found, ok := all.providers[strings.ToLower(provider)].find(model); ok {
		return found, true
	}
	found, ok := all.any.find(model)
	found.Prices = nil
	return found, ok
}

// Find tells what is known of a model at an address.
func Find(baseURL, model string) (Model, bool) {
	host := hostOf(baseURL)
	if host == "" || isPrivate(host) {
		return Model{}, false
	}
	all := loaded()
	if provider, known := all.at(host); known {
		found, ok := all.providers[provider].find(model)
		return found, ok
	}
	found, ok := all.any.find(model)
	found.Prices = nil
	return found, ok
}

// shelf has models by the names they go by: as they are, in lower case, and without what may be left off.
type shelf map[string]Model

// find goes from the name as it is to what it may be short for.
func (s shelf) find(model string) (Model, bool) {
	for _, name := range names(model) {
		if m, ok := s[name]; ok {
			return m, true
		}
	}
	return Model{}, false
}

// add keeps the first model of a name: a whole name is never replaced by a shortened one.
func (s shelf) add(name string, m Model) {
	if _, taken := s[name]; !taken {
		s[name] = m
	}
}

type lists struct {
	providers map[string]shelf
	hosts     map[string]string // to the provider
	any       shelf
}

// Addresses that the list itself leaves to its users' environment.
var addresses = map[string]string{
	"api.openai.com":                    string(catwalk.InferenceProviderOpenAI),
	"api.anthropic.com":                 string(catwalk.InferenceProviderAnthropic),
	"generativelanguage.googleapis.com": string(catwalk.InferenceProviderGemini),
	"openrouter.ai":                     string(catwalk.InferenceProviderOpenRouter),
}

const azureHost = ".openai.azure.com"

func (l *lists) at(host string) (string, bool) {
	if strings.HasSuffix(host, azureHost) {
		return string(catwalk.InferenceProviderAzure), true
	}
	provider, ok := l.hosts[host]
	return provider, ok
}

// loaded reads the list once, when it is first needed.
var loaded = sync.OnceValue(func() *lists {
	l := &lists{providers: map[string]shelf{}, hosts: maps.Clone(addresses), any: shelf{}}
	for _, provider := range embedded.GetAll() {
		own := shelf{}
		for i := range provider.Models {
			listed := &provider.Models[i]
			own.add(strings.ToLower(listed.ID), modelOf(listed))
		}
		for i := range provider.Models { // behind all whole names
			listed := &provider.Models[i]
			for _, name := range names(listed.ID) {
				own.add(name, modelOf(listed))
				l.any[name] = smaller(l.any[name], modelOf(listed))
			}
		}
		l.providers[string(provider.ID)] = own
		if host := hostOf(provider.APIEndpoint); host != "" {
			l.hosts[host] = string(provider.ID)
		}
	}
	return l
})

// modelOf takes a model from the list, in which 0 is what is not known.
func modelOf(listed *catwalk.Model) Model {
	return Model{
		Window: count(listed.ContextWindow), MaxOutput: count(listed.DefaultMaxTokens), Prices: pricesOf(listed),
		Reasons: listed.CanReason, SeesImages: listed.SupportsImages,
	}
}

func count(n int64) int {
	const most = 1 << 40
	if n <= 0 || n > most {
		return 0
	}
	return int(n)
}

// pricesOf are none where input or output costs nothing, but for what is named free: a subscription, or not known. What
// is not known of a cache costs what the input does. In the list, what is called cached input is written to a cache, and
// cached output is read from it.
func pricesOf(listed *catwalk.Model) *llm.Prices {
	p := llm.Prices{}
	in, inOK := llm.Price(listed.CostPer1MIn)
	out, outOK := llm.Price(listed.CostPer1MOut)
	free := strings.HasSuffix(listed.ID, ":free")
	if !inOK || !outOK || !free && (in == 0 || out == 0) {
		return nil
	}
	p.Input, p.Output, p.CacheRead, p.CacheWrite = in, out, in, in
	if read, ok := llm.Price(listed.CostPer1MOutCached); ok && read > 0 {
		p.CacheRead = read
	}
	if write, ok := llm.Price(listed.CostPer1MInCached); ok && write > 0 {
		p.CacheWrite = write
	}
	return &p
}

// smaller is what holds at two providers of one model.
func smaller(a, b Model) Model {
	return Model{
		Window: least(a.Window, b.Window), MaxOutput: least(a.MaxOutput, b.MaxOutput),
		Reasons: a.Reasons || b.Reasons, SeesImages: a.SeesImages || b.SeesImages,
	}
}

func least(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
}

// isPrivate is a server on this machine or in this network.
func isPrivate(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		addr = addr.Unmap()
		return addr.IsLoopback() || addr.IsPrivate() || addr.IsLinkLocalUnicast() || addr.IsUnspecified()
	}
	if !strings.Contains(host, ".") { // localhost, or a name of this network
		return true
	}
	for _, end := range []string{".localhost", ".local", ".lan", ".internal", ".home.arpa"} {
		if strings.HasSuffix(host, end) {
			return true
		}
	}
	return false
}
