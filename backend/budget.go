package backend

import (
	"os"

	"palimpsest/backend/agent"
	"palimpsest/backend/compaction"
	"palimpsest/backend/compaction/hook"
	"palimpsest/backend/config"
	"palimpsest/backend/llm"
	"palimpsest/backend/overlay"
	"palimpsest/backend/tokens"
)

// budget divides the window of a model, as far as it is known.
func (b *Backend) budget(settings config.Config, model string) tokens.Budget {
	c := settings.Compaction
	budget := tokens.NewBudget(b.window(settings, model), max(c.ReserveTokens, c.ReserveTokensFloor), c.KeepRecentTokens)
	return budget.Capped(c.MaxTokens, c.ThresholdRatio)
}

// window is the setting or else what the server says. The setting is about the model that answers: for one that only
// writes summaries, what the server says comes first.
func (b *Backend) window(settings config.Config, model string) int {
	told := 0
	for _, m := range b.catalog.known(endpointOf(settings).BaseURL) {
		if m.ID == model {
			told = m.Window
		}
	}
	onlySummaries := model == settings.Compaction.Model && model != settings.Model
	if settings.ContextWindow == 0 || onlySummaries && told > 0 {
		return told
	}
	return settings.ContextWindow
}

// budgetOf divides the window of the model that would answer in a session.
func (b *Backend) budgetOf(c *overlay.Context) tokens.Budget {
	settings, _ := b.Settings()
	return b.budget(settings, modelFor(settings, c, b.catalog.known(endpointOf(settings).BaseURL)))
}

// compactionOf is how a turn compacts by the settings.
func compactionOf(c config.Compaction) agent.Compaction {
	out := agent.Compaction{
		Auto: c.Enabled, MaxMessages: c.MaxMessages, KeepMessages: c.KeepRecentMessages,
		Prune: c.Prune, Protected: c.ProtectedTools.List(),
	}
	if f := c.MemoryFlush; f.Enabled {
		out.Flush = &agent.Flush{SoftThreshold: f.SoftThresholdTokens, Prompt: f.Prompt, System: f.SystemPrompt}
	}
	return out
}

// hook is the user's own command, nil if there is none. It runs in the session's folder, if that is there.
func (b *Backend) hook(settings config.Config, id, cwd string) compaction.Hook {
	if info, err := os.Stat(cwd); err != nil || !info.IsDir() {
		cwd = ""
	}
	return hook.New(hook.Options{
		Command: settings.Compaction.Hook, Timeout: settings.Compaction.HookTimeout, SessionID: id, Cwd: cwd, Without: llm.KeyVariables,
	})
}
