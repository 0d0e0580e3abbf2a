//go:build unix

package backend

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"palimpsest/backend/agent"
	"palimpsest/backend/modeltest"
)

// How the soak works: so many sessions talk side by side, each until it has had so many turns, and then makes place for a new one.
const (
	soakSessions = 50
	soakTurns    = 30
)

// soakSettings leave little room, so that every few turns compact.
const soakSettings = `base_url: %s
model: m-1
context_window: 8000
auto_name: words
permissions: {allow: [write, edit, bash(echo *), bash(sleep *), bash(seq *)]}
`

// TestSoak lets agents work side by side for as long as PALIMPSEST_SOAK says, with tools, compactions, failures and stops: every
// request must be one that a strict API takes, every turn must end as it should, memory must not grow and no goroutine stay.
func TestSoak(t *testing.T) {
	duration, err := time.ParseDuration(os.Getenv("PALIMPSEST_SOAK"))
	if err != nil || duration <= 0 {
		t.Skip("PALIMPSEST_SOAK is not set, to a time such as 30m")
	}
	noModel(t)
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, before) }) // after all that is cleaned up below
	server := modeltest.New(t)
	home := t.TempDir()
	newsMust(t, os.WriteFile(filepath.Join(home, "config.yaml"), fmt.Appendf(nil, soakSettings, server.URL), 0o600))
	b, err := Open(Options{Home: home, Wait: newsDeadline, Resident: true})
	newsMust(t, err)
	t.Cleanup(b.Close)
	s := &soak{T: t, Backend: b, dirs: t.TempDir(), until: time.Now().Add(duration)}
	server.Script(s.model)
	s.listen()
	var working sync.WaitGroup
	for i := range soakSessions {
		working.Go(func() { s.work(rand.New(rand.NewPCG(uint64(i), 1)), i) }) //nolint:gosec // nothing secret
	}
	done := make(chan struct{})
	go func() { working.Wait(); close(done) }()
	heap := s.watch(duration/24, done)
	t.Logf("%d turns (%d stopped, %d failed as they had to), %d requests, %d summaries; heap %v MiB", s.turns.Load(), s.stopped.Load(), s.failed.Load(), s.requests.Load(), s.summaries.Load(), heap)
	if s.summaries.Load() == 0 || s.turns.Load() < soakSessions {
		t.Error("it did not do what it is for")
	}
	flat(t, heap)
}

type soak struct {
	*testing.T
	*Backend
	dirs  string
	until time.Time

	turns, stopped, failed, requests, summaries atomic.Int64
}

// listen is a window: it takes the news as they come.
func (s *soak) listen() {
	var listening sync.WaitGroup
	done := make(chan struct{})
	listening.Go(func() {
		for {
			news, cancel := s.Subscribe() // anew when it fell behind
			for open := true; open; {
				select {
				case _, open = <-news:
				case <-done:
					cancel()
					return
				}
			}
			cancel()
		}
	})
	s.Cleanup(func() { close(done); listening.Wait() })
}

// watch measures what is in use until all is done, in MiB.
func (s *soak) watch(every time.Duration, done <-chan struct{}) (heap []uint64) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return heap
		case <-tick.C:
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			heap = append(heap, m.HeapAlloc>>20)
		}
	}
}

// flat compares the last third with the second: the first one warms up.
func flat(t *testing.T, heap []uint64) {
	t.Helper()
	third := len(heap) / 3
	if third == 0 {
		t.Skip("too short to say anything about memory")
	}
	mean := func(of []uint64) (sum uint64) {
		for _, n := range of {
			sum += n
		}
		return sum / uint64(len(of))
	}
	const slack = 8 // MiB: what happens to be in use at the moment
	if middle, last := mean(heap[third:2*third]), mean(heap[2*third:]); last > middle+middle/5+slack {
		t.Errorf("memory grows: %d MiB in the middle, %d at the end", middle, last)
	}
}

// work talks in one session after the other.
func (s *soak) work(random *rand.Rand, n int) {
	for round := 0; time.Now().Before(s.until) && !s.Failed(); round++ {
		dir := filepath.Join(s.dirs, fmt.Sprintf("%d-%d", n, round))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			s.Error(err)
			return
		}
		made, err := s.New(NewSession{Cwd: dir})
		if err != nil {
			s.Error(err)
			return
		}
		for turn := 0; turn < soakTurns && time.Now().Before(s.until) && !s.Failed(); turn++ {
			s.turn(random, made.ID, turn)
		}
		if _, err := s.Context(made.ID, ContextOptions{}); err != nil {
			s.Error(err)
		}
		if err := s.Trash(s.T.Context(), made.ID); err == nil {
			err = s.Purge(made.ID)
			if err != nil {
				s.Error(err)
			}
		}
	}
}

func (s *soak) turn(random *rand.Rand, id string, turn int) {
	events := make(chan agent.Event, 1<<14)
	sent, err := s.Send(s.T.Context(), id, Outgoing{Text: fmt.Sprintf("turn %d: %s", turn, strings.Repeat("please look ", random.IntN(200)))}, func(e agent.Event) { events <- e })
	if err != nil {
		s.Errorf("sending: %v", err)
		return
	}
	stopAt := -1
	if random.IntN(12) == 0 {
		stopAt = random.IntN(6)
	}
	for n := 0; ; n++ {
		select {
		case e := <-events:
			if n == stopAt {
				_, _ = s.EndTurn(id, sent.TurnID) // it may be over
			}
			if done, ok := e.Data.(agent.Done); ok {
				s.over(&done, stopAt >= 0)
				s.change(random, id)
				return
			}
		case <-time.After(4 * newsDeadline):
			s.Errorf("session %s: a turn does not end", id)
			return
		}
	}
}

// over counts a turn and says whether it ended as turns may here.
func (s *soak) over(done *agent.Done, stopped bool) {
	s.turns.Add(1)
	switch {
	case done.Status == agent.StatusOK:
	case done.Status == agent.StatusAborted && stopped:
		s.stopped.Add(1)
	case done.Status == agent.StatusError && strings.Contains(done.Error.Message, "broke off"), done.Status == agent.StatusError && done.Error.Code == "overflow":
		s.failed.Add(1)
	default:
		s.Errorf("a turn ended with %s: %+v", done.Status, done.Error)
	}
}

// change does by hand what users do between turns.
func (s *soak) change(random *rand.Rand, id string) {
	switch random.IntN(20) {
	case 0:
		if _, err := s.Compact(s.T.Context(), id, Compact{Offline: true}); err != nil {
			s.Errorf("compacting: %v", err)
		}
	case 1:
		if c, err := s.Context(id, ContextOptions{WithoutMessages: true}); err == nil && c.CompactionSeq != nil {
			if _, err := s.Revert(s.T.Context(), id, *c.CompactionSeq); err != nil {
				s.Errorf("reverting: %v", err)
			}
		}
	}
}

// model answers whatever it is asked: with calls as long as it likes, then with text; now and then it fails.
func (s *soak) model(q *modeltest.Asked) {
	n := s.requests.Add(1)
	switch {
	case q.ForSummary():
		s.summaries.Add(1)
		q.Answer("## Goal\nx\n## Constraints & Preferences\n## Progress\n### Done\n### In Progress\n### Blocked\n## Key Decisions\n## Next Steps\n## Critical Context\n")
	case n%101 == 0:
		q.Fail(http.StatusBadRequest, `{"error":{"message":"This model's maximum context length is 8192 tokens.","code":"context_length_exceeded"}}`)
	case n%67 == 0:
		q.Say("Let me").Break()
	case n%31 == 0:
		q.Call(0, "x", "no_such_tool", "{}").Call(1, "x", "read", `{"path":`).End("tool_calls")
	case len(q.Tools) > 0 && n%3 != 0:
		call := q
		for i := range 1 + n%4 {
			name, arguments := soakCall(n + i)
			call = call.Call(int(i), fmt.Sprintf("c%d", i), name, arguments)
		}
		call.End("tool_calls")
	default:
		q.Think("hm").Say(strings.Repeat("word ", 40+int(n%300))).Usage(len(q.Raw)/4, 40).End("stop")
	}
}

func soakCall(n int64) (name, arguments string) {
	switch n % 7 {
	case 0:
		return "write", `{"path":"a.txt","content":"one\ntwo\nthree\n"}`
	case 1:
		return "edit", `{"path":"a.txt","edits":[{"oldText":"two","newText":"2"}]}`
	case 2:
		return "bash", `{"command":"echo hello; sleep 0.01"}`
	case 3:
		return "read", `{"path":"a.txt"}`
	case 4:
		return "grep", `{"pattern":"t"}`
	case 5:
		return "bash", `{"command":"seq 1 4000"}`
	}
	return "ls", `{}`
}
