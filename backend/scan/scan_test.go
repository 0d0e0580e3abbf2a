package scan

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"palimpsest/backend/index"
	"palimpsest/backend/session"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// shop is a catalog of what a test puts into it.
type shop struct {
	mu    sync.Mutex
	rows  map[string]index.Session
	items []Item
	// failed is the beginning of ids that could not be looked for.
	failed string
	// read is called in the middle of each reading; may be nil.
	read    func(id string, pass func() error) error
	list    func(further func() bool)
	reads   []string
	skipped map[string]string
	events  []string
	settled int
	// left are rows of an index that was begun anew, and unrestored why they can't be put back.
	left       map[string]index.Session
	unrestored error
	// unnoted is why it can't be noted what vanished.
	unnoted error
}

func newShop(ids ...string) *shop {
	s := &shop{rows: map[string]index.Session{}, skipped: map[string]string{}, failed: "none"}
	for i, id := range ids {
		s.items = append(s.items, Item{ID: id, Stamp: "1", Updated: time.Unix(int64(i), 0), Bytes: 10})
	}
	return s
}

func (s *shop) Rows(_ context.Context, only []string) (map[string]index.Session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]index.Session{}
	for id, row := range s.rows {
		if only == nil || strings.Contains(fmt.Sprint(only), id) {
			out[id] = row
		}
	}
	return out, nil
}

func (s *shop) List(_ context.Context, further func() bool) (Listing, error) {
	if s.list != nil {
		s.list(further)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return Listing{append([]Item{}, s.items...), func(id string) bool { return !strings.HasPrefix(id, s.failed) }}, nil
}

func (s *shop) Look(_ context.Context, ids []string) (items []Item, _ error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, item := range s.items {
		if strings.Contains(fmt.Sprint(ids), item.ID) {
			items = append(items, item)
		}
	}
	return items, nil
}

func (s *shop) Read(_ context.Context, item Item, pass func() error) error {
	s.mu.Lock()
	s.reads = append(s.reads, item.ID)
	s.mu.Unlock()
	if s.read != nil {
		if err := s.read(item.ID, pass); err != nil {
			return err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows[item.ID] = index.Session{ID: item.ID, Stamp: item.Stamp}
	return nil
}

func (s *shop) Skip(_ context.Context, item Item, why error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.skipped[item.ID] = why.Error()
	s.rows[item.ID] = index.Session{ID: item.ID, Stamp: item.Stamp}
	return nil
}

func (s *shop) Settle(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settled++
	return nil
}

func (s *shop) Gone(_ context.Context, row index.Session, gone bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unnoted != nil {
		return fmt.Errorf("%s: %w", row.ID, s.unnoted)
	}
	row.Gone = gone
	s.rows[row.ID] = row
	s.events = append(s.events, fmt.Sprint(row.ID, " gone ", gone))
	return nil
}

func (s *shop) Restore(_ context.Context, pass func() error) error {
	for id, row := range s.left {
		if err := pass(); err != nil {
			return err
		}
		s.rows[id] = row
	}
	return s.unrestored
}

func (s *shop) Clear(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows = map[string]index.Session{}
	return nil
}

func (s *shop) took() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	reads := s.reads
	s.reads = nil
	return reads
}

func (s *shop) scanner() *Scanner { return New(s.options()) }

func (s *shop) options() Options {
	free := func() (func(), bool, error) { return func() {}, true, nil }
	return Options{Catalog: s, Lock: free, Turn: free, Others: func(context.Context) (int64, error) { return 0, nil }}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal[T any](t *testing.T, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, not %v", got, want)
	}
}

func TestWhatChangedIsReadNewestFirst(t *testing.T) {
	s := newShop("old", "mid", "new")
	x := s.scanner()
	must(t, x.Once(t.Context()))
	equal(t, s.took(), []string{"new", "mid", "old"})
	must(t, x.Once(t.Context()))
	equal(t, s.took(), nil)
	s.items[0].Stamp = "2"
	must(t, x.Once(t.Context()))
	equal(t, s.took(), []string{"old"})
	state := x.State()
	equal(t, fmt.Sprint(state.Sessions, state.Waiting, state.BytesDone, state.BytesTotal, state.Scanning), "3 0 10 10 false")
}

// TestWhatWasLeftIsNotReadAgain: an index that was begun anew has again what could be read of it before anything is compared, by who has the
// turn; a look at some sessions does not wait for that.
func TestWhatWasLeftIsNotReadAgain(t *testing.T) {
	s := newShop("a", "b")
	s.left = map[string]index.Session{"a": {ID: "a", Stamp: "1"}, "vanished": {ID: "vanished", Stamp: "1"}}
	opts := s.options()
	turns := 0
	opts.Turn = func() (func(), bool, error) {
		turns++
		return func() {}, true, nil
	}
	x := New(opts)
	must(t, x.scan(t.Context(), []string{"b"}))
	equal(t, s.took(), []string{"b"})
	equal(t, turns, 1)
	must(t, x.Once(t.Context()))
	equal(t, s.took(), nil)
	equal(t, turns, 2)
	equal(t, s.events, []string{"vanished gone true"})
	x.Cancel()
	if err := x.Once(t.Context()); !errors.Is(err, errCancelled) {
		t.Error(err)
	}
	s.left, s.unrestored = nil, errors.New("no room")
	if err := New(s.options()).Once(t.Context()); err == nil || !strings.Contains(err.Error(), "putting back what the index had: no room") {
		t.Error(err)
	}
}

func TestVanishAndReturn(t *testing.T) {
	s := newShop("pi:a", "codex:b")
	x := s.scanner()
	must(t, x.Once(t.Context()))
	all := s.items
	s.items, s.failed = nil, "codex"
	must(t, x.Once(t.Context()))
	must(t, x.Once(t.Context()))
	s.items = all
	must(t, x.Once(t.Context()))
	equal(t, s.events, []string{"pi:a gone true", "pi:a gone false"})
	equal(t, len(s.took()), 2)
}

// TestVanishedUnnoted: what fails for many is told once, and of how many.
func TestVanishedUnnoted(t *testing.T) {
	s := newShop("pi:a", "pi:b", "pi:c")
	x := s.scanner()
	must(t, x.Once(t.Context()))
	s.items, s.unnoted = nil, errors.New("no room")
	err := x.Once(t.Context())
	if !errors.Is(err, s.unnoted) || strings.Count(err.Error(), "no room") != 1 || !strings.Contains(err.Error(), "2 more") {
		t.Error(err)
	}
}

func TestWhatFailsHoldsUpNoOther(t *testing.T) {
	s := newShop("a", "b", "c")
	s.read = func(id string, _ func() error) error {
		switch id {
		case "a":
			return errors.New("bad disk")
		case "c":
			panic("index out of range")
		}
		return nil
	}
	x := s.scanner()
	must(t, x.Once(t.Context()))
	equal(t, len(s.took()), 3)
	equal(t, s.skipped["a"], "bad disk")
	if !strings.Contains(s.skipped["c"], "a mistake in the program: index out of range") {
		t.Error(s.skipped["c"])
	}
	must(t, x.Once(t.Context()))
	equal(t, s.took(), nil)
	s.items[0].Stamp = "2"
	must(t, x.Once(t.Context()))
	equal(t, s.took(), []string{"a"})
}

// keep runs a scanner until the test ends.
func keep(t *testing.T, x *Scanner) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		x.Keep(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-done
	})
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); !is(); {
		if time.Now().After(end) {
			t.Fatal("never: " + what)
		}
		<-time.After(time.Millisecond)
	}
}

func TestPauseResumeCancelRebuild(t *testing.T) {
	s := newShop("a", "b")
	reached, passed := make(chan string), make(chan struct{})
	s.read = func(id string, pass func() error) error {
		reached <- id
		<-passed
		return pass()
	}
	x := s.scanner()
	keep(t, x)
	equal(t, <-reached, "b")
	x.Pause()
	passed <- struct{}{}
	equal(t, x.State().Paused, true)
	equal(t, len(s.rows), 0) // it waits at the gate
	x.Resume()
	equal(t, <-reached, "a")
	equal(t, x.State().Waiting, 1)
	x.Cancel()
	passed <- struct{}{}
	eventually(t, "the end of the scan", func() bool { return !x.State().Scanning })
	_, there := s.rows["a"]
	equal(t, there, false)
	equal(t, s.skipped, map[string]string{})
	x.Rebuild()
	equal(t, <-reached, "b")
	passed <- struct{}{}
	equal(t, <-reached, "a")
	x.Rebuild() // in the middle: from the start again
	passed <- struct{}{}
	equal(t, <-reached, "b")
	passed <- struct{}{}
	equal(t, <-reached, "a")
	passed <- struct{}{}
	eventually(t, "a whole index", func() bool { return x.State().Waiting == 0 && !x.State().Scanning })
}

func TestHintsLookOnlyAtWhatChanged(t *testing.T) {
	s := newShop("a", "b")
	x := s.scanner()
	keep(t, x)
	eventually(t, "a whole index", func() bool { return len(s.tookSoFar()) == 2 && !x.State().Scanning })
	s.mu.Lock()
	s.reads = nil
	s.items[0].Stamp, s.items[1].Stamp = "2", "2"
	s.mu.Unlock()
	x.Hint("a")
	eventually(t, "a look at it", func() bool { return len(s.tookSoFar()) == 1 && !x.State().Scanning })
	equal(t, s.tookSoFar(), []string{"a"})
	equal(t, x.State().Sessions, 2)
}

func (s *shop) tookSoFar() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.reads...)
}

// TestOneProcessScans: the other reads, and takes over when the first has ended.
func TestOneProcessScans(t *testing.T) {
	dir := filepath.Join(t.TempDir())
	lock := func() (func(), bool, error) { return session.TryLock(dir) }
	s := newShop("a")
	second := s.scanner()
	second.opts.Lock = lock
	unlock, ok, err := lock()
	must(t, err)
	equal(t, ok, true)
	keep(t, second)
	eventually(t, "that another scans", func() bool { return second.State().Elsewhere })
	equal(t, s.tookSoFar(), []string{})
	unlock()
	eventually(t, "the other to take over", func() bool { return len(s.tookSoFar()) == 1 })
}

// TestNobodyWaitsForARest: who has the index brought up to date gets all of it, also what takes long and has changed since it was read.
func TestNobodyWaitsForARest(t *testing.T) {
	now, s := time.Unix(1000, 0), newShop("slow")
	s.read = func(string, func() error) error { now = now.Add(time.Second); return nil }
	x := s.scanner()
	x.opts.Now = func() time.Time { return now }
	for _, stamp := range []string{"1", "2", "3"} {
		s.items[0].Stamp = stamp
		if err := x.Once(t.Context()); err != nil || s.rows["slow"].Stamp != stamp || x.State().Waiting != 0 {
			t.Errorf("%+v, not %s; %+v, %v", s.rows, stamp, x.State(), err)
		}
	}
}

// TestASlowSessionRests: what changes all the time and takes long is read for a tenth of the time.
func TestASlowSessionRests(t *testing.T) {
	s := newShop("a")
	now := time.Unix(1000, 0)
	x := s.scanner()
	x.opts.Now = func() time.Time { return now }
	s.read = func(string, func() error) error { now = now.Add(time.Second); return nil }
	scanned := func() (again time.Duration) {
		x.Want()
		return x.pass(t.Context())
	}
	equal(t, scanned(), 0)
	s.items[0].Stamp = "2"
	now = now.Add(8 * time.Second)
	equal(t, scanned(), time.Second)
	equal(t, len(s.took()), 1)
	equal(t, x.State().Waiting, 1)
	now = now.Add(2 * time.Second)
	equal(t, scanned(), 0)
	equal(t, s.took(), []string{"a"})
	equal(t, x.State().Problem, "")
}

// TestWhatIsPutOffIsSettled at the end of a scan, and before a pause, in which others may read.
func TestWhatIsPutOffIsSettled(t *testing.T) {
	s := newShop("a", "b", "c") // "b" may be handed on before the pause
	x := s.scanner()
	settled := func() int {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.settled
	}
	s.read = func(id string, _ func() error) error {
		if id == "c" {
			x.Pause()
		}
		return nil
	}
	done := make(chan error, 1)
	go func() { done <- x.Once(t.Context()) }()
	eventually(t, "what is put off before the pause", func() bool { return settled() == 1 })
	x.Resume()
	must(t, <-done)
	equal(t, settled(), 2)
}
