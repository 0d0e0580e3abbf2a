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
// many as may be watched. It does not on network drives, nor beyond its limits: so those looked at last, and some that changed last, are
// looked at again every viewPoll, and all of them are searched for again, ever more seldom as long as nothing happens, down to every five
// minutes, unless the system does not watch all that it should; where that takes long, for no more than a five-thousandth of the time, but
// every ten minutes. Where it tells of all changes, none are looked at again, and all of them are searched for again once soon after something
// happened, and then every hour.
const (
	abroadPoll     = 30 * time.Second
	abroadPollMost = 5 * time.Minute
	abroadPollTold = time.Hour
	abroadTimes    = 5000
	abroadLongest  = 10 * time.Minute
	// namesWait is how long names are waited for that change: an agent may note with every answer that its database of names changed.
	namesWait = 2 * time.Second
)

// sight is how much of what changes the system tells.
type sight int

const (
	poorly sight = iota // less than it should
	fairly              // what it is asked for, and maybe not what is done elsewhere
	fully               // all of it
)

// nextSearch is how long it is until the search after the next: every was it until the next, and the last one took so long.
func nextSearch(every, took time.Duration, seen sight) time.Duration {
	next := 2 * every
	switch seen {
	case poorly:
		next = abroadPoll
	case fairly:
		next = min(next, abroadPollMost)
	case fully:
		next = abroadPollTold
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
	// mixed are the sessions in whose files others stand, which may be what changed there.
	mixed map[string]bool
	// roots are where agents keep their sessions, elsewhere the files outside these that say more of them, above the folders that are only
	// watched for some of both.
	roots, elsewhere, above map[string]bool
	// named tells that one of elsewhere may be another one now.
	named bool
	// blind tells that not all is watched that should be, and told that the system tells of all that changes in what is watched.
	blind, told bool
	// dirty are sessions that may have changed, all that anything may have.
	dirty map[string]bool
	all   bool
	// stamps are those of the sessions looked at last.
	stamps map[string]string
	// listed is the number of the listing that files are of.
	listed int
	// links are the files of sessions that are links, and where they lead, and databases those of which the latter are some; standsFor are
	// the folders that are watched by another name, names all that one has, and deaf those of which the system does not tell all.
	links, standsFor map[string]string
	names            map[string][]string
	deaf, databases  map[string]bool
	near             near
	// changed is when something was seen to have changed.
	changed time.Time
}

// watchAbroad starts watching, and wait returns when that has ended, after ctx. Without an index or other agents there is nothing to do.
func (b *Backend) watchAbroad(ctx context.Context) (wait func()) {
	if b.library == nil || b.indexing.dir == "" || !b.resident {
		return func() {}
	}
	system, err := notify.New()
	b.watched(watchTheirs, err)
	if err != nil {
		system = nil // out of watchers: polling has to do
	}
	a := newOutside(b, system)
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.run(ctx, viewPoll)
	}()
	return func() { <-done }
}

func newOutside(b *Backend, system *notify.Watcher) *outside {
	return &outside{
		b: b, notify: system, most: watchMost(), watched: map[string]fs.FileInfo{}, files: map[string][]string{}, mixed: map[string]bool{}, dirty: map[string]bool{},
		stamps: map[string]string{},
	}
}

// run works until the end; viewPoll is how often those looked at last are to be looked at again where the system does not tell of them.
func (a *outside) run(ctx context.Context, viewPoll time.Duration) {
	var events <-chan fsnotify.Event
	var lost <-chan struct{}
	if a.notify != nil {
		defer a.notify.Close()
		events, lost = a.notify.Events, a.notify.Lost
	}
	every := abroadPoll
	poll, due := time.NewTimer(every), time.Now().Add(every)
	defer poll.Stop()
	views := newPace(viewPoll)
	defer views.Stop()
	a.arrange() //nolint:contextcheck,nolintlint // it stays open, whoever asked first
	rest := newPace(restPoll)
	defer rest.Stop()
	var settled, named <-chan time.Time
	for {
		views.set(a.viewsEvery(viewPoll))
		select {
		case <-ctx.Done():
			return
		case event, open := <-events:
			if !open {
				events, a.blind = nil, true
			} else {
				a.note(event)
			}
		case <-lost:
			a.all = true
		case <-settled:
			settled = nil
			a.settle()
			every = abroadPoll // something happens
			if soon := nextSearch(0, a.b.library.Took(), poorly); time.Until(due) > soon {
				due = time.Now().Add(soon)
				poll.Reset(soon)
			}
		case <-a.b.readings.others: // which may not be watched
		case <-a.b.indexing.relisted:
			a.arrange() //nolint:contextcheck,nolintlint // it stays open, whoever asked first
		case <-views.C:
			views.again()
			a.arrange() //nolint:contextcheck,nolintlint // it stays open, whoever asked first
			a.look(a.b.readings.recent())
			if views.every >= viewPoll {
				a.lookNear()
				a.all = a.all || a.replaced()
			}
		case <-rest.C:
			rest.again()
			a.all = a.all || a.moved()
		case <-named:
			named, a.all = nil, true
		case <-poll.C:
			every = nextSearch(every, a.b.library.Took(), a.sees())
			a.b.wantScan()
			due = time.Now().Add(every)
			poll.Reset(every)
		}
		if named == nil && a.named {
			a.named, named = false, time.After(namesWait)
		}
		if settled == nil && (a.all || len(a.dirty) > 0) {
			settled = time.After(debounce)
		}
	}
}

// sees is how much of what changes the system tells.
func (a *outside) sees() sight {
	switch {
	case a.blind:
		return poorly
	case a.told:
		return fully
	}
	return fairly
}

// note remembers what a sign from the system is a sign of.
func (a *outside) note(event fsnotify.Event) {
	ids := a.sessionsOf(event.Name)
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
	if a.databases[event.Name] {
		a.all = true
		return
	}
	if a.elsewhere[event.Name] && len(ids) == 0 {
		a.named = true
		return
	}
	if len(ids) == 0 && a.above[filepath.Dir(event.Name)] && !leads(event.Name, a.roots) && !leads(event.Name, a.elsewhere) {
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
	a.changed = time.Now()
	slices.Sort(ids)
	for _, id := range ids {
		a.b.news.publish(EventChanged, id)
		a.all = a.all || a.mixed[id]
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
		id := a.b.indexing.stock.holder(ref).String()
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
