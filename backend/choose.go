package backend

import (
	"context"
	"fmt"

	"palimpsest/backend/agent"
	"palimpsest/backend/config"
	"palimpsest/backend/llm"
	"palimpsest/backend/overlay"
)

// choose picks the model for a session: the one wanted, or the one in force, unless the server is known not to offer
// it; then the configured one.
func (b *Backend) choose(ctx context.Context, id string, wanted agent.Wanted, c *overlay.Context) (agent.Choice, error) {
	meta, err := b.metadata(id)
	if err != nil {
		return agent.Choice{}, err
	}
	settings, err := b.settingsIn(id, c, wanted.Provider)
	if err != nil {
		return agent.Choice{}, fmt.Errorf("session %s: %w", id, err)
	}
	if err := b.usable(settings, wanted.Model+c.Model.Model); err != nil {
		return agent.Choice{}, err
	}
	endpoint, _ := b.endpointOf(settings)
	choice := agent.Choice{
		Model: wanted.Model, Provider: nameOf(settings), Named: settings.Provider != "", Compaction: compactionOf(settings.Compaction),
	}
	if settings.Provider == "" && (config.IsDefault(wanted.Provider) || wanted.Provider == "" && c.Model.Named) {
		choice.Provider, choice.Named = config.DefaultProvider, true // it was chosen, whatever address it has
	}
	limited, cancel := context.WithTimeout(ctx, offersWait)
	defer cancel()
	models, _ := b.offers.ask(limited, endpoint, false) // none are known if it fails; the turn says what is wrong
	if choice.Model == "" {
		choice.Model = modelFor(settings, c, models)
		if had, err := b.settingsFor(c, ""); settings.Model != "" && (err != nil || nameOf(had) != nameOf(settings)) {
			choice.Model = settings.Model // the one in force is another provider's
		}
	}
	if choice.Model == c.Model.Model {
		choice.ReasoningEffort = c.Model.ReasoningEffort
	}
	known := b.factsOf(settings, choice.Model)
	choice.Budget, choice.Prices, choice.Blind = b.budget(settings, choice.Model), known.prices, known.blind
	blob := func(sha string) ([]byte, error) { return b.blobOf(id, sha) }
	options := llm.Options{Idle: settings.IdleTimeout, Refused: b.keys.Refused, Text: blob}
	if !known.blind { // one that takes no images is told that there are some
		options.Blob = blob
	}
	choice.Asker = llm.New(endpoint, options)
	choice.Compaction.Hook = b.hook(settings, id, meta.Cwd)
	if other := settings.Compaction.Model; other != "" && other != choice.Model {
		choice.Compaction.Summarizer = &agent.Choice{
			Asker: choice.Asker, Model: other, Provider: choice.Provider, Budget: b.budget(settings, other),
			Prices: b.factsOf(settings, other).prices,
		}
	}
	return choice, nil
}

// modelFor is the model in force in a session, unless the server is known not to offer it; then the configured one.
func modelFor(settings config.Config, c *overlay.Context, models []llm.Model) string {
	inForce := c.Model.Model
	if inForce == "" || settings.Model != "" && len(models) > 0 && offered(models, inForce).ID == "" {
		return settings.Model
	}
	return inForce
}
