package config

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"palimpsest/backend/notify"
)

const deadline = 20 * time.Second

type change struct {
	config   Config
	problems []Problem
}

// watch starts a watcher that lasts as long as the test and hands on what it reports.
func watch(t *testing.T, home string) <-chan change {
	t.Helper()
	changes := make(chan change, 100)
	ctx, cancel := context.WithCancel(context.Background())
	wait := Watch(ctx, home, func(c Config, p []Problem) { changes <- change{c, p} })
	t.Cleanup(func() { cancel(); wait() })
	return changes
}

// next waits until the watcher reports that model; states on the way there are allowed, since an
// editor's steps may be seen one by one.
func next(t *testing.T, changes <-chan change, model string) change {
	t.Helper()
	timeout := time.After(deadline)
	for {
		select {
		case c := <-changes:
			if c.config.Model == model {
				return c
			}
		case <-timeout:
			t.Fatalf("no news of model %q", model)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestWatchEdits(t *testing.T) {
	home := homeWith(t, "model: a\n")
	path := filepath.Join(home, FileName)
	changes := watch(t, home)

	write(t, path, "model: b\n")
	next(t, changes, "b")

	write(t, path+".tmp", "model: c\n")
	must(t, os.Rename(path+".tmp", path))
	next(t, changes, "c")

	must(t, os.Remove(path))
	next(t, changes, "")

	write(t, path, "model: d\n")
	next(t, changes, "d")

	write(t, path, "model: e\ntheme: drak\n")
	if c := next(t, changes, "e"); len(c.problems) != 1 || c.problems[0].Line != 2 {
		t.Errorf("problems: %v", c.problems)
	}
}

func TestWatchReportsOnlyChanges(t *testing.T) {
	home := homeWith(t, "model: a\n")
	path := filepath.Join(home, FileName)
	changes := watch(t, home)
	// None of these changes what is in force: other files, the same bytes anew, a comment.
	write(t, filepath.Join(home, "notes.txt"), "x")
	for _, text := range []string{"model: a\n", "model: a # still\n"} {
		write(t, path+".tmp", text)
		must(t, os.Rename(path+".tmp", path))
	}
	write(t, path+".tmp", "model: b\n")
	must(t, os.Rename(path+".tmp", path))
	select {
	case c := <-changes:
		if c.config.Model != "b" {
			t.Errorf("reported %+v", c)
		}
	case <-time.After(deadline):
		t.Fatal("no news")
	}
	select {
	case c := <-changes:
		t.Errorf("reported again: %+v", c)
	default:
	}
}

func TestWatchDirectoryComesAndGoes(t *testing.T) {
	root := t.TempDir()
	home := filepath.Join(root, "some", "where", "home")
	path := filepath.Join(home, FileName)
	changes := watch(t, home)

	must(t, os.MkdirAll(home, 0o700))
	write(t, path, "model: a\n")
	next(t, changes, "a")

	must(t, os.RemoveAll(filepath.Join(root, "some")))
	next(t, changes, "")

	must(t, os.MkdirAll(home, 0o700))
	write(t, path, "model: b\n")
	next(t, changes, "b")

	must(t, os.Rename(home, home+".old"))
	next(t, changes, "")

	must(t, os.Rename(home+".old", home))
	next(t, changes, "b")

	write(t, path, "model: c\n")
	next(t, changes, "c")
}

func TestWatchFollowsLink(t *testing.T) {
	target := homeWith(t, "model: a\n")
	home := t.TempDir()
	if err := os.Symlink(filepath.Join(target, FileName), filepath.Join(home, FileName)); err != nil {
		t.Skip(err)
	}
	changes := watch(t, home)
	write(t, filepath.Join(target, FileName), "model: b\n")
	next(t, changes, "b")
}

func TestWatchPolls(t *testing.T) {
	closed, err := notify.New()
	must(t, err)
	closed.Close()
	for name, system := range map[string]*notify.Watcher{"no watcher": nil, "watcher that fails": closed} {
		t.Run(name, func(t *testing.T) {
			home := homeWith(t, "model: a\n")
			changes := make(chan change, 100)
			ctx, cancel := context.WithCancel(context.Background())
			wait := start(ctx, &watcher{home: home, notify: system, poll: 5 * time.Millisecond, onChange: func(c Config, p []Problem) {
				changes <- change{c, p}
			}})
			write(t, filepath.Join(home, FileName), "model: b\n")
			next(t, changes, "b")
			must(t, os.Remove(filepath.Join(home, FileName)))
			next(t, changes, "")
			cancel()
			wait()
		})
	}
}

func TestWatchEnds(t *testing.T) {
	home := homeWith(t, "model: a\n")
	ctx, cancel := context.WithCancel(context.Background())
	entered, leave := make(chan struct{}), make(chan struct{})
	left := false
	wait := Watch(ctx, home, func(Config, []Problem) {
		close(entered)
		<-leave
		left = true
	})
	write(t, filepath.Join(home, FileName+".tmp"), "model: b\n")
	must(t, os.Rename(filepath.Join(home, FileName+".tmp"), filepath.Join(home, FileName)))
	<-entered
	cancel()
	go close(leave)
	wait()
	if !left {
		t.Error("wait returned before onChange did")
	}
	wait() // again, from anywhere
}
