// Package notify hears from the system that files change: fsnotify, with one mistake kept from doing harm. Its watchers hold their
// lock while they hand a failure on, and whoever adds and removes watches needs that lock: one goroutine that does both would wait
// for itself. So failures are taken in by a goroutine of this package, and come as signs.
package notify

import (
	"fmt"

	"github.com/fsnotify/fsnotify"
)

// Watcher is fsnotify's, but for its Errors, which are not to be read.
type Watcher struct {
	*fsnotify.Watcher
	// Lost has a sign when something happened of which it is not known what: signs can be lost when there are too many.
	Lost <-chan struct{}

	ended chan struct{}
	// most is how many folders are watched at most, if limited.
	most    int
	limited bool
	// open bounds the files that are open for it; nil if there are none.
	open *descriptors
}

// New returns a watcher that watches nothing yet. The error is that the system has no more of them.
func New() (*Watcher, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watching files: %w", err)
	}
	lost := make(chan struct{}, 1)
	out := &Watcher{Watcher: w, Lost: lost, ended: make(chan struct{}), open: open}
	go func() {
		defer close(out.ended)
		for range w.Errors {
			select {
			case lost <- struct{}{}:
			default: // one sign is enough
			}
		}
	}()
	return out, nil
}

// Close ends the watcher and what belongs to it. Events is closed then.
func (w *Watcher) Close() {
	_ = w.Watcher.Close() // nothing is lost with it
	<-w.ended
	if w.open != nil {
		w.open.giveAll(w)
	}
}

// Remove watches a folder no more.
func (w *Watcher) Remove(dir string) error {
	if w.open != nil {
		w.open.give(watched{w, dir})
	}
	return w.Watcher.Remove(dir) //nolint:wrapcheck // stands for the watcher it wraps
}
