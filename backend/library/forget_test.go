package library

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"palimpsest/backend/forgets"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// TestForgottenWhileItIsRead: a session that another program forgets while this one reads it has no reading afterwards. One that is there,
// or only vanished, has, whatever else is forgotten.
func TestForgottenWhileItIsRead(t *testing.T) {
	for name, c := range map[string]struct{ gone, forgotten bool }{
		"it is forgotten": {gone: true, forgotten: true}, "it is there": {}, "it only vanished": {gone: true},
	} {
		r, s := newRig(t), &shop{name: "pi"}
		r.write("pi/one", "hello\n")
		count := forgets.Count(filepath.Join(r.cache, "forgets"))
		open := func() *Library {
			l := Open(Options{Cache: r.cache, Home: r.home, Getenv: os.Getenv, Sources: []sources.Source{s}, Forgets: count, Warn: func(err error) { t.Error(err) }})
			t.Cleanup(l.Close)
			return l
		}
		l, other, ref := open(), open(), Ref{"pi", "one"}
		s.reading = func(context.Context) error {
			forgotten := Ref{"pi", "two"}
			if c.forgotten {
				forgotten = ref
			}
			if c.gone {
				must(t, os.Remove(filepath.Join(r.home, "pi/one")))
			}
			must(t, count.Add(forgotten.String()))
			return other.Forget(t.Context(), forgotten)
		}
		_, err := l.Read(t.Context(), ref)
		readings, failed := l.readingsOf(ref)
		must(t, failed)
		if c.forgotten != errors.Is(err, session.ErrNotFound) || c.forgotten != (len(readings) == 0) {
			t.Errorf("%s: %v, %v", name, readings, err)
		}
	}
}

// TestForgetWaitsForWhoReads: what is read here of a session that is forgotten meanwhile is gone when it is.
func TestForgetWaitsForWhoReads(t *testing.T) {
	r, s := newRig(t), &shop{name: "pi"}
	r.write("pi/one", "hello\n")
	l, ref := r.open(s), Ref{"pi", "one"}
	began, read, forgot := make(chan struct{}), make(chan error), make(chan error, 1)
	s.reading = func(context.Context) error {
		close(began)
		for !l.locks.awaited(ref) {
			select {
			case err := <-forgot:
				t.Error("it was not waited for")
				forgot <- err
				return nil
			default:
				runtime.Gosched()
			}
		}
		return nil
	}
	go func() {
		_, err := l.Read(t.Context(), ref)
		read <- err
	}()
	<-began
	must(t, os.Remove(filepath.Join(r.home, "pi/one")))
	go func() { forgot <- l.Forget(t.Context(), ref) }()
	must(t, <-read)
	must(t, <-forgot)
	if readings, err := l.readingsOf(ref); err != nil || len(readings) > 0 {
		t.Error(readings, err)
	}
}
