package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"palimpsest/backend/record"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// shop is a source of what a test puts into it: each session is a file whose lines are messages.
type shop struct {
	name string
	// wrong is what a search ends with, and reading is called in the middle of each reading; either may be nil.
	wrong   func() error
	reading func(ctx context.Context) error
	// denied are folders that it may not look into.
	denied []string
	// wrote is what its agent noted elsewhere of all its sessions, 0 for nothing.
	wrote int64

	mu       sync.Mutex
	searches int
	readings int
}

func (s *shop) Agent() string                      { return s.name }
func (s *shop) Roots(env sources.Env) []string     { return []string{filepath.Join(env.Home, s.name)} }
func (s *shop) Capabilities() []sources.Capability { return nil }

func (s *shop) count(n *int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*n++
}

func (s *shop) Find(_ context.Context, env sources.Env, visit func(sources.Found) error) error {
	s.count(&s.searches)
	for _, folder := range s.denied {
		env.Deny(&fs.PathError{Op: "open", Path: folder, Err: fs.ErrPermission})
	}
	files, _ := os.ReadDir(s.Roots(env)[0])
	for _, file := range files {
		path := filepath.Join(s.Roots(env)[0], file.Name())
		found := sources.Found{ID: filepath.Base(path), Title: "about " + filepath.Base(path), Files: []string{path}, CreatedAt: time.UnixMilli(1e12), Writes: s.wrote}
		if info, err := os.Stat(path); err == nil {
			found.Bytes = info.Size()
		}
		if err := visit(found); err != nil {
			return err
		}
	}
	if s.wrong != nil {
		return s.wrong()
	}
	return nil
}

func (s *shop) Read(ctx context.Context, _ sources.Env, found sources.Found, log *sources.Log) error {
	s.count(&s.readings)
	text, err := os.ReadFile(found.Files[0])
	if errors.Is(err, os.ErrNotExist) {
		return sources.ErrGone
	}
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		log.Message(sources.Message{Role: record.RoleUser, Content: []sources.Block{log.Text(strings.TrimSpace(line))}})
	}
	if s.wrote != 0 {
		log.Compaction(sources.Compaction{Summary: fmt.Sprint("noted ", s.wrote)})
	}
	if s.reading != nil {
		return s.reading(ctx)
	}
	return nil
}

// rig is a machine with sessions of some agents.
type rig struct {
	t     *testing.T
	home  string
	cache string
}

func newRig(t *testing.T) *rig { return &rig{t, t.TempDir(), t.TempDir()} }

func (r *rig) open(shops ...*shop) *Library {
	opts := Options{Cache: r.cache, Home: r.home, Getenv: func(string) string { return "" }, GOOS: "linux", Warn: func(err error) { r.t.Error(err) }}
	for _, s := range shops {
		opts.Sources = append(opts.Sources, s)
	}
	l := Open(opts)
	r.t.Cleanup(l.Close)
	return l
}

func (r *rig) write(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.home, name)
	must(r.t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(r.t, os.WriteFile(path, []byte(text), 0o600))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (r *rig) text(l *Library, reading Reading) string {
	r.t.Helper()
	text, err := os.ReadFile(l.Store().LogPath(reading.ID))
	must(r.t, err)
	return string(text)
}

func TestAReadingIsMadeOnceAndAgainWhenItsSessionChanged(t *testing.T) {
	r, s := newRig(t), &shop{name: "pi"}
	r.write("pi/one", "hello\n")
	l := r.open(s)
	ref := Ref{"pi", "one"}
	first, err := l.Read(t.Context(), ref)
	must(t, err)
	again, err := r.open(s).Read(t.Context(), ref) // as another process would
	must(t, err)
	if first.ID != again.ID || s.readings != 1 {
		t.Fatalf("%s and %s, read %d times", first.ID, again.ID, s.readings)
	}
	m, err := l.Store().Metadata(first.ID)
	must(t, err)
	if m.Name != "about one" || m.MessageCount != 1 || !m.CreatedAt.Equal(time.UnixMilli(1e12)) {
		t.Errorf("%+v", m)
	}
	log, err := l.Store().OpenLog(first.ID)
	must(t, err)
	defer func() { _ = log.Close() }()

	r.write("pi/one", "hello\nworld\n")
	changed, err := l.Read(t.Context(), ref)
	must(t, err)
	if changed.ID == first.ID || !strings.Contains(r.text(l, changed), "world") {
		t.Errorf("the reading is still %s", r.text(l, changed))
	}
	if _, err := log.Stat(); err != nil {
		t.Errorf("who has it open: %v", err)
	}
	ids, err := l.Store().IDs()
	if err != nil || len(ids) != 1 {
		t.Errorf("%v are kept, %v", ids, err)
	}
}

func TestOneReadingForManyWhoAsk(t *testing.T) {
	r, s := newRig(t), &shop{name: "pi"}
	r.write("pi/one", "hello\n")
	l := r.open(s)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := l.Read(t.Context(), Ref{"pi", "one"}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if s.readings != 1 {
		t.Errorf("read %d times", s.readings)
	}
}

func TestTheCacheMayGoAtAnyTime(t *testing.T) {
	r, s := newRig(t), &shop{name: "pi"}
	r.write("pi/one", "hello\n")
	l := r.open(s)
	_, err := l.Read(t.Context(), Ref{"pi", "one"})
	must(t, err)
	must(t, os.RemoveAll(r.cache))
	reading, err := l.Read(t.Context(), Ref{"pi", "one"})
	must(t, err)
	if !strings.Contains(r.text(l, reading), "hello") {
		t.Error("it was not read again")
	}
}

func TestAFailingSourceHidesNoOther(t *testing.T) {
	r := newRig(t)
	r.write("pi/one", "")
	r.write("codex/two", "")
	for name, wrong := range map[string]func() error{
		"error": func() error { return errors.New("no such disk") },
		"panic": func() error { panic("no such disk") },
	} {
		l := r.open(&shop{name: "pi"}, &shop{name: "codex", wrong: wrong})
		listing, err := l.List(t.Context())
		if err != nil || len(listing.Found) != 2 || len(listing.Problems) != 1 || !strings.Contains(listing.Problems[0].Error(), "no such disk") {
			t.Errorf("%s: %+v, %v", name, listing, err)
		}
		agents, err := l.Agents(t.Context())
		if err != nil || agents[0].Problem != nil || agents[1].Problem == nil || agents[1].Count != 1 {
			t.Errorf("%s: %+v, %v", name, agents, err)
		}
	}
}

func TestWhatCannotBeRead(t *testing.T) {
	r := newRig(t)
	r.write("pi/part", "hello\n")
	r.write("pi/nothing", "")
	l := r.open(&shop{name: "pi", reading: func(context.Context) error { return errors.New("bad disk") }})
	part, err := l.Read(t.Context(), Ref{"pi", "part"})
	if err != nil || part.Problem != "bad disk" || !strings.Contains(r.text(l, part), "hello") {
		t.Errorf("%+v, %v", part, err)
	}
	if _, err := l.Read(t.Context(), Ref{"pi", "nothing"}); !errors.Is(err, ErrUnreadable) || strings.Contains(err.Error(), "created") {
		t.Errorf("nothing of it: %v", err)
	}
	l = r.open(&shop{name: "pi", reading: func(context.Context) error { panic("index out of range") }})
	r.write("pi/nothing", "now something\n")
	if other, err := l.Read(t.Context(), Ref{"pi", "nothing"}); err != nil || !strings.Contains(other.Problem, "a mistake in the program") {
		t.Errorf("a panic: %+v, %v", other, err)
	}
}

func TestGoneSessionsAreNotFound(t *testing.T) {
	r, s := newRig(t), &shop{name: "pi"}
	r.write("pi/one", "hello\n")
	l := r.open(s)
	_, err := l.List(t.Context())
	must(t, err)
	must(t, os.Remove(filepath.Join(r.home, "pi/one")))
	for _, ref := range []Ref{{"pi", "one"}, {"pi", "never"}, {"pi", "../../etc/passwd"}, {"gemini", "x"}} {
		if _, err := l.Read(t.Context(), ref); !errors.Is(err, session.ErrNotFound) {
			t.Errorf("%s: %v", ref, err)
		}
	}
}

func TestCancelAndClose(t *testing.T) {
	r := newRig(t)
	r.write("pi/one", "hello\n")
	begun := make(chan struct{})
	s := &shop{name: "pi", reading: func(ctx context.Context) error {
		begun <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	}}
	l := r.open(s)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { _, err := l.Read(ctx, Ref{"pi", "one"}); done <- err }()
	<-begun
	waiting, leave := context.WithCancel(t.Context())
	leave()
	if _, err := l.Read(waiting, Ref{"pi", "one"}); !errors.Is(err, context.Canceled) {
		t.Errorf("who waits and goes: %v", err)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	go func() { _, err := l.Read(t.Context(), Ref{"pi", "one"}); done <- err }()
	<-begun
	go l.Close()
	if err := <-done; !errors.Is(err, errClosed) {
		t.Errorf("closed: %v", err)
	}
	l.Close()
	if _, err := l.Read(t.Context(), Ref{"pi", "one"}); !errors.Is(err, errClosed) {
		t.Errorf("after it: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(r.cache, "readings", "sessions", "*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}

func TestSweep(t *testing.T) {
	r := newRig(t)
	l := r.open(&shop{name: "pi"})
	now, size := time.Now(), int64(0)
	for i, name := range []string{"new", "older", "oldest"} {
		r.write("pi/"+name, strings.Repeat("x", 1000)+"\n")
		reading, err := l.Read(t.Context(), Ref{"pi", name})
		must(t, err)
		size = sizeOf(l.dir(reading.ID)).bytes
		at := now.Add(-time.Duration(i) * time.Hour)
		must(t, os.Chtimes(filepath.Join(l.dir(reading.ID), slipName), at, at))
	}
	left := func() int {
		ids, err := l.Store().IDs()
		must(t, err)
		return len(ids)
	}
	must(t, l.sweepOnce(now, size*5/2))
	if n := left(); n != 2 {
		t.Errorf("%d are left within a bound for two", n)
	}
	must(t, l.sweepOnce(now.Add(unused-30*time.Minute), 1<<30))
	if n := left(); n != 1 {
		t.Errorf("%d are left a month later", n)
	}
}

func TestParseRef(t *testing.T) {
	for text, ok := range map[string]bool{
		"pi:x": true, "codex:a:b/c": true, "opencode:ses_é": true, "pi:": false, "pi": false, "moon:x": false, ":x": false, "PI:x": false,
		"pi:a\x00": false, "pi:a\nb": false, "pi:\xff": false, "pi:" + strings.Repeat("x", 501): false,
	} {
		if _, err := ParseRef(text); (err == nil) != ok || err != nil && !errors.Is(err, session.ErrInvalidID) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestComplete(t *testing.T) {
	r := newRig(t)
	r.write("pi/abcdefg1", "")
	r.write("pi/abcdefg2", "")
	r.write("pi/abcxyz", "")
	l := r.open(&shop{name: "pi"})
	for text, want := range map[string]error{
		"abcdefg1": nil, "abcxyz": nil, "abcdefg": session.ErrInput, "abcx": session.ErrNotFound, "nothing": session.ErrNotFound,
	} {
		ref, err := l.Complete(t.Context(), Ref{"pi", text})
		if !errors.Is(err, want) || want == nil && ref.ID != text {
			t.Errorf("%s: %s, %v", text, ref, err)
		}
	}
}

// TestCompleteSubagents: what a session's id and those of its subagents begin with is the session's, and its whole id is nobody else's.
func TestCompleteSubagents(t *testing.T) {
	family := map[string]*sources.Found{
		"aaaa-1": {ID: "aaaa-1"}, "aaaa-1.x": {ID: "aaaa-1.x", Parent: "aaaa-1"}, "aaaa-1.y": {ID: "aaaa-1.y", Parent: "aaaa-1"}, "bbbb-2.z": {ID: "bbbb-2.z", Parent: "bbbb-2"},
		"cccc-3": {ID: "cccc-3", Parent: "aaaa-1"}, "cccc-4": {ID: "cccc-4"},
	}
	for prefix, want := range map[string][]string{
		"aaaa": {"aaaa-1"}, "aaaa-1": {"aaaa-1"}, "aaaa-1.": {"aaaa-1.x", "aaaa-1.y"}, "aaaa-1.x": {"aaaa-1.x"}, "bbbb-2": nil, "bbbb": {"bbbb-2.z"}, "cccc": {"cccc-3", "cccc-4"},
	} {
		if got := meantBy(family, prefix); !slices.Equal(got, want) {
			t.Errorf("%s: %q, not %q", prefix, got, want)
		}
	}
}
