package backend

import (
	"cmp"
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"

	"palimpsest/backend/library"
	"palimpsest/backend/notify"
)

// How changes of other agents' sessions are found. The system tells of those in the folders that hold the sessions that changed last, as
// many as may be watched. It does not on network drives, nor beyond its limits: so those looked at last are looked at again every
// viewPoll, and all of them are searched for again, ever more seldom, down to every five minutes, unless the system does not watch all
// that it should; where that takes long, for no more than a five-thousandth of the time, but every ten minutes.
const (
	abroadPoll     = 30 * time.Second
	abroadPollMost = 5 * time.Minute
	abroadTimes    = 5000
	abroadLongest  = 10 * time.Minute
)

// nextSearch is how long it is until the search after the next: every was it until the next, and the last one took so long. Blind is who
// is not told of all changes.
func nextSearch(every, took time.Duration, blind bool) time.Duration {
	next := min(2*every, abroadPollMost)
	if blind {
		next = abroadPoll
	}
	return max(next, min(abroadTimes*took, abroadLongest))
}

// outside watches the files of other agents. All of it belongs to the one goroutine that runs it.
type outside struct {
	b      *Backend
	notify *notify.Watcher
	most   int
	// watched are the folders that the system tells of, as they were then, and files the sessions by their files.
	watched map[string]fs.FileInfo
	files   map[string][]string
	// roots are where agents keep their sessions, above the folders that are only watched for one of these to come.
	roots, above map[string]bool
	// blind tells that not all is watched that should be.
	blind bool
	// dirty are sessions that may have changed, all that anything may have.
	dirty map[string]bool
	all   bool
	// stamps are those of the sessions looked at last.
	stamps map[string]string
	// listed is the number of the listing that files are of.
	listed int
}

// watchAbroad starts watching, and wait returns when that has ended, after ctx. Without an index or other agents there is nothing to do.
func (b *Backend) watchAbroad(ctx context.Context) (wait func()) {
	if b.library == nil || b.indexing.dir == "" || !b.resident {
		return func() {}
	}
	system, err := notify.New()
	if err != nil {
		system = nil // out of watchers: polling has to do
	}
	a := &outside{
		b: b, notify: system, most: watchMost(), watched: map[string]fs.FileInfo{}, files: map[string][]string{}, dirty: map[string]bool{},
		stamps: map[string]string{},
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		views := time.NewTicker(viewPoll)
		defer views.Stop()
		a.run(ctx, views.C)
	}()
	return func() { <-done }
}

// run works until the end; views is when those looked at last are to be looked at again.
func (a *outside) run(ctx context.Context, views <-chan time.Time) {
	var events <-chan fsnotify.Event
	var lost <-chan struct{}
	if a.notify != nil {
		defer a.notify.Close()
		events, lost = a.notify.Events, a.notify.Lost
	}
	every := abroadPoll
	poll := time.NewTimer(every)
	defer poll.Stop()
	a.arrange() //nolint:contextcheck,nolintlint // it stays open, whoever asked first
	var settled <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case event, open := <-events:
			if !open {
				events = nil
			} else {
				a.note(event)
			}
		case <-lost:
			a.all = true
		case <-settled:
			settled = nil
			a.settle()
		case <-a.b.indexing.relisted:
			a.arrange() //nolint:contextcheck,nolintlint // it stays open, whoever asked first
		case <-views:
			a.arrange() //nolint:contextcheck,nolintlint // it stays open, whoever asked first
			a.look(a.b.readings.recent())
			a.all = a.all || a.replaced()
		case <-poll.C:
			every = nextSearch(every, a.b.library.Took(), a.blind)
			a.b.wantScan()
			poll.Reset(every)
		}
		if settled == nil && (a.all || len(a.dirty) > 0) {
			settled = time.After(debounce)
		}
	}
}

// note remembers what a sign from the system is a sign of.
func (a *outside) note(event fsnotify.Event) {
	ids := a.files[event.Name]
	// What was found of a session that can't be read does not tell whether it can be now.
	troubled := slices.ContainsFunc(ids, a.b.indexing.stock.troubled)
	if event.Op == fsnotify.Chmod && !troubled {
		return
	}
	for _, id := range ids {
		a.dirty[id] = true
	}
	gone := event.Has(fsnotify.Remove) || event.Has(fsnotify.Rename)
	if gone {
		a.lose(event.Name)
	}
	if len(ids) == 0 && a.above[filepath.Dir(event.Name)] && !leads(event.Name, a.roots) {
		return // of no agent
	}
	if len(ids) == 0 || gone || troubled || event.Has(fsnotify.Create) {
		a.all = true
	}
}

// settle tells of sessions that changed, at once, and has everything searched if need be.
func (a *outside) settle() {
	ids := make([]string, 0, len(a.dirty))
	for id := range a.dirty {
		ids = append(ids, id)
	}
	clear(a.dirty)
	slices.Sort(ids)
	for _, id := range ids {
		a.b.news.publish(EventChanged, id)
	}
	a.b.hintScan(ids...)
	if a.all {
		a.all = false
		a.b.wantScan()
	}
}

// look compares sessions with what they were like when they were looked at before, or listed.
func (a *outside) look(refs []library.Ref) {
	for _, ref := range refs {
		id := ref.String()
		item, ok := a.b.indexing.stock.look(id)
		if !ok {
			continue
		}
		was := cmp.Or(a.stamps[id], a.b.indexing.stock.listedAs(id))
		if was != "" && was != item.Stamp {
			a.dirty[id] = true
		}
		a.stamps[id] = item.Stamp
	}
}
