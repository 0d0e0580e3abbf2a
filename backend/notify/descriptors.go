package notify

import (
	"os"
	"sync"
)

// descriptors bounds how many files are open for watches, where each folder that is watched takes one, and each entry in it another, as
// kqueue's do. What comes to a folder later is counted when that is added again: until then what is left of the limit has to do.
type descriptors struct {
	most int

	mu   sync.Mutex
	used int
	of   map[watched]int
}

// watched is a folder as one watcher has it.
type watched struct {
	by  *Watcher
	dir string
}

// take says whether a folder may be watched, and counts it then. One that has grown beyond what may be stays counted as it was.
func (d *descriptors) take(w watched) bool {
	entries, _ := os.ReadDir(w.dir) // what can't be read can't be watched either
	n := 1 + len(entries)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.used+n-d.of[w] > d.most {
		return false
	}
	if d.of == nil {
		d.of = map[watched]int{}
	}
	d.used += n - d.of[w]
	d.of[w] = n
	return true
}

func (d *descriptors) give(w watched) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.used -= d.of[w]
	delete(d.of, w)
}

// giveAll gives what a watcher has.
func (d *descriptors) giveAll(by *Watcher) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for w, n := range d.of {
		if w.by == by {
			d.used -= n
			delete(d.of, w)
		}
	}
}
