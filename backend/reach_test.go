package backend

import (
	"errors"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"
)

// TestReach: a folder is looked at once for all that is asked of it, one that does not answer is not waited for, and is not looked at again
// while it does not.
func TestReach(t *testing.T) {
	dead := make(chan struct{})
	ended := make(chan struct{}, 8)
	var looks atomic.Int32
	r := newReach()
	r.patience = time.Millisecond
	away := errors.New("away")
	r.look = func(path string) error {
		looks.Add(1)
		defer func() { ended <- struct{}{} }()
		switch filepath.Base(filepath.Dir(path)) {
		case "dead":
			<-dead
		case "away":
			return away
		}
		return nil
	}
	for range 2 {
		why := r.hidden(t.Context(), filepath.Join("dead", "a"), filepath.Join("dead", "b"))
		if len(why) != 1 || !errors.Is(why["dead"], errNoAnswer) {
			t.Fatal(why)
		}
	}
	r.patience = time.Hour
	why := r.hidden(t.Context(), filepath.Join("well", "a"), filepath.Join("away", "a"), filepath.Join("well", "b"))
	if len(why) != 1 || !errors.Is(why["away"], away) {
		t.Error(why)
	}
	close(dead)
	for range 3 {
		<-ended
	}
	if n := looks.Load(); n != 3 {
		t.Errorf("%d looks at three folders", n)
	}
	if why := r.hidden(t.Context(), filepath.Join("dead", "a")); len(why) != 0 {
		t.Error(why)
	}
}

// TestReachHasRoom: as many folders that don't answer as there is room for keep nobody waiting either.
func TestReachHasRoom(t *testing.T) {
	dead := make(chan struct{})
	r := newReach()
	r.patience = time.Millisecond
	r.look = func(string) error { <-dead; return nil }
	var paths []string
	for i := range 2 * cap(r.room) {
		paths = append(paths, filepath.Join(string(rune('a'+i)), "file"))
	}
	if why := r.hidden(t.Context(), paths...); len(why) != len(paths) {
		t.Errorf("%d of %d", len(why), len(paths))
	}
	close(dead)
	r.patience = time.Hour
	if why := r.hidden(t.Context(), paths...); len(why) != 0 {
		t.Error(why)
	}
}
