package reach

import (
	"errors"
	"path/filepath"
	"strconv"
	"strings"
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
	r := New()
	r.Patience = time.Millisecond
	away := errors.New("away")
	r.Look = func(folder, name string) error {
		if name != "" {
			looks.Add(1)
			defer func() { ended <- struct{}{} }()
		}
		switch folder {
		case "dead":
			<-dead
		case "away":
			return away
		}
		return nil
	}
	for range 2 {
		why := r.Hidden(t.Context(), filepath.Join("dead", "a"), filepath.Join("dead", "b"))
		if len(why) != 1 || !errors.Is(why["dead"], ErrNoAnswer) {
			t.Fatal(why)
		}
	}
	r.Patience = time.Hour
	why := r.Hidden(t.Context(), filepath.Join("well", "a"), filepath.Join("away", "a"), filepath.Join("well", "b"))
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
	if why := r.Hidden(t.Context(), filepath.Join("dead", "a")); len(why) != 0 {
		t.Error(why)
	}
}

// TestManyThatAreAway: however many folders stay silent in one that does, those elsewhere are known to be there, and the silent one costs
// one look.
func TestManyThatAreAway(t *testing.T) {
	dead := make(chan struct{})
	defer close(dead)
	var silent atomic.Int32
	r := New()
	r.Look = func(folder, _ string) error {
		if strings.HasPrefix(folder, filepath.Join("mount", "away")) {
			silent.Add(1)
			<-dead
		}
		return nil
	}
	var paths []string
	for i := range 2 * cap(r.room) {
		paths = append(paths, filepath.Join("mount", "away", strconv.Itoa(i), "x", "file"))
	}
	paths = append(paths, filepath.Join("mount", "well", "file"))
	for range 2 {
		why := r.Hidden(t.Context(), paths...)
		if len(why) != len(paths)-1 || why[filepath.Join("mount", "well")] != nil || silent.Load() != 1 {
			t.Errorf("%d of %d are hidden, %d looks without an answer: %v", len(why), len(paths), silent.Load(), why[filepath.Join("mount", "well")])
		}
	}
}

// TestManyBesideEachOther: as many folders that stay silent, each by itself, as there once was room for keep none from being looked at.
func TestManyBesideEachOther(t *testing.T) {
	dead := make(chan struct{})
	defer close(dead)
	r := New()
	r.Look = func(folder, _ string) error {
		if strings.HasPrefix(folder, "away") {
			<-dead
		}
		return nil
	}
	var paths []string
	for i := range 64 {
		paths = append(paths, filepath.Join("away"+strconv.Itoa(i), "file"))
	}
	paths = append(paths, filepath.Join("well", "file"))
	if why := r.Hidden(t.Context(), paths...); len(why) != len(paths)-1 || why["well"] != nil {
		t.Errorf("%d of %d are hidden: %v", len(why), len(paths), why["well"])
	}
}

// TestReachHasRoom: as many folders that don't answer as there is room for keep nobody waiting either.
func TestReachHasRoom(t *testing.T) {
	dead := make(chan struct{})
	r := New()
	r.Patience = time.Millisecond
	r.Look = func(_, name string) error {
		if name != "" {
			<-dead
		}
		return nil
	}
	var paths []string
	for i := range 2 * cap(r.room) {
		paths = append(paths, filepath.Join(strconv.Itoa(i), "file"))
	}
	if why := r.Hidden(t.Context(), paths...); len(why) != len(paths) {
		t.Errorf("%d of %d", len(why), len(paths))
	}
	close(dead)
	r.Patience = time.Hour
	if why := r.Hidden(t.Context(), paths...); len(why) != 0 {
		t.Error(why)
	}
}
