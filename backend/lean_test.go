package backend

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"palimpsest/backend/session"
)

// TestLean: memory is cleared after a fixed part where little is in use, and the rule ends with the scan.
func TestLean(t *testing.T) {
	for live, want := range map[uint64]int{0: percentMost, headroom / 8: percentMost, headroom: 100, 2 * headroom: 50, 100 * headroom: percentLeast} {
		if got := percentFor(live); got != want {
			t.Errorf("%d bytes: %d, not %d", live, got, want)
		}
	}
	for _, beside := range []uint64{0, spaceMost / 2} {
		full := spaceMost - spaceLeast - beside
		for live, want := range map[uint64]int64{
			0: spaceMost, full / 2: spaceMost, 1 << 30: int64(1<<30 + beside + headroom), //nolint:gosec // as below
			4 * spaceLeast: int64(max(spaceMost, 5*spaceLeast+beside)), spaceMost: int64(spaceMost + spaceMost/4 + beside),
		} {
			if got := limitFor(live, beside); got != want {
				t.Errorf("%d bytes, and %d beside them: at most %d, not %d", live, beside, got, want)
			}
		}
	}
	before := debug.SetGCPercent(77)
	defer debug.SetGCPercent(before)
	const own = 1 << 40
	allowed := debug.SetMemoryLimit(own)
	defer debug.SetMemoryLimit(allowed)
	end, another := leanly(), leanly()
	for range 3 {
		runtime.GC()
	}
	end()
	end()
	runtime.GC()
	if got := debug.SetGCPercent(percentLeast); got == 77 {
		t.Error("the rule ended with the first of two who wanted it")
	}
	if got := debug.SetMemoryLimit(-1); got == own {
		t.Error("there is no limit")
	}
	another()
	runtime.GC()
	if got := debug.SetGCPercent(77); got != 77 {
		t.Errorf("the rule stayed: %d", got)
	}
	if got := debug.SetMemoryLimit(-1); got != own {
		t.Errorf("the limit stayed: %d", got)
	}
}

// TestLeanLeavesRoom: what the program has beside what is in use takes nothing of the room to work in.
func TestLeanLeavesRoom(t *testing.T) {
	const pieces, size = 20_000, 4 << 10
	gaps := make([][]byte, 2*pieces)
	for i := range gaps {
		gaps[i] = make([]byte, size)
	}
	for i := range pieces { // half of each run of memory stays in use
		gaps[2*i] = nil
	}
	defer leanly()()
	for range 3 {
		runtime.GC()
	}
	goal := []metrics.Sample{{Name: "/gc/heap/goal:bytes"}}
	for end := time.Now().Add(10 * time.Second); ; {
		metrics.Read(goal)
		live, beside, known := memoryNow()
		if !known || beside < pieces*size/2 {
			t.Fatalf("%d bytes in gaps, known: %t", beside, known)
		}
		if room := int64(goal[0].Value.Uint64()) - int64(live); room > spaceLeast*3/4 {
			break
		} else if time.Now().After(end) {
			t.Fatalf("%d bytes of room with %d in use, and %d beside", room, live, beside)
		}
		runtime.GC()
	}
	runtime.KeepAlive(gaps)
}

// TestAmple: a list has memory cleared less often, unless somebody wants it lean, and whoever ends last leaves the rule that there was.
func TestAmple(t *testing.T) {
	before := debug.SetGCPercent(77)
	defer debug.SetGCPercent(before)
	rule := func(want int, when string) {
		t.Helper()
		now := debug.SetGCPercent(77)
		if now != want {
			t.Errorf("%s: %d, not %d", when, now, want)
		}
		debug.SetGCPercent(now)
	}
	list, another := amply(), amply()
	another()
	rule(percentAmple, "one of two lists is there")
	scan := leanly()
	rule(percentLeast, "a scan began")
	list()
	rule(percentLeast, "the list is there")
	scan()
	rule(77, "the scan has ended, too")

	scan = leanly()
	list = amply()
	rule(percentLeast, "a list during a scan")
	list()
	scan()
	rule(77, "both have ended")

	list = amply()
	scan = leanly()
	scan()
	list()
	rule(77, "a scan during a list")
}

// TestShowIsLean: while a long log is shown, memory is cleared of what was made of one line before much is made of the next.
func TestShowIsLean(t *testing.T) {
	b := abroad(t, t.TempDir())
	for text, want := range map[int]bool{1: false, leanFrom: true} {
		ours, err := b.store.Import(session.New{}, []byte(said(1, "user", strings.Repeat("x", text))))
		newsMust(t, err)
		wants := func() bool {
			leaning.mu.Lock()
			defer leaning.mu.Unlock()
			return leaning.n > 0
		}
		newsMust(t, b.Show(t.Context(), ours.ID, ShowOptions{}, func(*Shown) error {
			if wants() != want {
				t.Errorf("of %d bytes: %t", text, !want)
			}
			return nil
		}))
		if wants() {
			t.Error("the rule stays")
		}
	}
}
