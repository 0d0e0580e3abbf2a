// Package reach finds out whether files can be looked for where they were: in a folder of a network that is away, each look may take
// minutes, or for ever. So there is one look for each folder, beside whoever asks, and nobody waits longer than a moment. A look that is
// under way is not made again, and below a folder that does not answer nothing is looked at: one that is away costs one thread of the
// system, however many were in it.
package reach

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

// Reach looks at folders. It may be used by several goroutines.
type Reach struct {
	// Look says why it can't be told whether a file of a folder is there, nil if it can. Without a name only the folder is looked at.
	Look func(folder, name string) error
	// Patience is how long [Reach.Hidden] waits for all that somebody asks at once.
	Patience time.Duration
	// room bounds the looks that are under way: each that gets no answer holds a thread of the system.
	room chan struct{}

	mu    sync.Mutex
	under map[way]*look
}

// way is a folder, and whether it is only passed on the way to another one.
type way struct {
	folder string
	passed bool
}

// look is one at a folder; why is known once done is closed.
type look struct {
	done chan struct{}
	why  error
}

// New returns one that waits half a second.
func New() *Reach {
	const most, patience = 256, 500 * time.Millisecond
	return &Reach{Look: lookFor, Patience: patience, room: make(chan struct{}, most), under: map[way]*look{}}
}

// ErrNoAnswer is why nothing can be told of what is in a folder that stays silent.
var ErrNoAnswer = errors.New("their folder does not answer")

// Hidden says, by folder, why it can't be told whether files are there; nothing where it can.
func (r *Reach) Hidden(ctx context.Context, paths ...string) map[string]error {
	ctx, cancel := context.WithTimeout(ctx, r.Patience)
	defer cancel()
	passed, looks := map[string]*look{}, map[string]*look{}
	for _, path := range paths {
		if folder := filepath.Dir(path); looks[folder] == nil {
			looks[folder] = r.begin(way{folder, false}, filepath.Base(path), r.above(passed, folder))
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

// Silent are those of the folders that do not answer for as long as the context lasts, whatever else may be wrong with them.
func (r *Reach) Silent(ctx context.Context, folders ...string) (silent []string) {
	passed := map[string]*look{}
	looks := make([]*look, len(folders))
	for i, folder := range folders {
		looks[i] = r.begin(way{folder, true}, "", r.above(passed, folder))
	}
	for i, one := range looks {
		if errors.Is(one.wait(ctx), ErrNoAnswer) {
			silent = append(silent, folders[i])
		}
	}
	return silent
}

// above is the look at the folder that a folder is in, nil if it is in none.
func (r *Reach) above(passed map[string]*look, folder string) *look {
	parent := filepath.Dir(folder)
	if parent == folder {
		return nil
	}
	if passed[parent] == nil {
		passed[parent] = r.begin(way{parent, true}, "", r.above(passed, parent))
	}
	return passed[parent]
}

// begin looks at a folder once the one above has answered, whatever it says, and there is room; or takes the look that is under way.
// Whoever asked may have left by then; what waits holds no thread.
func (r *Reach) begin(to way, name string, above *look) *look {
	r.mu.Lock()
	defer r.mu.Unlock()
	if one := r.under[to]; one != nil {
		return one
	}
	one := &look{done: make(chan struct{})}
	r.under[to] = one
	go func() {
		if above != nil {
			<-above.done
		}
		r.room <- struct{}{}
		one.why = r.Look(to.folder, name)
		<-r.room
		r.mu.Lock()
		delete(r.under, to)
		r.mu.Unlock()
		close(one.done)
	}()
	return one
}

func (o *look) wait(ctx context.Context) error {
	select {
	case <-o.done: // as a rule
		return o.why
	default:
	}
	select {
	case <-o.done:
		return o.why
	case <-ctx.Done():
		return ErrNoAnswer
	}
}

// lookFor is the look at a file, or else at whether its folder can be looked through.
func lookFor(folder, name string) error {
	err := error(nil)
	if name != "" {
		_, err = os.Lstat(filepath.Join(folder, name))
	}
	if err == nil {
		var open *os.File
		if open, err = os.Open(folder); err == nil {
			err = open.Close()
		}
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return err
}
