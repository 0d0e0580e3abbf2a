package backend

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// reach finds out whether files can be looked for where they were: in a folder of a network that is away, each look may take minutes, or
// for ever. So there is one look for each folder, beside whoever asks, and nobody waits longer than a moment. A look that is under way is
// not made again.
type reach struct {
	// look says why it can't be told whether a file is there; nil if it can.
	look func(path string) error
	// patience is how long is waited for all that somebody asks at once.
	patience time.Duration
	// room bounds the looks that are under way: each that gets no answer holds a thread of the system.
	room chan struct{}

	mu    sync.Mutex
	under map[string]*reaching
}

// reaching is a look at a folder; why is known once done is closed.
type reaching struct {
	done chan struct{}
	why  error
}

func newReach() *reach {
	const most, patience = 32, 500 * time.Millisecond
	return &reach{look: lookFor, patience: patience, room: make(chan struct{}, most), under: map[string]*reaching{}}
}

var errNoAnswer = errors.New("their folder does not answer")

// hidden says, by folder, why it can't be told whether files are there; nothing where it can.
func (r *reach) hidden(ctx context.Context, paths ...string) map[string]error {
	ctx, cancel := context.WithTimeout(ctx, r.patience)
	defer cancel()
	looks := map[string]*reaching{}
	for _, path := range paths {
		if folder := filepath.Dir(path); looks[folder] == nil {
			looks[folder] = r.begin(ctx, folder, path)
		}
	}
	why := map[string]error{}
	for folder, one := range looks {
		if err := one.wait(ctx); err != nil {
			why[folder] = err
		}
	}
	return why
}

// begin looks at a folder, or takes the look that is under way.
func (r *reach) begin(ctx context.Context, folder, path string) *reaching {
	r.mu.Lock()
	one := r.under[folder]
	r.mu.Unlock()
	if one != nil {
		return one
	}
	one = &reaching{done: make(chan struct{})}
	select {
	case r.room <- struct{}{}:
	case <-ctx.Done():
		return one // which nobody makes
	}
	r.mu.Lock()
	r.under[folder] = one
	r.mu.Unlock()
	go func() {
		one.why = r.look(path)
		r.mu.Lock()
		if r.under[folder] == one {
			delete(r.under, folder)
		}
		r.mu.Unlock()
		close(one.done)
		<-r.room
	}()
	return one
}

func (o *reaching) wait(ctx context.Context) error {
	select {
	case <-o.done: // as a rule
		return o.why
	default:
	}
	select {
	case <-o.done:
		return o.why
	case <-ctx.Done():
		return errNoAnswer
	}
}

// lookFor is the look at a file, or else at whether its folder can be looked through.
func lookFor(path string) error {
	_, err := os.Lstat(path)
	if err == nil {
		var folder *os.File
		if folder, err = os.Open(filepath.Dir(path)); err == nil {
			err = folder.Close()
		}
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return err
}
