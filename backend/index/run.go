package index

import (
	"context"
	"errors"
	"sync"
	"time"

	"palimpsest/backend/waits"
)

// run looks at the sessions of a plan, several at a time.
type run struct {
	*search
	from  place
	until time.Time
	tasks []task

	mu      sync.Mutex
	next    int
	results []result
	done    int // tasks before this one are
	hits    int // in those
	stop    bool
	err     error
}

// result is what was found in a session.
type result struct {
	best    *Hit
	counts  map[Scope]int
	n       int
	scanned int
	looked  bool
	whole   bool   // all visits were made
	upto    *visit // the last one made, if time was up
	passed  bool   // something was passed over that was not decided
}

// workersMost bounds how many look at a time.
const workersMost = readers

func (r *run) all(ctx context.Context) (Found, error) {
	var group sync.WaitGroup
	for range min(workersMost, waits.Processors(), len(r.tasks)) {
		group.Go(func() { r.work(ctx) })
	}
	group.Wait()
	if r.err != nil {
		return Found{}, r.err
	}
	return r.found(), nil
}

func (r *run) work(ctx context.Context) {
	for {
		r.mu.Lock()
		i := r.next
		if r.stop || i == len(r.tasks) || r.over() && i > 0 {
			r.mu.Unlock()
			return
		}
		r.next++
		r.mu.Unlock()
		res, err := r.session(ctx, &r.tasks[i], i == 0)
		r.mu.Lock()
		r.took(i, res, err)
		r.mu.Unlock()
	}
}

func (r *run) over() bool { return !r.until.IsZero() && time.Now().After(r.until) }

// took notes a result, and whether that makes enough.
func (r *run) took(i int, res result, err error) {
	if err != nil {
		r.stop = true
		if r.err == nil || errors.Is(r.err, errMissing) {
			r.err = err
		}
		return
	}
	r.results[i] = res
	for r.done < len(r.tasks) && r.results[r.done].looked && r.results[r.done].upto == nil {
		if r.results[r.done].best != nil {
			r.hits++
		}
		r.done++
	}
	if !res.looked || res.upto != nil || r.opts.Limit > 0 && r.hits >= r.opts.Limit && !r.opts.Count {
		r.stop = true
	}
}

// session looks at one session until its best hit is sure. A visit that can't be decided in time waits for the next search, but the first one of
// this: that is passed over, and said.
func (r *run) session(ctx context.Context, t *task, first bool) (res result, err error) {
	res = result{looked: true, counts: map[Scope]int{}}
	s := r.newScan(ctx, t.session)
	var best *hit
	var made *visit
	defer func() {
		if res.scanned = s.scanned; best != nil {
			of := best.of(t.session.id)
			res.best = &of
		}
	}()
	for i := range t.visits {
		v := &t.visits[i]
		if r.from.passedVisit(t.session, v) {
			continue
		}
		if best != nil && !r.opts.Count && !v.mayBeat(best) {
			return res, nil
		}
		first = first && made == nil
		s.begin(r.until, first)
		var hits []hit
		if err := s.visit(ctx, v.unit, func(h hit) { hits = append(hits, h) }); err != nil {
			return res, err
		}
		if s.undecided && !first {
			res.looked, res.upto = made != nil, made
			return res, nil
		}
		res.passed = res.passed || s.undecided
		made = v
		for i := range hits {
			h := &hits[i]
			res.n++
			res.counts[h.chunk.scope]++
			if best == nil || h.beats(best) {
				best = h
			}
		}
		if r.over() && i+1 < len(t.visits) {
			res.upto = v
			return res, nil
		}
	}
	res.whole = true
	return res, nil
}

// mayBeat says whether a visit may have a better hit, or one as good and newer.
func (v *visit) mayBeat(h *hit) bool {
	rank := ranks[h.chunk.scope]
	return v.rank < rank || v.rank == rank && v.last > h.chunk.n
}
