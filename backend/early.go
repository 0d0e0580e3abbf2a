package backend

import (
	"context"
	"sync"
	"time"
)

// earlyFor is how long a list that was begun waits for somebody: a page is there within seconds, or nobody wants one.
const earlyFor = 15 * time.Second

// earlyOptions are those of the list that a page asks for first.
var earlyOptions = ListOptions{Archived: true, Quick: true, Begun: true}

// early is the list that a page asks for first, read while the page is on its way. It is handed out once, and only as long as there was no
// news since it was begun: what changes later is news to who listened before they asked.
type early struct {
	mu     sync.Mutex
	closed bool
	list   *earlyList // nil once it was taken or nobody came for it
}

type earlyList struct {
	stop  context.CancelFunc
	leave *time.Timer
	done  chan struct{}
	// What follows is set when done is closed.
	rows []Session
	err  error
	news <-chan Event
	deaf func()
}

// BeginList reads the list that a page asks for first, for [ListOptions.Begun], and returns at once. [Backend.Close] ends it.
func (b *Backend) BeginList() {
	b.early.mu.Lock()
	defer b.early.mu.Unlock()
	if b.early.closed || b.early.list != nil {
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	list := &earlyList{stop: stop, done: make(chan struct{})}
	list.leave = time.AfterFunc(earlyFor, func() { b.early.drop(list) })
	b.early.list = list
	go func() {
		defer close(list.done)
		list.news, list.deaf = b.Subscribe() // before anything is read
		list.rows, list.err = b.listed(ctx, earlyOptions)
	}()
}

// take returns the list that was begun, if there is one and it is still what a list would say.
func (e *early) take(ctx context.Context) ([]Session, bool) {
	e.mu.Lock()
	list := e.list
	e.list = nil
	e.mu.Unlock()
	if list == nil {
		return nil, false
	}
	select {
	case <-list.done:
	case <-ctx.Done(): // whoever asks next has it read anew
	}
	list.end()
	return list.rows, list.err == nil && ctx.Err() == nil && len(list.news) == 0 // which is not heard of any more
}

// drop ends a list that nobody came for.
func (e *early) drop(list *earlyList) {
	e.mu.Lock()
	defer e.mu.Unlock() // until it has ended: who closes waits for that
	if e.list == list {
		e.list = nil
		list.end()
	}
}

// close ends what is under way, and nothing is begun any more.
func (e *early) close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	if e.list != nil {
		e.list.end()
		e.list = nil
	}
}

// end waits until nothing is at work for it.
func (l *earlyList) end() {
	l.leave.Stop()
	l.stop()
	<-l.done
	l.deaf()
}
