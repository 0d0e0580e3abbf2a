package claudecode

import (
	"palimpsest/backend/record"
	"palimpsest/backend/sources"
)

// kept is what the last compaction that kept something did. Claude Code reads what it kept as standing behind it, though it was written
// before: a row below a kept one has the summary before it.
type kept struct {
	compaction sources.Compaction
	at         spot
	// again are the places behind the compaction that go on from a kept row, nowhere for what nobody went on from yet.
	again map[spot]spot
}

// head is the first of the rows that stay, if it is on the path. All tells that as much was afforded as it takes to know.
func (r *reader) head(ids []string) (head spot, all bool) {
	if len(ids) == 0 {
		return nowhere, true
	}
	head = r.placeOf(ids[0])
	for n := r.at; n != nowhere && head != nowhere; n = r.node(n).prev {
		if n == head {
			return head, true
		}
		if !r.afford(1) {
			return head, false
		}
	}
	return nowhere, true
}

// keepsEnds notes one that keeps what is between two rows.
func (r *reader) keepsEnds(at spot, ids []string, c sources.Compaction) {
	r.kept = kept{c, at, map[spot]spot{r.placeOf(ids[0]): at, r.placeOf(ids[len(ids)-1]): at}}
}

// keeps notes a compaction that keeps rows, of which head is where the first stands. What ends there goes on behind it; what has to leave some
// of it behind does so where a row asks for it, or where it stands if it is what was before the summary.
func (r *reader) keeps(at, head spot, ids []string, before bool, c sources.Compaction) {
	if head == nowhere {
		return
	}
	r.kept = kept{c, at, map[spot]spot{}}
	if len(c.Replacement) > 0 {
		for _, id := range ids {
			to := r.placeOf(id)
			if r.kept.again[to] = at; before {
				r.kept.again[to] = to
			}
		}
		r.kept.again[r.placeOf(ids[len(ids)-1])] = at
		return
	}
	last := true
	for n := r.node(at).prev; ; n = r.node(n).prev {
		r.kept.again[n] = nowhere
		if last {
			r.kept.again[n] = at
		}
		last = last && r.node(n).kind == aside
		if n == head {
			return
		}
	}
}

// gone tells of a place before the compaction that it did not keep. Claude Code has forgotten what stands there: a row below goes on behind
// what was kept.
func (k *kept) gone(at spot) bool {
	_, is := k.again[at]
	return k.again != nil && !is && at != nowhere && at < k.at
}

// behind is where a row goes on that stands below another: behind the compaction, if that kept it up to there.
func (r *reader) behind(to spot, isResult bool) spot {
	switch at, is := r.kept.again[to]; {
	case is && at != nowhere:
		return at
	case is && isResult, // of a call that was kept
		r.kept.gone(to):
		return r.kept.at
	}
	return to
}

// restate says the compaction again behind a row that it kept and somebody goes back to, where the log stands.
func (r *reader) restate(to spot, m sources.Meta) {
	if at, is := r.kept.again[to]; !is || at != nowhere {
		return
	}
	c := r.kept.compaction
	c.Meta, c.Trigger = m, record.TriggerEdit
	c.Entry += "/kept"
	c.Same = ""
	r.kept.again[to] = r.stand("", r.log.Compaction(c), turn)
}
