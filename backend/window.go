package backend

import (
	"strings"

	"palimpsest/backend/config"
	"palimpsest/backend/library"
	"palimpsest/backend/llm/catalog"
	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
	"palimpsest/backend/tokens"
)

// budgetOf divides the window of the model that would answer in a session: of another agent's that is the one which it has there.
func (b *Backend) budgetOf(id string, c *overlay.Context) tokens.Budget {
	settings, _ := b.settingsIn(id, c, "") // without its provider: as it would be at the one in use
	if library.IsRef(id) {
		return divided(settings, b.windowOfTheirs(settings, c.Model))
	}
	return b.budget(settings, modelFor(settings, c, b.offers.known(addressOf(settings))))
}

// windowOfTheirs is how large the window is of the model that another agent's session has: what the user says of it comes first, then what
// the agent noted, the server in use if that offers it, and the catalog. 0 is not known.
func (b *Backend) windowOfTheirs(settings config.Config, m record.Model) int {
	if m.Model == "" {
		return 0
	}
	setting := 0
	if m.Model == settings.Model {
		setting = settings.ContextWindow
	}
	listed, _ := catalog.Named(providerInCatalog(m.Provider), m.Model)
	return firstOf(settings.Models.Find(m.Model).ContextWindow, int(m.Window), setting,
		offered(b.offers.known(addressOf(settings)), m.Model).Window, listed.Window)
}

// modelNoted is the last model that a log says to be the one from there on, with what it says of it, or else the one that answered last. A log has
// few such records, which are short: of the last ones that are no messages, some are read.
func (v *view) modelNoted() record.Model {
	const some, short = 64, 4 << 10
	for i, read := v.index.Lines.Len()-1, 0; i >= 0 && read < some; i-- {
		line := v.index.Lines.At(i)
		if line.Kind != session.LineOverlay || line.Length > short {
			continue
		}
		read++
		text := make([]byte, line.Length)
		if _, err := v.log.ReadAt(text, line.Offset); err != nil {
			break // who reads the log says so
		}
		if rec, err := record.Decode(trimmed(text, line.Offset)); err == nil && rec.Model != nil && rec.Model.Model == v.index.Model {
			return *rec.Model
		}
	}
	return record.Model{Model: v.index.Model}
}

// providerInCatalog is what the catalog calls a provider that agents call otherwise.
func providerInCatalog(name string) string {
	switch name = strings.ToLower(name); name {
	case "google", "google-gemini-cli":
		return "gemini"
	case "google-vertex":
		return "vertexai"
	case "amazon-bedrock":
		return "bedrock"
	}
	return name
}
