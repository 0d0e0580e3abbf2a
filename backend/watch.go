package backend

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"

	"palimpsest/backend/notify"
)

// How changes are found. The system tells of most of them at once. It does not on network drives, nor beyond its limits,
// nor always in full: so the sessions that were looked at last are looked at again every viewPoll, and all of them every
// listPoll, but ever more seldom as long as nothing happens: a program that nobody uses does nothing. That sessions came or
// went is seen in the folder of all of them, which is looked at every listPoll all the same. Looking means comparing size, time
// and identity of the two files of a session: no file is read.
const (
	// debounce is how long after its first sign a change is looked at: a batch is many writes. Later signs don't put it
	// off, so a session that never rests is news all the same.
	debounce = 100 * time.Millisecond
	viewPoll = 2 * time.Second
	listPoll = 10 * time.Second
	// listTurns is how many times that it is at most until all sessions are looked at: five minutes.
	listTurns = 30
)

// watcher finds out which sessions are created, changed and removed, by this process or any other. All of it belongs to
// the one goroutine that runs it.
type watcher struct {
	// dir holds the sessions. It need not exist, and may go and come back.
	dir string
	// ids lists the sessions there, viewed those looked at last, and others has a sign when these are others.
	ids     func() ([]string, error)
	viewed  func() []string
	others  signs
	publish func(EventKind, string)

	viewPoll, listPoll time.Duration
	// left is how many listPolls it is until all sessions are looked at again, and turns how many it was the last time. busy tells that
	// something has happened since; seen is the folder as it was then.
	left, turns int
	busy        bool
	seen        fs.FileInfo
	// beyond are the sessions that changed last of those that the system does not tell of.
	beyond []string

	watches watches
	known   map[string]imprint
	dirty   map[string]bool // sessions to look at when the signs have settled
	all     bool            // every session is to be looked at then
}

// watchSessions starts a watcher. It returns when the present state is known, and wait when it has ended, after ctx.
func (b *Backend) watchSessions(ctx context.Context) (wait func()) {
	system, err := notify.New()
	b.watched(watchOurs, err)
	if err != nil {
		system = nil // out of watchers: polling has to do
	}
	w := b.newWatcher(system)
	w.begin(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.run(ctx)
	}()
	return func() { <-done }
}

func (b *Backend) newWatcher(system *notify.Watcher) *watcher {
	home := b.home
	if absolute, err := filepath.Abs(home); err == nil {
		home = absolute
	}
	dir := filepath.Join(home, "sessions")
	return &watcher{
		dir: dir, ids: b.store.IDs, viewed: func() []string { return b.views.idsIn(b.store) }, others: b.views.others, publish: b.tellOwn,
		viewPoll: viewPoll, listPoll: listPoll,
		watches: watches{notify: system, dir: dir, most: watchMost(), went: func(err error) { b.watched(watchOurs, err) }},
		known:   map[string]imprint{}, dirty: map[string]bool{},
	}
}

// tellOwn is news of a session of ours, and a reason to look what is new in it.
func (b *Backend) tellOwn(kind EventKind, id string) {
	b.news.publish(kind, id)
	if kind == EventChanged {
		b.hintScan(id)
		return
	}
	b.wantScan()
}

// begin takes in the present state, which is no news.
func (w *watcher) begin(ctx context.Context) {
	publish := w.publish
	w.publish = func(EventKind, string) {}
	w.scan(ctx)
	w.publish, w.busy = publish, false
}

func (w *watcher) run(ctx context.Context) {
	var events <-chan fsnotify.Event
	var lost <-chan struct{}
	if system := w.watches.notify; system != nil {
		defer system.Close()
		events, lost = system.Events, system.Lost
	}
	views, list := newPace(w.viewPoll), newPace(w.listPoll)
	defer views.Stop()
	defer list.Stop()
	var settled <-chan time.Time
	for {
		views.set(w.viewsEvery())
		list.set(w.listEvery())
		select {
		case <-ctx.Done():
			return
		case event, open := <-events:
			if !open {
				events = nil
				w.watches.end()
			} else {
				w.note(event)
			}
		case <-lost:
			w.all = true // an overflow: something happened, what is not known
		case <-settled:
			settled = nil
			w.settle(ctx)
		case <-views.C:
			views.again()
			w.look(ctx, w.viewed())
		case <-w.others: // which may not be watched
		case <-list.C:
			list.again()
			w.turn(ctx, int(list.every/w.listPoll))
		}
		if settled == nil && (w.all || len(w.dirty) > 0) {
			settled = time.After(debounce)
		}
	}
}

// note remembers what a sign from the system is a sign of. Temporary directories and files and the lock are no news.
func (w *watcher) note(event fsnotify.Event) {
	if event.Op == fsnotify.Chmod {
		return
	}
	parent, name := filepath.Split(event.Name)
	parent = filepath.Clean(parent)
	switch {
	case parent == w.dir && isID(name):
		if event.Has(fsnotify.Create) || event.Has(fsnotify.Remove) || event.Has(fsnotify.Rename) {
			w.watches.lose(name) // the directory of that name may be another one now
		}
		w.dirty[name] = true
	case filepath.Dir(parent) == w.dir && isID(filepath.Base(parent)) && (name == logName || name == metadataName):
		w.dirty[filepath.Base(parent)] = true
	case isWithin(w.dir, event.Name):
		w.all = true
	}
}

func (w *watcher) settle(ctx context.Context) {
	if w.all {
		w.scan(ctx)
		return
	}
	ids := make([]string, 0, len(w.dirty))
	for id := range w.dirty {
		ids = append(ids, id)
	}
	clear(w.dirty)
	slices.Sort(ids)
	w.look(ctx, ids)
}

// viewsEvery is how often the sessions looked at last are looked at again.
func (w *watcher) viewsEvery() time.Duration {
	if ids := w.viewed(); len(ids) == 0 || w.watches.tell(ids) {
		return max(w.viewPoll, restPoll)
	}
	return w.viewPoll
}

// listEvery is how often it is turn. As long as nothing happens that is when all sessions are looked at again.
func (w *watcher) listEvery() time.Duration {
	if w.busy || len(w.beyond) > 0 || !w.watches.tell(nil) {
		return w.listPoll
	}
	return w.listPoll * min(time.Duration(max(w.left, 1)), max(1, restPoll/w.listPoll))
}

// turn looks at all sessions if it is time for that, or if there is reason to, once so many listPolls have passed; else at those that are most
// likely to change unseen.
func (w *watcher) turn(ctx context.Context, passed int) {
	w.left -= passed
	if now, _ := stat(w.dir); w.left > 0 && !w.busy && sameState(now, w.seen) { // one that can't be looked at now is otherwise, or was so before
		w.look(ctx, w.beyond)
		return
	}
	w.scan(ctx)
	w.turns = min(2*w.turns, listTurns)
	if w.busy || w.turns == 0 {
		w.turns = 1
	}
	w.left, w.busy = w.turns, false
}

// scan looks at every session there is, and at those that there were.
func (w *watcher) scan(ctx context.Context) {
	w.all = false
	w.seen, _ = stat(w.dir) // before it is listed: what comes from here on is seen the next time
	clear(w.dirty)
	w.watches.arm()
	ids, err := w.ids()
	if err != nil {
		return // that they can't be listed now does not mean that they are gone
	}
	there := make(map[string]bool, len(ids))
	for _, id := range ids {
		there[id] = true
	}
	for id := range w.known {
		if !there[id] {
			ids = append(ids, id)
		}
	}
	w.look(ctx, ids)
	w.beyond = w.watches.beyond(w.known)
}

// look compares sessions with what is known of them, tells what is new, and watches those worth watching. One that was
// not watched until now may have changed just before, so it is looked at again.
func (w *watcher) look(ctx context.Context, ids []string) {
	w.compare(ctx, ids)
	w.compare(ctx, w.watches.arrange(w.known))
}

func (w *watcher) compare(ctx context.Context, ids []string) {
	for _, id := range ids {
		if ctx.Err() != nil {
			return
		}
		now, there, err := imprintOf(filepath.Join(w.dir, id))
		if err != nil {
			continue // as above
		}
		before, known := w.known[id]
		switch {
		case there && !known:
			w.known[id], w.watches.stale, w.busy = now, true, true
			w.publish(EventCreated, id)
		case there && !now.same(before):
			w.known[id], w.busy = now, true
			w.publish(EventChanged, id)
		case !there && known:
			delete(w.known, id)
			w.watches.stale, w.busy = true, true
			w.publish(EventRemoved, id)
		}
	}
}
