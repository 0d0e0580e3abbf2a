package backend

import (
	"sync"

	"palimpsest/backend/notify"
)

// indexWatch hears from the system that other programs write to the index, or let go of the lock of who keeps it in step. It is told by the
// files that they do that with, so of whatever program of ours, and not of what is only read.
type indexWatch struct {
	dirs   []string
	notify *notify.Watcher // nil if there is none: then nothing is told
	signs  signs
	ended  sync.WaitGroup
}

func newIndexWatch(dirs ...string) *indexWatch {
	w := &indexWatch{dirs: dirs, signs: newSigns()}
	system, err := notify.New()
	if err != nil {
		return w
	}
	w.notify = system
	w.ended.Go(func() {
		for {
			select {
			case _, open := <-system.Events:
				if !open {
					return
				}
			case <-system.Lost:
			}
			w.signs.give()
		}
	})
	return w
}

// set has the system tell of what happens from now on, or no more; nil if it does not tell of all. A folder that is another one by now is
// watched anew. One of which not all is told is not watched: where the system opens each file in it for that, as macOS does, closing them again
// would give up the locks that this program has on the index.
func (w *indexWatch) set(on bool) <-chan struct{} {
	if w.notify == nil {
		return nil
	}
	told := true
	for _, dir := range w.dirs {
		if on {
			told = told && notify.Tells(dir) && w.notify.Add(dir) == nil
		} else {
			_ = w.notify.Remove(dir) // fails only for what is not watched
		}
	}
	if !told {
		return nil
	}
	return w.signs
}

func (w *indexWatch) close() {
	if w.notify != nil {
		w.notify.Close()
		w.ended.Wait()
	}
}
