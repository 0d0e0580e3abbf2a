package index

// beats says that a hit is better than another, or newer.
func (h *hit) beats(other *hit) bool {
	rank, before := ranks[h.chunk.scope], ranks[other.chunk.scope]
	return rank < before || rank == before && h.chunk.n > other.chunk.n
}

// found puts together what there is: the sessions up to the limit, or up to where time was up.
func (r *run) found() Found {
	out := Found{Hits: []Hit{}, Counts: map[string]int{}, Scopes: map[Scope]int{}, Blocks: r.view.blocks(), Counted: true}
	end := place{}
	more, short := false, r.from.short
	for i := range r.results {
		res, t := &r.results[i], &r.tasks[i]
		out.Scanned += res.scanned
		short = short || res.passed
		full := r.opts.Limit > 0 && len(out.Hits) == r.opts.Limit
		if !res.looked || !res.whole || res.passed {
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
	out.Complete = !more && !short
	if more {
		out.Cursor = r.end(end, short)
	}
	return out
}

// end is the cursor behind what was looked at.
func (r *run) end(p place, short bool) string {
	if p == (place{}) {
		p = r.from
	}
	p.short = short
	return p.String()
}

func (h *hit) of(id string) Hit {
	out := Hit{ID: id, Seq: h.chunk.seq, Line: h.chunk.line, Part: h.chunk.part, Time: h.chunk.time, Scope: h.chunk.scope}
	out.Before, out.Match, out.After = h.found.excerpt()
	return out
}
