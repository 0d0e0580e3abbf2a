package backend

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"palimpsest/backend/notify"
)

// unwatched is what the system does not tell of that it should, as it watches no more: by who found that out, what to do.
type unwatched struct {
	mu  sync.Mutex
	why map[string]string
}

// Who finds out that the system watches no more.
const (
	watchOurs   = "ours"
	watchTheirs = "theirs"
	watchOnDesk = "desk"
)

// watched notes how it went to watch folders, and tells who shows it if that is another thing than before.
func (b *Backend) watched(who string, err error) {
	why := notify.Limit(err)
	b.unwatched.mu.Lock()
	before := b.unwatched.why[who]
	if b.unwatched.why == nil {
		b.unwatched.why = map[string]string{}
	}
	if b.unwatched.why[who] = why; why == "" {
		delete(b.unwatched.why, who)
	}
	b.unwatched.mu.Unlock()
	if before != why {
		b.news.publish(EventIndex, "")
	}
}

// whyUnwatched says that the system watches no more folders for this program or, in one that watches none itself, for any, and what to do;
// empty as long as it does.
func (b *Backend) whyUnwatched() string {
	if !b.resident {
		return notify.Limit(tryWatch(b.home))
	}
	b.unwatched.mu.Lock()
	defer b.unwatched.mu.Unlock()
	return strings.Join(slices.Compact(slices.Sorted(maps.Values(b.unwatched.why))), "; ")
}

// tryWatch is how it goes to watch a folder.
func tryWatch(dir string) error {
	w, err := notify.New()
	if err != nil {
		return err
	}
	defer w.Close()
	return w.Add(dir)
}
