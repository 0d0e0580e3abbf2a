package backend

import (
	"errors"
	"os"
	"slices"
	"strings"

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
	return divided(settings, b.factsOf(settings, model).window)
}

// divided is how a window of so many tokens, 0 if nobody knows, is divided.
func divided(settings config.Config, window int) tokens.Budget {
	c := settings.Compaction
	budget := tokens.NewBudget(window, max(c.ReserveTokens, c.ReserveTokensFloor), c.KeepRecentTokens)
	return budget.Capped(c.MaxTokens, c.ThresholdRatio)
}

// settingsIn are the settings as they are for a conversation, as [Backend.settingsFor] has them, with what its session has of
// its own before those of config.yaml.
func (b *Backend) settingsIn(id string, c *overlay.Context, wanted string) (config.Config, error) {
	settings, err := b.settingsFor(c, wanted)
	meta, metaErr := b.metadata(id)
	if metaErr != nil {
		return settings, errors.Join(err, metaErr)
	}
	own, complaints := settings.Compaction.Own(meta.Compaction)
	settings.Compaction = own
	for _, complaint := range complaints {
		b.warnOnce("session " + id + ": metadata.json: " + complaint + "; it is left there, and not used")
	}
	return settings, err
}

// warnOnce tells of something that is found each time that somebody looks.
func (b *Backend) warnOnce(text string) {
	if _, told := b.warned.LoadOrStore(text, true); !told {
		b.warn(errors.New(text))
	}
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

// keyVariables are the variables of the environment that hold keys, which nothing that the program runs gets to see.
func keyVariables() []string {
	names := slices.Clone(llm.KeyVariables)
	for _, entry := range os.Environ() {
		name, _, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(strings.ToUpper(name), config.KeyVariable("")) {
			names = append(names, name)
		}
	}
	return names
}

// ownKeys are the keys that the program holds: those in its environment, and those that it has read from the keychain.
func (b *Backend) ownKeys() []string {
	all := b.keys.Seen()
	for _, name := range keyVariables() {
		all = append(all, strings.TrimSpace(os.Getenv(name)))
	}
	return slices.DeleteFunc(all, func(key string) bool { return !llm.IsSecret(key) })
}

// hook is the user's own command, nil if there is none. It runs in the session's folder, if that is there.
func (b *Backend) hook(settings config.Config, id, cwd string) compaction.Hook {
	if info, err := os.Stat(cwd); err != nil || !info.IsDir() {
		cwd = ""
	}
	return hook.New(hook.Options{
		Command: settings.Compaction.Hook, Timeout: settings.Compaction.HookTimeout, SessionID: id, Cwd: cwd, Without: keyVariables(),
	})
}
