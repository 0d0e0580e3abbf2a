package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"

	"palimpsest/backend/notify"
)

const (
	// debounce is how long after its first sign a change is read: editors take several steps to
	// save a file. Later signs don't put it off, so a busy directory can't starve the watcher.
	debounce = 100 * time.Millisecond
	// pollInterval is how often the file is read where the system can't tell of changes.
	pollInterval = 2 * time.Second
)

// Watch calls onChange whenever the settings in force, or what is wrong with them, differ from
// what they were at the last call, or else from what they were when Watch was called: call Watch
// before [Load], and no change falls between the two. File and directory may be missing, may
// come, be replaced, and go again.
//
// It works until ctx is cancelled. The function returned waits until that has happened and the
// last call of onChange has returned. Calls come one at a time, from a goroutine of Watch;
// onChange must not wait for it.
func Watch(ctx context.Context, home string, onChange func(Config, []Problem)) (wait func()) {
	system, err := notify.New()
	if err != nil {
		system = nil // out of watchers: poll
	}
	return start(ctx, &watcher{home: home, notify: system, poll: pollInterval, onChange: onChange})
}

// watcher watches directories rather than the file: an editor that saves by renaming a new file
// over the old one would take a watch on the file away with it.
type watcher struct {
	home     string
	notify   *notify.Watcher // nil if there is none
	poll     time.Duration
	onChange func(Config, []Problem)

	armed    bool // the system tells of changes; otherwise poll
	config   Config
	problems []Problem
}

func start(ctx context.Context, w *watcher) (wait func()) {
	if abs, err := filepath.Abs(w.home); err == nil {
		w.home = abs
	}
	w.arm()
	w.config, w.problems = Load(w.home) // after arming: what changes from here on is noticed
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.run(ctx)
	}()
	return func() { <-done }
}

func (w *watcher) run(ctx context.Context) {
	var events <-chan fsnotify.Event
	var lost <-chan struct{}
	if system := w.notify; system != nil {
		defer system.Close()
		events, lost = system.Events, system.Lost
	}
	var settled <-chan time.Time
	for {
		var tick <-chan time.Time
		if !w.armed {
			tick = time.After(w.poll)
		}
		open := true
		select {
		case <-ctx.Done():
			return
		case <-settled:
			settled = nil
			w.refresh(ctx)
			continue
		case <-tick:
			w.refresh(ctx)
			continue
		case _, open = <-events:
		case <-lost: // an overflow: something happened, what is not known
		}
		switch {
		case !open: // the system gave up on us
			events, lost, w.notify, w.armed = nil, nil, nil, false
		case settled == nil:
			settled = time.After(debounce)
		}
	}
}

func (w *watcher) refresh(ctx context.Context) {
	w.arm()
	config, problems := Load(w.home)
	if ctx.Err() != nil || config == w.config && slices.Equal(problems, w.problems) {
		return
	}
	w.config, w.problems = config, problems
	w.onChange(config, slices.Clone(problems))
}

// arm sees to it that the right directories are watched, and no others. Which ones they are
// changes: the home directory may come and go, and the file may be a link into another one.
func (w *watcher) arm() {
	w.armed = false
	if w.notify == nil {
		return
	}
	nearest, err := w.watchNearest(w.home)
	if err != nil {
		return
	}
	target := w.linkedDir()
	if target != "" {
		if err := w.notify.Add(target); err != nil {
			return
		}
	}
	for _, dir := range w.notify.WatchList() {
		if dir != nearest && dir != target {
			_ = w.notify.Remove(dir) // fails only for one that is gone
		}
	}
	w.armed = true
}

// watchNearest watches a directory or, while it doesn't exist, the nearest one above it that
// does, and returns that one. On the way back down it tries each again, for it may have been
// made in the meantime.
func (w *watcher) watchNearest(dir string) (string, error) {
	err := w.notify.Add(dir)
	if err == nil {
		return dir, nil
	}
	parent := filepath.Dir(dir)
	if !errors.Is(err, fs.ErrNotExist) || parent == dir {
		return "", fmt.Errorf("watch %s: %w", dir, err)
	}
	nearest, err := w.watchNearest(parent)
	if err == nil && w.notify.Add(dir) == nil {
		return dir, nil
	}
	return nearest, err
}

// linkedDir is the directory that the settings file is really in, if its name in the home
// directory is a link; else "".
func (w *watcher) linkedDir() string {
	file, err := filepath.EvalSymlinks(filepath.Join(w.home, FileName))
	if err != nil {
		return ""
	}
	home, err := filepath.EvalSymlinks(w.home)
	if err != nil || filepath.Dir(file) == home {
		return ""
	}
	return filepath.Dir(file)
}
