package index

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"
)

// Search looks for a query. Without an answer in the budget it says how far it came; a query that can't be is an error.
func (x *Index) Search(ctx context.Context, q Query, opts Options) (Found, error) {
	s := search{x: x, query: q, opts: opts, scopes: setOf(q.Scopes)}
	var err error
	if s.all, err = newNeedles(q.All); err != nil {
		return Found{}, err
	}
	if s.none, err = newNeedles(q.None); err != nil {
		return Found{}, err
	}
	from, err := parsePlace(opts.Cursor)
	if err != nil {
		return Found{}, err
	}
	var until time.Time
	if opts.Budget > 0 {
		until = time.Now().Add(opts.Budget)
	}
	var out Found
	err = x.do(ctx, "searching the index", func(st *store) error {
		s.store = st
		out, err = s.tries(ctx, from, until)
		return err
	})
	return out, err
}

// tries searches the index as it is, and again if blocks were moved meanwhile.
func (s *search) tries(ctx context.Context, from place, until time.Time) (Found, error) {
	const most = 20
	last := int64(-1)
	for try := 0; ; try++ {
		var err error
		if s.view, err = s.x.look(ctx, s.store); err != nil {
			return Found{}, err
		}
		if last == s.view.state.version {
			return Found{}, fmt.Errorf("%w: %w", errDamaged, errMissing)
		}
		last = s.view.state.version
		out, err := s.once(ctx, from, until)
		if !errors.Is(err, errMissing) || try == most {
			return out, err
		}
	}
}

func (s *search) once(ctx context.Context, from place, until time.Time) (Found, error) {
	s.whole = false
	tasks, err := s.plan(ctx, from)
	if err != nil {
		return Found{}, err
	}
	if s.opts.Session != "" {
		return s.one(ctx, tasks, from, until)
	}
	r := &run{search: s, from: from, until: until, tasks: tasks, results: make([]result, len(tasks))}
	return r.all(ctx)
}

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
}

// workersMost bounds how many look at a time.
const workersMost = readers

func (r *run) all(ctx context.Context) (Found, error) {
	var group sync.WaitGroup
	for range min(workersMost, runtime.GOMAXPROCS(0), len(r.tasks)) {
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
		res, err := r.session(ctx, &r.tasks[i])
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
	if res.upto != nil || r.opts.Limit > 0 && r.hits >= r.opts.Limit && !r.opts.Count {
		r.stop = true
	}
}

// session looks at one session until its best hit is sure.
func (r *run) session(ctx context.Context, t *task) (res result, err error) {
	res = result{looked: true, counts: map[Scope]int{}}
	s := r.newScan(ctx, t.session)
	var best *hit
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
		if err := s.visit(ctx, v.unit, func(h hit) {
			res.n++
			res.counts[h.chunk.scope]++
			if best == nil || h.beats(best) {
				best = &h
			}
		}); err != nil {
			return res, err
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

// beats says that a hit is better than another, or newer.
func (h *hit) beats(other *hit) bool {
	rank, before := ranks[h.chunk.scope], ranks[other.chunk.scope]
	return rank < before || rank == before && h.chunk.n > other.chunk.n
}

// found puts together what there is: the sessions up to the limit, or up to where time was up.
func (r *run) found() Found {
	out := Found{Hits: []Hit{}, Counts: map[string]int{}, Scopes: map[Scope]int{}, Blocks: r.view.blocks(), Counted: true}
	end := place{}
	more := false
	for i := range r.results {
		res, t := &r.results[i], &r.tasks[i]
		out.Scanned += res.scanned
		full := r.opts.Limit > 0 && len(out.Hits) == r.opts.Limit
		if !res.looked || !res.whole {
			out.Counted = false
		}
		if i < r.done || i == r.done && res.looked {
			if res.n > 0 {
				out.Counts[t.session.id] = res.n
			}
			for scope, n := range res.counts {
				out.Scopes[scope] += n
			}
		}
		switch {
		case more:
		case full:
			more = res.best != nil || !res.looked || res.upto != nil
		case i < r.done || res.upto != nil && res.best != nil:
			if res.best != nil {
				out.Hits = append(out.Hits, *res.best)
			}
			end = place{updated: toNano(t.session.updated), id: t.session.id, whole: true}
		case res.upto != nil:
			end = place{updated: toNano(t.session.updated), id: t.session.id, rank: res.upto.rank, last: res.upto.last}
			more = true
		default:
			more = true
		}
	}
	out.Complete = !more
	if more {
		out.Cursor = r.end(end)
	}
	return out
}

// end is the cursor behind what was looked at.
func (r *run) end(p place) string {
	if p == (place{}) {
		p = r.from
	}
	return p.String()
}

func (h *hit) of(id string) Hit {
	out := Hit{ID: id, Seq: h.chunk.seq, Line: h.chunk.line, Time: h.chunk.time, Scope: h.chunk.scope}
	out.Before, out.Match, out.After = h.found.excerpt()
	return out
}
