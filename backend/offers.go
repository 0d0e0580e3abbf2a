package backend

import (
	"context"
	"errors"
	"sync"
	"time"

	"palimpsest/backend/llm"
)

// offers remembers what servers offer, by their address.
type offers struct {
	// refused is told of a key that a server does not take.
	refused func(key string)

	mu sync.Mutex
	by map[string]offer
}

type offer struct {
	asked  time.Time
	models []llm.Model
	err    error
}

// How long a list holds, and how long that there was none, or one that lacks what is only known of a model that runs; and
// how long a turn waits for it.
const (
	offersKeep  = 10 * time.Minute
	offersRetry = time.Minute
	offersWait  = 3 * time.Second
)

// ask is not held up by somebody else who asks: two may do so at once.
func (o *offers) ask(ctx context.Context, e llm.Endpoint, refresh bool) ([]llm.Model, error) {
	if models, fresh, err := o.remembered(e.BaseURL); fresh && !refresh {
		return models, err
	}
	models, err := llm.New(e, llm.Options{Refused: o.refused}).Models(ctx)
	if err != nil && errors.Is(ctx.Err(), context.Canceled) {
		return models, err // which says nothing about the server
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.by == nil {
		o.by = map[string]offer{}
	}
	o.by[e.BaseURL] = offer{time.Now(), models, err}
	return models, err
}

func (o *offers) remembered(base string) (models []llm.Model, fresh bool, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	had, there := o.by[base]
	keeps := offersKeep
	if had.err != nil || unsure(had.models) {
		keeps = offersRetry
	}
	return had.models, there && time.Since(had.asked) < keeps, had.err
}

// unsure tells whether there is a model whose window is known once it runs.
func unsure(models []llm.Model) bool {
	for i := range models {
		if models[i].Window == 0 && models[i].AtMost > 0 {
			return true
		}
	}
	return false
}

// known is what is known without asking.
func (o *offers) known(base string) []llm.Model {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.by[base].models
}

// forget has a server asked again, since it may offer something else to another key.
func (o *offers) forget(base string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.by, base)
}
