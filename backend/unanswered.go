package backend

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"palimpsest/backend/session"
)

// unanswered are the messages, by the keys their windows gave them, to which an answer may not come through: something between the
// window and the program may have said in its place that there is none.
type unanswered struct {
	mu sync.Mutex
	// atWork are those that are being taken now.
	atWork map[string]chan struct{}
	// givenUp are those that their windows have in the field again: they are not taken any more, should they still come.
	givenUp []string
}

// GivenUp says of a message to which its window got no answer whether it was taken, or handed back; else it is not any more.
type GivenUp struct {
	Key   string `json:"key"`
	Taken bool   `json:"taken"`
}

// GiveUp asks what became of a message. Of one that is being taken at this moment it waits for the end.
func (b *Backend) GiveUp(ctx context.Context, id, key string) (GivenUp, error) {
	if _, err := b.store.Get(id); err != nil {
		return GivenUp{}, err
	}
	if key == "" || len(key) > messageKeyMost {
		return GivenUp{}, fmt.Errorf("%w: the key of a message has 1 to %d bytes", session.ErrInput, messageKeyMost)
	}
	if err := b.unanswered.giveUp(ctx, key); err != nil {
		return GivenUp{}, fmt.Errorf("session %s: waiting for a message that is being taken: %w", id, err)
	}
	return GivenUp{key, b.settledOf(id, []string{key})[key]}, nil
}

func (u *unanswered) giveUp(ctx context.Context, key string) error {
	for {
		u.mu.Lock()
		done, atWork := u.atWork[key]
		if !atWork {
			u.givenUp = append(u.givenUp, key)
			u.givenUp = u.givenUp[max(0, len(u.givenUp)-settledMost):]
		}
		u.mu.Unlock()
		if !atWork {
			return nil
		}
		select {
		case <-done:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// begin is told that a message is about to be taken; one without a key nobody asks about.
func (u *unanswered) begin(key string) (end func(), err error) {
	if key == "" {
		return func() {}, nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if _, atWork := u.atWork[key]; atWork || slices.Contains(u.givenUp, key) {
		return nil, fmt.Errorf("%w: the message %.64q is being sent already, or was given up", session.ErrInput, key)
	}
	if u.atWork == nil {
		u.atWork = map[string]chan struct{}{}
	}
	done := make(chan struct{})
	u.atWork[key] = done
	return func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		delete(u.atWork, key)
		close(done)
	}, nil
}
