package library

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
)

// TestWhoLeavesEndsTheReading: if nobody else looks at the session, or waits for it; who comes back has it read again.
func TestWhoLeavesEndsTheReading(t *testing.T) {
	m := &mill{}
	var begun chan struct{}
	var let func()
	m.hold, begun, let = held()
	r, l, told := millRig(t, m, plainly)
	open := func(viewer string) {
		l.Attend(one, viewer)
		if x, err := l.Open(t.Context(), one); err != nil || x == nil {
			t.Fatalf("%v, %v", x, err)
		}
	}
	open("a")
	open("a")
	open("b")
	<-begun
	l.Leave(one, "a")
	l.Leave(one, "nobody")
	if !l.openings.underway(one) {
		t.Fatal("somebody looks at it still")
	}
	l.Leave(one, "b")
	<-told
	must(t, l.Settled(t.Context()))
	if ids, _ := l.Store().IDs(); len(ids) != 0 || l.openings.underway(one) {
		t.Errorf("it is there: %v", ids)
	}
	open("a")
	<-begun
	let()
	<-told
	l.Leave(one, "a")
	if reading, err := l.Read(t.Context(), one); err != nil || len(r.text(l, reading)) == 0 {
		t.Error(err)
	}
	l.viewers.mu.Lock()
	defer l.viewers.mu.Unlock()
	if len(l.viewers.of) != 0 {
		t.Errorf("%v stay", l.viewers.of)
	}
}

// TestWhoWaitsKeepsTheReading: a reading that others wait for goes on.
func TestWhoWaitsKeepsTheReading(t *testing.T) {
	m := &mill{}
	var begun chan struct{}
	var let func()
	m.hold, begun, let = held()
	_, l, told := millRig(t, m, plainly)
	l.Attend(one, "a")
	_, err := l.Open(t.Context(), one)
	must(t, err)
	<-begun
	asked := make(chan error)
	go func() { asked <- l.Use(t.Context(), one, func(Reading) error { return nil }) }()
	for !l.locks.awaited(one) {
		runtime.Gosched()
	}
	l.Leave(one, "a")
	let()
	must(t, <-asked)
	<-told
	if m.wholes != 1 {
		t.Errorf("read %d times", m.wholes)
	}
}

// TestWhoLeavesAtOnce: what was left before its newest part was there is not read.
func TestWhoLeavesAtOnce(t *testing.T) {
	m := &mill{}
	var wholes atomic.Int64
	m.hold = func(context.Context) error { wholes.Add(1); return nil }
	_, l, _ := millRig(t, m, plainly)
	l.Attend(one, "a")
	e, mine := l.openings.join(one, "as it is")
	if !mine {
		t.Fatal("somebody makes it")
	}
	l.Leave(one, "a")
	if l.openings.made(one, e, &Excerpt{}, nil) || l.openings.tell(one, e) != nil || wholes.Load() != 0 {
		t.Error("it is to be read")
	}
	l.Attend(one, "a")
	if e, mine = l.openings.join(one, "as it is"); !mine || !l.openings.made(one, e, &Excerpt{}, nil) {
		t.Error("who comes back does not get it")
	}
	l.openings.end(one, nil)
}
