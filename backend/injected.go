package backend

import (
	"encoding/json"
	"time"

	"palimpsest/backend/agent"
	"palimpsest/backend/agent/inject"
	"palimpsest/backend/config"
	"palimpsest/backend/library"
	"palimpsest/backend/record"
)

// Injected is what the model would be told now besides the conversation.
type Injected struct {
	Parts []InjectedPart `json:"parts"`
	// Skipped are the files that were left out.
	Skipped []Skipped `json:"skipped"`
	// NoTools says why the model is offered no tools, nil if it is offered some.
	NoTools *string `json:"noTools"`
}

// InjectedPart is one piece: "system", "agents", "environment", "memory", or "tools", the descriptions of the tools.
type InjectedPart struct {
	Kind string  `json:"kind"`
	Path *string `json:"path"`
	// Cut tells that the file has more.
	Cut bool `json:"cut"`
	// Tokens is the raw estimate.
	Tokens int `json:"tokens"`
}

// Skipped is a file that was left out, and why.
type Skipped struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// kindTools is that of the descriptions of the tools.
const kindTools = "tools"

// overlayInjected marks the messages that no record holds and no overlay made.
const overlayInjected = "injected"

// inject builds what the model is told besides the conversation of a session.
func (b *Backend) inject(id string) (inject.Context, error) {
	if library.IsRef(id) {
		return inject.Context{}, nil // what its agent tells its model is in its log, or nobody knows
	}
	meta, err := b.metadata(id)
	if err != nil {
		return inject.Context{}, err
	}
	settings, _ := b.Settings()
	home, _ := config.UserHome() // without one nothing is looked for above a folder
	return inject.Build(inject.Options{
		Override: meta.SystemPromptOverride, System: settings.SystemPrompt, Cwd: meta.Cwd, UserHome: home,
		RecallTokens: settings.Memory.RecallTokens, Now: time.Now(),
	}), nil
}

// injectText is the same as it is sent.
func (b *Backend) injectText(id string) (string, error) {
	c, err := b.inject(id)
	if err != nil {
		return "", err
	}
	return c.Text(), nil
}

// injectedOf lists the parts, the tools' with them, and says how many tokens they are.
func (b *Backend) injectedOf(id string, c *inject.Context) (out Injected, overhead int) {
	out = Injected{Parts: []InjectedPart{}, Skipped: []Skipped{}, NoTools: b.noTools(id)}
	for _, p := range c.Parts {
		out.Parts = append(out.Parts, InjectedPart{Kind: string(p.Kind), Path: known(p.Path), Cut: p.Cut, Tokens: p.Tokens})
	}
	for _, s := range c.Skipped {
		out.Skipped = append(out.Skipped, Skipped(s))
	}
	if library.IsRef(id) {
		return out, 0
	}
	offered := b.agent.Offered(id)
	if tools := agent.Overhead("", offered); tools > 0 {
		out.Parts = append(out.Parts, InjectedPart{Kind: kindTools, Tokens: tools})
	}
	return out, agent.Overhead(c.Text(), offered)
}

// injectedMessages are the parts as messages of a context.
func injectedMessages(c *inject.Context) []Message {
	messages := make([]Message, len(c.Parts))
	for i, p := range c.Parts {
		messages[i] = Message{
			Role: "system", Overlay: overlayInjected, Content: []json.RawMessage{json.RawMessage(record.TextBlock(p.Text).JSON)},
		}
	}
	return messages
}
