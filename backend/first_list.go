package backend

import (
	"reflect"
	"sync"

	"palimpsest/backend/library"
	"palimpsest/backend/sources"
)

// firstList are the sessions of other agents in the first list that somebody was given. All are looked for once more in the background then,
// and what came, changed or went in between is news: nothing else may tell of it, such as of the first session of an agent.
type firstList struct {
	mu    sync.Mutex
	found []*sources.Found
	taken bool
}

// note notes the first list.
func (l *firstList) note(found []*sources.Found) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.found == nil && !l.taken {
		l.found = found
	}
}

// take returns what was noted, by id; ok tells that something was. There is no first list any more then.
func (l *firstList) take() (byID map[string]listed, ok bool) {
	l.mu.Lock()
	found := l.found
	l.found, l.taken = nil, true
	l.mu.Unlock()
	byID = make(map[string]listed, len(found))
	for i := range found {
		byID[library.Ref{Agent: found[i].Agent, ID: found[i].ID}.String()] = listed{found: found[i]}
	}
	return byID, found != nil
}

func sameFound(a, b *sources.Found) bool { return reflect.DeepEqual(a, b) }

// tell is news of what is otherwise now than it was before. Where that is much, who listens asks for all anew.
func tell[T any](b *Backend, before, now map[string]T, same func(a, b T) bool, vanished func(id string) bool) {
	if !b.resident {
		return
	}
	news := map[string]EventKind{}
	for id, is := range now {
		switch was, known := before[id]; {
		case !known:
			news[id] = EventCreated
		case !same(was, is):
			news[id] = EventChanged
		}
	}
	for id := range before {
		if _, there := now[id]; !there && vanished(id) {
			news[id] = EventRemoved
		}
	}
	if len(news) > tellMost {
		b.news.miss()
		return
	}
	for id, kind := range news {
		b.news.publish(kind, id)
	}
}
