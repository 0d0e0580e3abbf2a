package claudecode

import (
	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// kept is what the last compaction that kept something did. Claude Code reads what it kept as standing behind it, though it was written
// before: a row below a kept one has the summary before it.
type kept struct {
	compaction sources.Compaction
	at         spot
	// again are the places behind the compaction that go on from a kept row, nowhere for what nobody went on from yet.
	again map[spot]spot
}

// head is the first row that stays, if it is on the path.
func (r *reader) head(about gjson.Result) spot {
	head := r.placeOf(jsonl.Text(about.Get("preservedSegment.headUuid")))
	if head == nowhere {
		head = r.placeOf(jsonl.Text(about.Get("preservedMessages.uuids.0")))
	}
	for n := r.at; n != nowhere && head != nowhere; n = r.node(n).prev {
		if n == head {
			return head
		}
	}
	return nowhere
}

// keeps notes a compaction that keeps what stands from head to it. What ends there goes on behind it; what has to leave some of it
// behind does so where a row asks for it.
func (r *reader) keeps(at, head spot, c sources.Compaction) {
	if head == nowhere {
		return
	}
	r.kept = kept{c, at, map[spot]spot{}}
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
	r.kept.again[to] = r.stand("", r.log.Compaction(c), turn, false)
}
