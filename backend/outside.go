package backend

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"

	"palimpsest/backend/library"
	"palimpsest/backend/notify"
	"palimpsest/backend/sources"
)

// How changes of other agents' sessions are found. The system tells of those in the folders that hold the sessions that changed last, as
// many as may be watched. It does not on network drives, nor beyond its limits: so those looked at last are looked at again every
// viewPoll, and all of them are searched for again, ever more seldom, down to every five minutes; where that takes long, for no more
// than a five-thousandth of the time, but every ten minutes.
const (
	abroadPoll     = 30 * time.Second
	abroadPollMost = 5 * time.Minute
	abroadTimes    = 5000
	abroadLongest  = 10 * time.Minute
)

// nextSearch is how long it is until the search after the next: every was it until the next, and the last one took so long.
func nextSearch(every, took time.Duration) time.Duration {
	return max(min(2*every, abroadPollMost), min(abroadTimes*took, abroadLongest))
}

// outside watches the files of other agents. All of it belongs to the one goroutine that runs it.
type outside struct {
	b      *Backend
	notify *notify.Watcher
	most   int
	// watched are the folders that the system tells of, files the sessions by their files.
	watched map[string]bool
	files   map[string][]string
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
		b: b, notify: system, most: watchMost(), watched: map[string]bool{}, files: map[string][]string{}, dirty: map[string]bool{},
		stamps: map[string]string{},
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.run(ctx)
	}()
	return func() { <-done }
}

func (a *outside) run(ctx context.Context) {
	var events <-chan fsnotify.Event
	var lost <-chan struct{}
	if a.notify != nil {
		defer a.notify.Close()
		events, lost = a.notify.Events, a.notify.Lost
	}
	views := time.NewTicker(viewPoll)
	defer views.Stop()
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
		case <-views.C:
			a.arrange() //nolint:contextcheck,nolintlint // it stays open, whoever asked first
			a.look(a.b.readings.recent())
		case <-poll.C:
			every = nextSearch(every, a.b.library.Took())
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
	if event.Op == fsnotify.Chmod {
		return
	}
	ids := a.files[event.Name]
	for _, id := range ids {
		a.dirty[id] = true
	}
	if len(ids) == 0 || event.Has(fsnotify.Create) || event.Has(fsnotify.Remove) || event.Has(fsnotify.Rename) {
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

// look compares sessions with what they were like when they were looked at before.
func (a *outside) look(refs []library.Ref) {
	for _, ref := range refs {
		id := ref.String()
		item, ok := a.b.indexing.stock.look(id)
		if !ok {
			continue
		}
		if was := a.stamps[id]; was != "" && was != item.Stamp {
			a.dirty[id] = true
		}
		a.stamps[id] = item.Stamp
	}
}

// arrange watches the folders of the sessions that changed last, and those above them up to where the agent keeps all of them, once
// there is a new listing.
func (a *outside) arrange() {
	if _, err := a.b.openIndex(); err != nil {
		return
	}
	found, listed := a.b.indexing.stock.listing(a.listed)
	if listed == a.listed {
		return
	}
	a.listed = listed
	slices.SortFunc(found, func(x, y sources.Found) int { return lastOf(&y).Compare(lastOf(&x)) })
	clear(a.files)
	roots := map[string]bool{}
	for _, root := range a.b.library.Roots() {
		roots[filepath.Clean(root)] = true
	}
	wanted := make([]string, 0, a.most)
	seen := map[string]bool{}
	want := func(dir string) {
		if !seen[dir] && len(wanted) < a.most {
			seen[dir] = true
			wanted = append(wanted, dir)
		}
	}
	for root := range roots {
		want(root)
	}
	for i := range found {
		f := &found[i]
		for _, path := range f.Files {
			if !f.InTables() { // of a database it is not known whose change it is
				a.files[path] = append(a.files[path], library.Ref{Agent: f.Agent, ID: f.ID}.String())
			}
			for dir := filepath.Dir(path); !seen[dir]; dir = filepath.Dir(dir) {
				want(dir)
				if roots[dir] || filepath.Dir(dir) == dir || !within(roots, dir) {
					break
				}
			}
		}
	}
	if a.watch(wanted) {
		a.all = true // what changed in them between the listing and now, nobody has told
	}
}

func within(roots map[string]bool, dir string) bool {
	for root := range roots {
		if isWithin(dir, root) {
			return true
		}
	}
	return false
}

// watch watches these folders and no others, and tells whether it did not watch some of them before.
func (a *outside) watch(wanted []string) (more bool) {
	if a.notify == nil {
		return false
	}
	keep := map[string]bool{}
	for _, dir := range wanted {
		keep[dir] = true
	}
	for dir := range a.watched {
		if !keep[dir] {
			delete(a.watched, dir)
			_ = a.notify.Remove(dir) // fails only for what is gone already
		}
	}
	for _, dir := range wanted {
		if a.watched[dir] {
			continue
		}
		if _, err := os.Stat(dir); err == nil && a.notify.Add(dir) == nil {
			a.watched[dir], more = true, true
		}
	}
	a.b.indexing.stock.watching.Store(int64(len(a.watched)))
	return more
}
