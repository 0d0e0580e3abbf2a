package backend

import (
	"context"
	"slices"
	"sync"

	"palimpsest/backend/agent"
	"palimpsest/backend/config"
	"palimpsest/backend/session"
)

// EventKind says what an [Event] is news of.
type EventKind string

// The kinds of news.
const (
	// EventChanged is news of a session's log or metadata.
	EventChanged EventKind = "changed"
	// EventCreated is a session that was not there before: made, or back from the trash.
	EventCreated EventKind = "created"
	// EventRemoved is a session that is not there any more: trashed or gone.
	EventRemoved EventKind = "removed"
	// EventConfig is news of the settings.
	EventConfig EventKind = "config"
	// EventDesk is news of what lies on the desk.
	EventDesk EventKind = "desk"
	// EventReading is news of how far the reading of a session of another agent is that is made in the background.
	EventReading EventKind = "reading"
	// EventIndex is news of the scan that keeps the index in step.
	EventIndex EventKind = "index"
)

// Event is news of a change, by this process or any other, or of a turn or draft of this process. The first says what to
// ask for again and carries nothing of it, and N counts all of them; the second has a TurnID, and N counts the events of
// that turn.
type Event struct {
	SessionID *string   `json:"sessionId"`
	TurnID    *string   `json:"turnId"`
	N         int64     `json:"n"`
	Kind      EventKind `json:"kind"`
	Data      any       `json:"data"`
}

// eventBuffer is how much news a subscriber may leave unread.
const eventBuffer = 256

// news hands events on to subscribers, and keeps a watcher at work as long as there are any.
//
// There is one count for all news: an event has the same N for every subscriber, each next one is one more, and who finds a
// gap has missed something. A subscriber that leaves eventBuffer events unread is dropped, by closing its channel, so
// that it can't miss the end of a burst without noticing.
type news struct {
	// life is held while the watcher is started or stopped; mu is not, since the watcher publishes until it has stopped.
	life sync.Mutex
	stop func() // nil while there is no watcher

	mu          sync.Mutex
	closed      bool
	n           int64
	subscribers map[chan Event]struct{}
}

// Subscribe returns the news from now on. What changes after it has returned is not missed; reading the state of every
// session for that takes a moment on a slow drive. The channel is closed when cancel is called, when the subscriber was
// too slow, and by [Backend.Close]. Cancel may be called more than once, from anywhere.
func (b *Backend) Subscribe() (events <-chan Event, cancel func()) {
	n := &b.news
	n.life.Lock()
	defer n.life.Unlock()
	channel := make(chan Event, eventBuffer)
	if !n.add(channel) {
		close(channel)
		return channel, func() {}
	}
	if n.stop == nil {
		n.stop = b.watch()
	}
	return channel, func() { n.cancel(channel) }
}

// Close stops turns and drafts at a record's end, then ends all news, closes every subscription, and waits for whatever
// was at work.
func (b *Backend) Close() {
	b.drafts.close()
	b.agent.Close()
	b.closeList()
	b.views.close()
	b.closeIndex()
	b.closeLibrary()
	n := &b.news
	n.mu.Lock()
	n.closed = true
	for channel := range n.subscribers {
		n.drop(channel)
	}
	n.mu.Unlock()
	n.rest()
}

func (n *news) add(channel chan Event) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return false
	}
	if n.subscribers == nil {
		n.subscribers = map[chan Event]struct{}{}
	}
	n.subscribers[channel] = struct{}{}
	return true
}

func (n *news) cancel(channel chan Event) {
	n.mu.Lock()
	n.drop(channel)
	n.mu.Unlock()
	n.rest()
}

// drop ends a subscription, once. The caller holds mu.
func (n *news) drop(channel chan Event) {
	if _, there := n.subscribers[channel]; there {
		delete(n.subscribers, channel)
		close(channel)
	}
}

// rest stops the watcher if nobody is left to tell.
func (n *news) rest() {
	n.life.Lock()
	defer n.life.Unlock()
	n.mu.Lock()
	idle := len(n.subscribers) == 0
	n.mu.Unlock()
	if idle && n.stop != nil {
		n.stop()
		n.stop = nil
	}
}

// count is how many news there were.
func (n *news) count() int64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.n
}

func (n *news) publish(kind EventKind, id string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.n++
	n.hand(Event{SessionID: known(id), N: n.n, Kind: kind, Data: struct{}{}})
}

// miss has all who listen see a gap.
func (n *news) miss() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.n++
}

// desk tells of a piece on the desk.
func (n *news) desk(key, by string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.n++
	n.hand(Event{N: n.n, Kind: EventDesk, Data: deskNews{key, by}})
}

// reading tells how far a reading is.
func (n *news) reading(id string, far Part) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.n++
	n.hand(Event{SessionID: known(id), N: n.n, Kind: EventReading, Data: far})
}

// turn hands on an event of a turn or of a draft.
func (n *news) turn(e agent.Event) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.hand(Event{SessionID: &e.SessionID, TurnID: &e.TurnID, N: e.N, Kind: EventKind(e.Kind), Data: e.Data})
}

// hand gives an event to everyone. The caller holds mu.
func (n *news) hand(event Event) {
	for channel := range n.subscribers {
		select {
		case channel <- event:
		default:
			n.drop(channel)
		}
	}
}

// watch starts what finds out about changes; stop waits until it has ended.
//
//nolint:contextcheck,nolintlint // its callers need not pass a context: it works for all subscribers, and no longer than there are any
func (b *Backend) watch() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	waitForConfig := config.Watch(ctx, b.home, b.apply)
	b.apply(config.Load(b.home)) // after the watch: what changes from here on is noticed
	waitForSessions := b.watchSessions(ctx)
	waitForDesk := b.watchDesk(ctx)
	waitForTheirs := b.watchAbroad(ctx)
	return func() {
		cancel()
		waitForSessions()
		waitForDesk()
		waitForTheirs()
		waitForConfig()
	}
}

// apply puts settings in force and tells of it if they are others.
func (b *Backend) apply(settings config.Config, problems []config.Problem) {
	if b.replaceSettings(settings, problems) {
		b.news.publish(EventConfig, "")
	}
}

func (b *Backend) replaceSettings(settings config.Config, problems []config.Problem) (changed bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if settings == b.config && slices.Equal(problems, b.problems) {
		return false
	}
	b.config, b.problems = settings, problems
	b.store.SetDurability(session.Durability(settings.Durability))
	return true
}
