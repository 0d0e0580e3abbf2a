package backend

import (
	"crypto/rand"
	"errors"
	"sync"
	"time"
)

// taken is what was taken out of the settings, and how each is put back: under a handle that only who took it out was told,
// once, and in memory alone, since a key may be among it.
type taken struct {
	mu   sync.Mutex
	back map[string]restore
}

type restore func() (asItWas bool, err error)

// takenKeeps is longer than anybody is offered to put something back.
const takenKeeps = 10 * time.Minute

// ErrNotTaken is returned for a handle of nothing that can be put back any more.
var ErrNotTaken = errors.New("this can't be put back any more")

// PutBack undoes what gave out the handle. It tells whether all is as it was before; else somebody changed the settings in
// between, and what was put back may stand elsewhere in the file.
func (b *Backend) PutBack(handle string) (asItWas bool, err error) {
	back := b.taken.take(handle)
	if back == nil {
		return false, ErrNotTaken
	}
	return back()
}

func (t *taken) add(back restore) (handle string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.back == nil {
		t.back = map[string]restore{}
	}
	handle = rand.Text()
	t.back[handle] = back
	time.AfterFunc(takenKeeps, func() { t.take(handle) })
	return handle
}

func (t *taken) take(handle string) restore {
	t.mu.Lock()
	defer t.mu.Unlock()
	back := t.back[handle]
	delete(t.back, handle)
	return back
}
