package notify

import "path/filepath"

// AddNearest watches a folder or, while it isn't there, the nearest one above it that is, and returns which. On the way back down it tries each
// again, for it may have been made in the meantime.
func (w *Watcher) AddNearest(dir string) (nearest string) {
	parent := filepath.Dir(dir)
	if w.Add(dir) == nil || parent == dir {
		return dir
	}
	nearest = w.AddNearest(parent)
	if w.Add(dir) == nil {
		_ = w.Remove(nearest) // fails only for one that is gone
		return dir
	}
	return nearest
}
