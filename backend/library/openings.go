package library

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"

	"palimpsest/backend/inode"
)

// openings are the sessions that are read in the background, or could not be.
type openings struct {
	mu sync.Mutex
	of map[Ref]*opening
	// under is how many are being read, and idle is closed once none is; nil if nobody waits for that.
	under int
	idle  chan struct{}
}

// opening is one of them.
type opening struct {
	latest *excerpting
	// reading tells that it is being read, problem why it could not be.
	reading bool
	problem error
	// cancel ends the reading; left tells that nobody waits for one that has not begun.
	cancel  context.CancelCauseFunc
	left    bool
	through atomic.Int64
}

// excerpting is an excerpt in the making, of a file in one state; what is beside ready is known once that is closed.
type excerpting struct {
	state   string
	ready   chan struct{}
	excerpt *Excerpt
}

// stateOf tells one state of a file from another.
func stateOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return "gone"
	}
	return fmt.Sprint(info.ModTime(), inode.Number(info), inode.Changed(info))
}

// join returns the excerpt of a session in a state; mine tells that the caller has to make it.
func (x *openings) join(ref Ref, state string) (e *excerpting, mine bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	one := x.of[ref]
	if one == nil {
		x.forget()
		one = &opening{}
		x.put(ref, one)
	}
	one.left = false
	if one.latest != nil && one.latest.state == state {
		return one.latest, false
	}
	one.latest = &excerpting{state: state, ready: make(chan struct{})}
	return one.latest, true
}

func (x *openings) put(ref Ref, one *opening) {
	if x.of == nil {
		x.of = map[Ref]*opening{}
	}
	x.of[ref] = one
}

// forget drops those that could not be read: another one is looked at now.
func (x *openings) forget() {
	for ref, one := range x.of {
		if one.problem != nil && !one.reading {
			delete(x.of, ref)
		}
	}
}

// made takes an excerpt; first tells that the caller has to read the session. Without one there is nothing to wait behind.
func (x *openings) made(ref Ref, e *excerpting, excerpt *Excerpt, err error) (first bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	defer close(e.ready)
	one := x.of[ref]
	if err != nil || one == nil || one.left {
		if one != nil && !one.reading {
			delete(x.of, ref)
		}
		return false
	}
	e.excerpt = excerpt
	if one.reading {
		return false
	}
	x.begin(one)
	return true
}

// begin notes that a session is being read. The caller holds mu.
func (x *openings) begin(one *opening) {
	one.reading, one.problem = true, nil
	one.through.Store(0)
	x.under++
}

// again notes that a session is to be read once more, unless it is being read; first tells that the caller has to.
func (x *openings) again(ref Ref) (first bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	one := x.of[ref]
	if one == nil {
		one = &opening{}
		x.put(ref, one)
	}
	if one.reading {
		return false
	}
	x.begin(one)
	return true
}

// end notes that a session was read, or could not be.
func (x *openings) end(ref Ref, why error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if one := x.of[ref]; one != nil {
		if one.reading, one.problem = false, why; why == nil {
			delete(x.of, ref)
		}
	}
	if x.under--; x.under == 0 && x.idle != nil {
		close(x.idle)
		x.idle = nil
	}
}

// underway tells whether a session is being read.
func (x *openings) underway(ref Ref) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	one := x.of[ref]
	return one != nil && one.reading
}

var always = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// quiet is closed when nothing is being read.
func (x *openings) quiet() <-chan struct{} {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.under == 0 {
		return always
	}
	if x.idle == nil {
		x.idle = make(chan struct{})
	}
	return x.idle
}

func (x *openings) meter(ref Ref) *atomic.Int64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	if one := x.of[ref]; one != nil {
		return &one.through
	}
	return new(atomic.Int64)
}

// tell is what there is of a session: nil if that is nothing, or more by now.
func (x *openings) tell(ref Ref, e *excerpting) *Opening {
	x.mu.Lock()
	defer x.mu.Unlock()
	one := x.of[ref]
	if one == nil || e.excerpt == nil {
		return nil
	}
	return &Opening{e.excerpt, one.progress(), one.problem}
}

func (x *openings) progress(ref Ref) Progress {
	x.mu.Lock()
	defer x.mu.Unlock()
	if one := x.of[ref]; one != nil {
		return one.progress()
	}
	return Progress{}
}

// progress counts what the excerpt has, and knows from it how often the source goes through a file.
func (o *opening) progress() Progress {
	if o.latest == nil || o.latest.excerpt == nil {
		return Progress{}
	}
	e := o.latest.excerpt
	p := Progress{e.Read, e.Total}
	if e.passes >= 1 {
		p.Done = min(p.Of, max(p.Done, int64(float64(o.through.Load())/e.passes)))
	}
	return p
}

// Excerpted is the excerpt that was last told of a session that is being read; nil if there is none.
func (l *Library) Excerpted(ref Ref) *Excerpt {
	x := &l.openings
	x.mu.Lock()
	defer x.mu.Unlock()
	if one := x.of[ref]; one != nil && one.latest != nil {
		return one.latest.excerpt
	}
	return nil
}
