package backend

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// What a scan reads is soon garbage. With the usual rule, memory is cleared when as much again was allocated as is in use: a scan that
// holds little would clear it all the time, and one in a large session let too much stand. So it is cleared after so much was allocated,
// and, where much more than that is in use, after an eighth of that; and what was cleared goes back to the system before all of it is
// more than spaceMost, as long as what is in use leaves room for that. Where it leaves little, as while a large session is read and thousands are
// listed, no more than spaceLeast is added, or a quarter of what is in use: the more that is, the longer it takes to look through it.
const (
	headroom     = 24 << 20
	percentLeast = 12
	percentMost  = 400
	percentAmple = 200
	spaceMost    = 64 << 20
	spaceLeast   = 12 << 20
	// leanFrom is how long a log is whose context may take more memory than all else.
	leanFrom = 16 << 20
)

// percentFor is the rule for what is in use.
func percentFor(live uint64) int {
	const all = 100
	return int(min(max(headroom*all/max(live, 1), percentLeast), percentMost))
}

// limitFor is how much memory there may be for what is in use, and what the program has beside that: without room to work in, the collector
// would run all the time.
func limitFor(live, beside uint64) int64 {
	const part = 4
	room := min(max(live/part, spaceLeast), headroom)
	return int64(max(live+beside+room, spaceMost)) //nolint:gosec // of memory that there is
}

// memoryNow is how much memory is in use, and how much the program has that no clearing gives back: what the collector notes, stacks, and
// gaps between what is in use, of which there are more the longer it runs. It is not known of a runtime that does not tell.
func memoryNow() (live, beside uint64, known bool) {
	const heapLive, total, released, objects, free = 0, 1, 2, 3, 4
	all := []metrics.Sample{
		heapLive: {Name: "/gc/heap/live:bytes"},
		total:    {Name: "/memory/classes/total:bytes"},
		released: {Name: "/memory/classes/heap/released:bytes"},
		objects:  {Name: "/memory/classes/heap/objects:bytes"},
		free:     {Name: "/memory/classes/heap/free:bytes"},
	}
	metrics.Read(all)
	for i := range all {
		if all[i].Value.Kind() != metrics.KindUint64 {
			return 0, 0, false
		}
	}
	of := func(i int) uint64 { return all[i].Value.Uint64() }
	return of(heapLive), of(total) - min(of(total), of(released)+of(objects)+of(free)), true
}

// leaning counts those who want it so.
var leaning struct {
	mu   sync.Mutex
	n    int
	rule *lean
	// ample tells that somebody wants the opposite, and usual is the rule that is set when he has it no more.
	ample bool
	usual int
}

// amply has memory cleared half as often until end is called: most of what a list makes stays as long as it is made, and a first list has
// that looked through a dozen times else. Who wants memory lean has it lean.
func amply() (end func()) {
	leaning.mu.Lock()
	defer leaning.mu.Unlock()
	if leaning.n > 0 || leaning.ample {
		return func() {}
	}
	leaning.ample, leaning.usual = true, debug.SetGCPercent(percentAmple)
	return func() {
		leaning.mu.Lock()
		defer leaning.mu.Unlock()
		leaning.ample = false
		if leaning.n == 0 {
			debug.SetGCPercent(leaning.usual)
		}
	}
}

// leanly has memory cleared by that rule until all who wanted it have called end.
func leanly() (end func()) {
	leaning.mu.Lock()
	defer leaning.mu.Unlock()
	if leaning.n++; leaning.n == 1 {
		l := &lean{percent: percentLeast, before: debug.SetGCPercent(percentLeast), allowed: debug.SetMemoryLimit(-1)}
		if leaning.ample {
			l.before = leaning.usual
		}
		l.watch()
		leaning.rule = l
	}
	return sync.OnceFunc(func() {
		leaning.mu.Lock()
		defer leaning.mu.Unlock()
		if leaning.n--; leaning.n == 0 {
			leaning.rule.end()
		}
	})
}

// leanFor is [leanly] if the log of a session of ours is long.
func (b *Backend) leanFor(id string) (end func()) {
	if info, err := os.Stat(b.store.LogPath(id)); err == nil && info.Size() > leanFrom {
		return leanly()
	}
	return func() {}
}

// lean follows the collector: the rule is set anew whenever that has run.
type lean struct {
	mu      sync.Mutex
	ended   bool
	before  int
	allowed int64
	percent int
}

// watch makes something that nobody holds, and so hears of the next time that memory is cleared.
func (l *lean) watch() {
	const few = 32 // bytes: with less, it would stand beside something else that may stay
	gone := new([few]byte)
	runtime.AddCleanup(gone, func(l *lean) { l.cleared() }, l)
}

func (l *lean) cleared() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return
	}
	live, beside, known := memoryNow()
	if !known {
		return
	}
	const near = 10 // setting it stops the program for a moment
	if percent := percentFor(live); percent > l.percent+near || percent < l.percent-near {
		l.percent = percent
		debug.SetGCPercent(percent)
	}
	debug.SetMemoryLimit(min(limitFor(live, beside), l.allowed))
	l.watch()
}

func (l *lean) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	debug.SetGCPercent(l.before)
	debug.SetMemoryLimit(l.allowed)
}
