package backend

import (
	"context"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"

	"palimpsest/backend/notify"
)

// deskPoll is how often the desk is looked at for what other processes laid there, where the system does not tell; deskPollMost is how
// often after a while in which nobody did.
const (
	deskPoll     = time.Second
	deskPollMost = 15 * time.Second
)

// deskWatch hears of what is laid on the desk, which is made with the first piece.
type deskWatch struct {
	notify *notify.Watcher // nil if there is none
	dir    string
	above  string      // the folder that it stands in, or the nearest one above that
	look   func() bool // tells whether there was something new
}

// watchDesk tells of what other processes lay on the desk. It returns when the present state is known.
func (b *Backend) watchDesk(ctx context.Context) (wait func()) {
	look := func() bool {
		// That the desk can't be looked at now is no news.
		changed, _ := b.desk.Changes()
		for _, key := range changed {
			b.news.desk(key, "")
		}
		return len(changed) > 0
	}
	system, err := notify.New()
	b.watched(watchOnDesk, err)
	if err != nil {
		system = nil // out of watchers: polling has to do
	}
	w := &deskWatch{notify: system, dir: filepath.Join(b.home, "desk"), look: look}
	every := w.arm()
	look() // after the watch: what changes from here on is noticed
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.warnOf(b.desk.SweepImages(b.now()))
		w.run(ctx, every)
	}()
	return func() { <-done }
}

// arm watches the desk, and the folder that it stands in or would appear in, and says how often it is to be looked at all the same.
func (w *deskWatch) arm() (every time.Duration) {
	if w.notify == nil {
		return deskPoll
	}
	above := w.notify.AddNearest(filepath.Dir(w.dir))
	if w.above != "" && w.above != above {
		_ = w.notify.Remove(w.above) // fails only for what is gone
	}
	if w.above = above; !notify.Tells(above) {
		return deskPoll
	}
	if w.notify.Add(w.dir) != nil {
		if now, err := stat(w.dir); now != nil || err != nil {
			return deskPoll
		}
		return restPoll // that it comes is told
	}
	if !notify.Tells(w.dir) {
		return deskPoll
	}
	return restPoll
}

// next looks, and says when to look the next time: ever more seldom where nobody tells and nothing comes.
func (w *deskWatch) next(before time.Duration) time.Duration {
	every := w.arm()
	if changed := w.look(); every == restPoll || changed || before > deskPollMost {
		return every
	}
	return min(2*before, deskPollMost)
}

func (w *deskWatch) run(ctx context.Context, every time.Duration) {
	var events <-chan fsnotify.Event
	var lost <-chan struct{}
	if w.notify != nil {
		defer w.notify.Close()
		events, lost = w.notify.Events, w.notify.Lost
	}
	ticks := newPace(every)
	defer ticks.Stop()
	var settled <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case event, open := <-events:
			if !open { // the system gave up on this program
				events, w.notify = nil, nil
			}
			if open && !isWithin(event.Name, w.dir) && !isWithin(w.dir, event.Name) {
				continue
			}
			if open && event.Name == w.dir {
				_ = w.notify.Remove(w.dir) // it may be another folder now; fails only for what is gone
			}
		case <-lost:
		case <-ticks.C:
			ticks.next(w.next(ticks.every))
			continue
		case <-settled:
			settled = nil
			ticks.next(w.next(ticks.every))
			continue
		}
		if settled == nil {
			settled = time.After(debounce)
		}
	}
}
