package backend

import (
	"context"
	"time"

	"palimpsest/backend/agent"
	"palimpsest/backend/config"
	"palimpsest/backend/llm"
	"palimpsest/backend/naming"
	"palimpsest/backend/overlay"
	"palimpsest/backend/session"
)

// namingMost is how long a model may take to find a name, in time and in tokens.
const (
	namingMost       = 20 * time.Second
	namingTokensMost = 1024
)

// nameAfter names a session by the first words of its conversation, and returns what has the model find a better name.
func (b *Backend) nameAfter(ctx context.Context, id string, e agent.Exchange, c agent.Choice) (better func(context.Context)) {
	settings, _ := b.Settings()
	words := naming.FromWords(e.User)
	if settings.AutoName == config.AutoNameOff || words == "" {
		return nil
	}
	named, err := b.store.AutoName(ctx, id, "", words, session.NamedByWords)
	b.warnOf(err)
	if !named || settings.AutoName != config.AutoNameModel {
		return nil
	}
	return func(ctx context.Context) { b.nameByModel(ctx, id, words, e, c) }
}

// nameByModel asks the model that writes summaries, which may be a cheaper one, for a name. Without a usable answer the first
// words stay, and so does any name that was given meanwhile.
func (b *Backend) nameByModel(ctx context.Context, id, words string, e agent.Exchange, c agent.Choice) {
	if other := c.Compaction.Summarizer; other != nil {
		c = *other
	}
	limited, cancel := context.WithTimeout(ctx, namingMost)
	defer cancel()
	answer, err := c.Asker.Stream(limited, llm.Request{
		Model: c.Model, System: naming.System, MaxTokens: namingTokensMost,
		Messages: []overlay.Message{overlay.Question(naming.Question(e.User, e.Answer))},
	}, func(llm.Delta) {})
	name := naming.FromAnswer(answer.Text)
	if err != nil || answer.Stop != llm.StopEnd || name == "" {
		return
	}
	_, err = b.store.AutoName(ctx, id, words, name, session.NamedByModel)
	b.warnOf(err)
}

func (b *Backend) warnOf(err error) {
	if err != nil && b.warn != nil {
		b.warn(err)
	}
}

// Rest waits until everything has ended that is under way in this process, or ctx has: for a door that ends with its answer,
// and is to leave a name behind.
func (b *Backend) Rest(ctx context.Context) { b.agent.Rest(ctx) }
