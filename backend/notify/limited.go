package notify

import (
	"fmt"
	"syscall"
)

// Limited is a watcher as one of a system that watches no more than so many folders, for tests.
func Limited(most int) (*Watcher, error) {
	w, err := New()
	if err != nil {
		return nil, err
	}
	w.limited, w.most = true, most
	return w, nil
}

// Add watches a folder.
func (w *Watcher) Add(dir string) error {
	if w.limited && len(w.WatchList()) >= w.most {
		return fmt.Errorf("watching %s: %w", dir, syscall.ENOSPC)
	}
	if w.open != nil && !w.open.take(watched{w, dir}) {
		return fmt.Errorf("watching %s: %w", dir, syscall.EMFILE)
	}
	if err := w.Watcher.Add(dir); err != nil {
		if w.open != nil {
			w.open.give(watched{w, dir})
		}
		return fmt.Errorf("watching %s: %w", dir, err)
	}
	return nil
}
