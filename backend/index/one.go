package index

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// numbered is a hit with the number of its text.
type numbered struct {
	n   int64
	hit Hit
}

// one finds all hits of one session, in order.
func (s *search) one(ctx context.Context, tasks []task, from place, until time.Time) (Found, error) {
	out := Found{Hits: []Hit{}, Counts: map[string]int{}, Scopes: map[Scope]int{}, Blocks: s.view.blocks(), Complete: !from.short}
	if len(tasks) == 0 {
		out.Counted = true
		return out, nil
	}
	t := tasks[0]
	after, short := int64(-1), from.short
	if s.opts.Cursor != "" {
		after = from.last
	}
	var hits []numbered
	scan := s.newScan(ctx, t.session)
	for i := range t.visits {
		v := &t.visits[i]
		if v.last <= after {
			continue
		}
		late := !until.IsZero() && time.Now().After(until)
		enough := s.opts.Limit > 0 && len(hits) > s.opts.Limit && v.first > hits[s.opts.Limit].n
		if scan.scanned > 0 && (late || enough) {
			out.Cursor = t.wait(v, &hits, short)
			break
		}
		first := scan.scanned == 0
		scan.begin(until, first)
		if err := scan.visit(ctx, v.unit, func(h hit) {
			if h.chunk.n > after {
				hits = append(hits, numbered{h.chunk.n, h.of(t.session.id)})
			}
		}); err != nil {
			return Found{}, err
		}
		if scan.undecided && !first {
			out.Cursor = t.wait(v, &hits, short)
			break
		}
		short = short || scan.undecided
		slices.SortFunc(hits, func(a, b numbered) int { return cmp.Compare(a.n, b.n) })
	}
	if most := s.opts.Limit; most > 0 && len(hits) > most {
		hits = hits[:most]
		out.Cursor = place{last: hits[most-1].n, id: t.session.id, short: short}.String()
	}
	out.Complete = out.Cursor == "" && !short
	for _, h := range hits {
		out.Hits = append(out.Hits, h.hit)
		out.Scopes[h.hit.Scope]++
	}
	out.Counts[t.session.id] = len(hits)
	out.Scanned = scan.scanned
	out.Counted = out.Complete && s.opts.Cursor == ""
	return out, nil
}

// wait is the cursor with which a visit and what is behind its beginning waits; hits there are found again.
func (t *task) wait(v *visit, hits *[]numbered, short bool) string {
	*hits = slices.DeleteFunc(*hits, func(h numbered) bool { return h.n >= v.first })
	return place{last: v.first - 1, id: t.session.id, short: short}.String()
}
