package backend

import (
	"palimpsest/backend/config"
	"palimpsest/backend/llm"
	"palimpsest/backend/llm/catalog"
	"palimpsest/backend/tokens"
)

// Where it is known from how large a window is.
const (
	fromConfig  = "config"
	fromServer  = "server"
	fromCatalog = "catalog"
)

// facts are what is known of a model where it is asked; what is 0, empty or nil is not.
type facts struct {
	window     int
	windowFrom string
	maxOutput  int
	prices     *llm.Prices
	// blind tells that the model is known to take no images.
	blind bool
}

// factsOf puts together what is known of a model. What the user says of it comes first, then the setting context_window,
// then the server, then the catalog: the server knows with which window it was started, which may be far less than the
// model could have, and what it charges today.
func (b *Backend) factsOf(settings config.Config, model string) facts {
	address := addressOf(settings)
	told := offered(b.offers.known(address), model)
	listed, isListed := catalog.Find(address, model)
	own := settings.Models.Find(model)

	out := facts{maxOutput: firstOf(own.MaxOutput, told.MaxOutput, listed.MaxOutput), prices: listed.Prices, blind: isListed && !listed.SeesImages}
	if own.Images != nil {
		out.blind = !*own.Images
	}
	if told.Prices != nil {
		out.prices = told.Prices
	}
	if p := own.Prices; p != nil {
		out.prices = &llm.Prices{Input: p.Input, Output: p.Output, CacheRead: p.CacheRead, CacheWrite: p.CacheWrite}
	}
	if told.Window == 0 && listed.Window == 0 && told.AtMost < tokens.DefaultWindow {
		told.Window = told.AtMost // it is less than what would be guessed
	}
	setting := settings.ContextWindow
	// The setting is about the model that answers: for one that only writes summaries, what is known of it comes first.
	if model == settings.Compaction.Model && model != settings.Model && told.Window+listed.Window > 0 {
		setting = 0
	}
	for _, w := range []struct {
		from string
		size int
	}{{fromConfig, own.ContextWindow}, {fromConfig, setting}, {fromServer, told.Window}, {fromCatalog, listed.Window}} {
		if w.size > 0 {
			out.window, out.windowFrom = w.size, w.from
			break
		}
	}
	return out
}

func offered(models []llm.Model, id string) llm.Model {
	for i := range models {
		if models[i].ID == id {
			return models[i]
		}
	}
	return llm.Model{}
}

func firstOf(counts ...int) int {
	for _, n := range counts {
		if n > 0 {
			return n
		}
	}
	return 0
}
