package backend

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"palimpsest/backend/scan"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/pi"
	"palimpsest/backend/sources/sourcetest"
)

// ashore is a program that does one thing and ends, on a machine where others may be at work.
func ashore(t *testing.T, home, own, cache string, source sources.Source) *Backend {
	t.Helper()
	b, err := Open(Options{Home: own, UserHome: home, Cache: cache, Sources: []sources.Source{source}, Warn: func(err error) { t.Error(err) }})
	newsMust(t, err)
	t.Cleanup(b.Close)
	return b
}

// several are sessions of pi, in each of which something is said once.
func several(t testing.TB, home string, n int) {
	t.Helper()
	for i := range n {
		id := fmt.Sprintf("s%d", i+1)
		sourcetest.Write(t, home, ".pi/agent/sessions/--w--/2026-01-03T10-00-00-000Z_"+id+".jsonl", strings.ReplaceAll(piSession(), `"s1"`, `"`+id+`"`))
	}
}

// whole is what a search gives once everything was read.
func whole(ctx context.Context, b *Backend) (string, error) {
	found, err := b.Search(ctx, SearchOptions{Text: "third"})
	return fmt.Sprintf("%d found, %d reasons to miss some", len(found.Hits), len(found.Skipped)), err
}

// slow is a source whose first reading waits until it may go on.
type slow struct {
	sources.Source
	times       atomic.Int64
	begun, goOn chan struct{}
	once        sync.Once
}

func (s *slow) Read(ctx context.Context, env sources.Env, found sources.Found, log *sources.Log) error {
	s.times.Add(1)
	s.once.Do(func() {
		close(s.begun)
		<-s.goOn
	})
	return s.Source.Read(ctx, env, found, log)
}

// TestSearchesAtOnceOnAColdIndex: each of them sees everything, and nothing is read twice.
func TestSearchesAtOnceOnAColdIndex(t *testing.T) {
	const sessions = 12
	home, own, cache := t.TempDir(), t.TempDir(), t.TempDir()
	several(t, home, sessions)
	source := &slow{Source: pi.Source{}, begun: make(chan struct{}), goOn: make(chan struct{})}
	programs := []*Backend{ashore(t, home, own, cache, source), ashore(t, home, own, cache, source)}
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			b := programs[i%2]
			if err := b.Scan(t.Context(), false, nil); err != nil {
				t.Error(err)
			}
			if got, err := whole(t.Context(), b); err != nil || got != "12 found, 0 reasons to miss some" {
				t.Error(got, err)
			}
		})
	}
	<-source.begun
	close(source.goOn)
	wg.Wait()
	if n := source.times.Load(); n != sessions {
		t.Errorf("%d readings", n)
	}
}

const sharedPlaces = "PALIMPSEST_TEST_SHARED"

// TestSearchOtherProcess is the other process when it is told where to look.
func TestSearchOtherProcess(t *testing.T) {
	places := strings.Split(os.Getenv(sharedPlaces), "\n")
	if len(places) != 3 {
		t.Skip("only as a process of its own")
	}
	source := &slow{Source: pi.Source{}, begun: make(chan struct{}), goOn: make(chan struct{})}
	close(source.goOn)
	b := ashore(t, places[0], places[1], places[2], source)
	var waits sync.Once
	newsMust(t, b.Scan(t.Context(), false, func(s scan.State) {
		if s.Elsewhere {
			waits.Do(func() { fmt.Println("waiting") })
		}
	}))
	got, err := whole(t.Context(), b)
	fmt.Println(got, err, source.times.Load(), "readings")
}

// TestASecondProcessWaits for what the first reads, and then sees all of it.
func TestASecondProcessWaits(t *testing.T) {
	home, own, cache := t.TempDir(), t.TempDir(), t.TempDir()
	several(t, home, 3)
	source := &slow{Source: pi.Source{}, begun: make(chan struct{}), goOn: make(chan struct{})}
	first := ashore(t, home, own, cache, source)
	done := make(chan error, 1)
	go func() { done <- first.Scan(t.Context(), false, nil) }()
	<-source.begun
	second := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSearchOtherProcess$")
	second.Env = append(os.Environ(), sharedPlaces+"="+strings.Join([]string{home, own, cache}, "\n"))
	out, err := second.StdoutPipe()
	newsMust(t, err)
	newsMust(t, second.Start())
	lines := bufio.NewReader(out)
	if line, err := lines.ReadString('\n'); line != "waiting\n" {
		t.Errorf("it does not wait: %q, %v", line, err)
	}
	close(source.goOn)
	newsMust(t, <-done)
	rest, err := io.ReadAll(lines)
	newsMust(t, err)
	newsMust(t, second.Wait())
	if got := string(rest); !strings.Contains(got, "3 found, 0 reasons to miss some <nil> 0 readings") {
		t.Error(got)
	}
}
