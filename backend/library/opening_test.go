package library

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"palimpsest/backend/record"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// mill is a source of one large session, whose lines are messages if they are objects.
type mill struct {
	home string
	// hold is called in the middle of each reading of the whole; may be nil.
	hold func(ctx context.Context) error

	mu     sync.Mutex
	wholes int
}

func (m *mill) Agent() string                      { return "pi" }
func (m *mill) Roots(env sources.Env) []string     { return []string{filepath.Join(env.Home, "pi")} }
func (m *mill) Capabilities() []sources.Capability { return nil }

func (m *mill) Find(_ context.Context, env sources.Env, visit func(sources.Found) error) error {
	return visit(sources.Found{ID: "one", Files: []string{filepath.Join(env.Home, "pi", "one.jsonl")}, CreatedAt: time.UnixMilli(1e12)})
}

func (m *mill) Read(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) error {
	file, err := os.Open(found.Files[0])
	if err != nil {
		return sources.ErrGone
	}
	defer func() { _ = file.Close() }()
	if env.Home == m.home {
		m.mu.Lock()
		m.wholes++
		hold := m.hold
		m.mu.Unlock()
		if hold != nil {
			if err := hold(ctx); err != nil {
				return err
			}
		}
	}
	return sources.Lines(ctx, file, func(line sources.Line) error {
		if len(line.Text) == 0 || line.Text[0] != '{' {
			log.Broken(line.Text)
			return nil
		}
		log.Message(sources.Message{Role: record.RoleUser, Content: []sources.Block{log.Text(strings.TrimRight(string(line.Text), "x"))}})
		return nil
	})
}

var one = Ref{"pi", "one"}

// millRig is a library with that session of more than openFrom, and the news that it tells.
func millRig(t *testing.T, m *mill, source func(*mill) sources.Source) (*rig, *Library, chan News) {
	t.Helper()
	r := newRig(t)
	m.home = r.home
	r.write("pi/one.jsonl", lines(0, 1100))
	told := make(chan News, 100)
	l := Open(Options{
		Cache: r.cache, Home: r.home, Getenv: func(string) string { return "" }, GOOS: "linux", Sources: []sources.Source{source(m)},
		Warn: func(err error) { t.Error(err) },
		Told: func(n News) {
			if n.Ended {
				told <- n
			}
		},
	})
	t.Cleanup(l.Close)
	return r, l, told
}

// openedAndGrown is the session read to its end, and a line more since.
func openedAndGrown(t *testing.T, m *mill) (*rig, *Library, chan News) {
	t.Helper()
	r, l, told := millRig(t, m, plainly)
	_, err := l.Open(t.Context(), one)
	must(t, err)
	<-told
	r.add("pi/one.jsonl", lines(1100, 1101))
	return r, l, told
}

func plainly(m *mill) sources.Source { return m }

// lines are those with these numbers, of 4 KB each.
func lines(from, to int) string {
	var out strings.Builder
	for n := from; n < to; n++ {
		fmt.Fprintf(&out, `{"n":%d}%s`+"\n", n, strings.Repeat("x", 4000))
	}
	return out.String()
}

func (r *rig) add(name, text string) {
	r.t.Helper()
	file, err := os.OpenFile(filepath.Join(r.home, name), os.O_WRONLY|os.O_APPEND, 0)
	must(r.t, err)
	_, err = file.WriteString(text)
	must(r.t, errors.Join(err, file.Close()))
}

// held makes readings of the whole wait until let.
func held() (hold func(context.Context) error, begun chan struct{}, let func()) {
	gate := make(chan struct{})
	begun = make(chan struct{}, 10)
	return func(ctx context.Context) error {
		begun <- struct{}{}
		select {
		case <-gate:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}, begun, func() { close(gate) }
}

func last(x *Opening) string {
	all := strings.Split(strings.TrimSpace(string(x.Log)), "\n")
	return all[len(all)-1]
}

func TestTheEndComesAtOnceAndTheWholeAfterwards(t *testing.T) {
	m := &mill{}
	var begun chan struct{}
	var let func()
	m.hold, begun, let = held()
	r, l, told := millRig(t, m, plainly)
	var opened [3]*Opening
	var both sync.WaitGroup
	for i := range opened {
		both.Go(func() {
			var err error
			opened[i], err = l.Open(t.Context(), one)
			if err != nil || opened[i] == nil {
				t.Errorf("%v, %v", opened[i], err)
			}
		})
	}
	both.Wait()
	<-begun
	for _, x := range opened {
		if !strings.Contains(last(x), `{\"n\":1099}`) || x.Done != x.Read || x.Of != x.Total || x.Problem != nil {
			t.Errorf("%s, %+v, %v", last(x), x.Progress, x.Problem)
		}
	}
	if ids, _ := l.Store().IDs(); len(ids) != 0 {
		t.Errorf("an excerpt is kept: %v", ids)
	}
	settled, cancel := context.WithCancel(t.Context())
	cancel()
	if l.Settled(settled) == nil {
		t.Error("nobody waits for it")
	}

	r.add("pi/one.jsonl", lines(1100, 1101)) // what was added comes at once, too
	x, err := l.Open(t.Context(), one)
	if err != nil || x == nil || !strings.Contains(last(x), `{\"n\":1100}`) {
		t.Fatalf("%v, %v", x, err)
	}
	asked := make(chan error)
	go func() {
		_, err := l.Read(t.Context(), one)
		asked <- err
	}()
	let()
	must(t, <-asked)
	<-told
	var text string // of the reading that there is now: what was asked for may have one in its place already
	must(t, l.Use(t.Context(), one, func(now Reading) error { text = r.text(l, now); return nil }))
	if m.wholes > 2 || strings.Count(text, "\n") != 1101 || strings.Contains(text, "palimpsest") {
		t.Errorf("read %d times, %d lines", m.wholes, strings.Count(text, "\n"))
	}
	if x, err := l.Open(t.Context(), one); x != nil || err != nil {
		t.Errorf("%v, %v", x, err)
	}
	must(t, l.Settled(t.Context()))
}

// TestASessionThatGoesOnIsReadAgain: of one that changed since it was read the reading before does, and the next one is made unasked.
func TestASessionThatGoesOnIsReadAgain(t *testing.T) {
	m := &mill{}
	r, l, told := openedAndGrown(t, m)
	var begun chan struct{}
	var let func()
	m.mu.Lock()
	m.hold, begun, let = held()
	m.mu.Unlock()
	before, err := l.Read(t.Context(), one)
	must(t, err)
	if n := strings.Count(r.text(l, before), "\n"); n != 1100 {
		t.Fatalf("%d lines", n)
	}
	<-begun
	meanwhile, err := l.Read(t.Context(), one)
	if err != nil || meanwhile.ID != before.ID {
		t.Errorf("%s, not %s, %v", meanwhile.ID, before.ID, err)
	}
	let()
	<-told
	after, err := l.Read(t.Context(), one)
	if err != nil || strings.Count(r.text(l, after), "\n") != 1101 {
		t.Errorf("%d lines, %v", strings.Count(r.text(l, after), "\n"), err)
	}
}

// TestNow: who needs all that is there, gets it while for others the reading before does.
func TestNow(t *testing.T) {
	r, l, _ := openedAndGrown(t, &mill{})
	var now Reading
	must(t, l.UseNow(t.Context(), one, func(reading Reading) error { now = reading; return nil }))
	if n := strings.Count(r.text(l, now), "\n"); n != 1101 {
		t.Errorf("%d lines", n)
	}
}

func TestALibraryIsClosedWhileASessionIsRead(t *testing.T) {
	m := &mill{}
	var begun chan struct{}
	m.hold, begun, _ = held()
	_, l, told := millRig(t, m, plainly)
	_, err := l.Open(t.Context(), one)
	must(t, err)
	<-begun
	l.Close()
	if len(told) != 0 {
		t.Error("it is told that it is there")
	}
	if _, err := l.Open(t.Context(), one); !errors.Is(err, errClosed) {
		t.Error(err)
	}
}

func TestAReadingThatFailsIsTold(t *testing.T) {
	m := &mill{hold: func(context.Context) error { return errors.New("out of ink") }}
	r, l, told := millRig(t, m, plainly)
	_, err := l.Open(t.Context(), one)
	must(t, err)
	<-told
	x, err := l.Open(t.Context(), one)
	if err != nil || x == nil || x.Problem == nil || !strings.Contains(x.Problem.Error(), "out of ink") || m.wholes != 1 {
		t.Fatalf("%v, %v, read %d times", x, err, m.wholes)
	}
	m.mu.Lock()
	m.hold = nil
	m.mu.Unlock()
	r.add("pi/one.jsonl", lines(1100, 1101)) // another try
	if x, err = l.Open(t.Context(), one); err != nil || x != nil && x.Problem != nil {
		t.Errorf("%v, %v", x, err)
	}
	<-told
	if x, err := l.Open(t.Context(), one); x != nil || err != nil {
		t.Errorf("%v, %v", x, err)
	}
}

// blind is a source that makes of a line that is no JSON what it likes.
type blind struct{ *mill }

func (b blind) Read(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) error {
	if env.Home != b.home {
		log.Message(sources.Message{Role: record.RoleUser})
		return nil
	}
	return b.mill.Read(ctx, env, found, log)
}

// lost is a source that finds no session in an excerpt, and mad one that breaks down over it.
type (
	lost struct{ *mill }
	mad  struct{ *mill }
)

func (b lost) Read(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) error {
	if env.Home != b.home {
		return sources.ErrGone
	}
	return b.mill.Read(ctx, env, found, log)
}

func (b mad) Read(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) error {
	if env.Home != b.home {
		panic("what is this")
	}
	return b.mill.Read(ctx, env, found, log)
}

func TestWhatHasNoExcerptIsReadWhole(t *testing.T) {
	tests := map[string]struct {
		source func(*mill) sources.Source
		text   string
	}{
		"a source that does not see the hole": {func(m *mill) sources.Source { return blind{m} }, lines(0, 1100)},
		"one that does not find it":           {func(m *mill) sources.Source { return lost{m} }, lines(0, 1100)},
		"one that breaks down":                {func(m *mill) sources.Source { return mad{m} }, lines(0, 1100)},
		"a last line too long for it":         {plainly, lines(0, 1100) + "{" + strings.Repeat("y", longer*512<<10) + "\n"},
		"a first line too long for it":        {plainly, "{" + strings.Repeat("y", longer*64<<10) + "\n" + lines(0, 1100)},
		"a small one":                         {plainly, lines(0, 100)},
		"one with blanks at the end":          {plainly, lines(0, 1100) + strings.Repeat(strings.Repeat(" ", 127)+"\n", longer*512<<3)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			m := &mill{}
			r, l, told := millRig(t, m, test.source)
			r.write("pi/one.jsonl", test.text)
			x, err := l.Open(t.Context(), one)
			if x != nil || err != nil {
				t.Fatalf("%v, %v", x, err)
			}
			if _, err := l.Read(t.Context(), one); err != nil || m.wholes != 1 || len(told) != 0 {
				t.Errorf("%v, read %d times, %d news", err, m.wholes, len(told))
			}
		})
	}
}

func TestALongLineAtTheEndComesWhole(t *testing.T) {
	r, l, told := millRig(t, &mill{}, plainly)
	r.add("pi/one.jsonl", `{"long":true}`+strings.Repeat("x", 3<<20)+"\n")
	x, err := l.Open(t.Context(), one)
	if err != nil || x == nil || !strings.Contains(last(x), "long") || x.Read < 3<<20 {
		t.Errorf("%v, %v", x, err)
	}
	<-told
}

func TestASessionThatIsGone(t *testing.T) {
	r, l, _ := millRig(t, &mill{}, plainly)
	_, err := l.List(t.Context())
	must(t, err)
	must(t, os.Remove(filepath.Join(r.home, "pi/one.jsonl")))
	if x, err := l.Open(t.Context(), one); x != nil || err != nil {
		t.Errorf("%v, %v", x, err)
	}
	if _, err := l.Read(t.Context(), one); !errors.Is(err, session.ErrNotFound) {
		t.Error(err)
	}
}

// TestThePassOfAScanIsOfTheWhole: while only an excerpt is shown.
func TestThePassOfAScanIsOfTheWhole(t *testing.T) {
	m := &mill{}
	var begun chan struct{}
	var let func()
	m.hold, begun, let = held()
	_, l, told := millRig(t, m, plainly)
	_, err := l.Open(t.Context(), one)
	must(t, err)
	<-begun
	found, err := l.Lookup(t.Context(), one)
	must(t, err)
	let()
	must(t, l.Pass(t.Context(), found, nil, func(p Pass) error {
		text, err := io.ReadAll(io.NewSectionReader(p.Log, 0, p.Size))
		if n := strings.Count(string(text), "\n"); err != nil || n != 1100 {
			t.Errorf("%d lines, %v", n, err)
		}
		return nil
	}))
	<-told
}

// TestWhoCameLastGoesFirst: and who goes away before its turn leaves it to others.
func TestWhoCameLastGoesFirst(t *testing.T) {
	s := &slots{free: 1}
	must(t, s.take(t.Context()))
	order := make(chan int, 3)
	var all sync.WaitGroup
	waiting := func(n int) {
		for {
			s.mu.Lock()
			got := len(s.waiting)
			s.mu.Unlock()
			if got == n {
				return
			}
			runtime.Gosched()
		}
	}
	leaving, leave := context.WithCancel(t.Context())
	all.Go(func() {
		if s.take(leaving) == nil {
			t.Error("it stayed")
		}
	})
	waiting(1)
	for n := range 2 {
		all.Go(func() {
			must(t, s.take(t.Context()))
			order <- n
			s.give()
		})
		waiting(n + 2)
	}
	leave()
	waiting(2)
	s.give()
	all.Wait()
	if first, second := <-order, <-order; first != 1 || second != 0 || s.free != 1 {
		t.Errorf("%d went before %d, %d are free", first, second, s.free)
	}
}
