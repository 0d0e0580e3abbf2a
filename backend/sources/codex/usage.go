package codex

import (
	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
)

var counters = sources.Counters{
	Input: []string{"input_tokens"}, Output: []string{"output_tokens"}, CacheRead: []string{"cached_input_tokens"},
	CacheWrite: []string{"cache_write_input_tokens"},
}

// usageOf reads what one answer took. Codex counts cached tokens as input; we don't. Nil is unknown: after a compaction Codex writes
// zeros.
func usageOf(value gjson.Result) *record.Usage {
	input, output := value.Get("input_tokens").Int(), value.Get("output_tokens").Int()
	read, written := value.Get("cached_input_tokens").Int(), value.Get("cache_write_input_tokens").Int()
	if input <= 0 && output <= 0 {
		return nil
	}
	return sources.Plausible(&record.Usage{
		Input: int(max(input-max(read, 0)-max(written, 0), 0)), Output: int(max(output, 0)), CacheRead: int(max(read, 0)),
		CacheWrite: int(max(written, 0)), Untold: counters.Untold(value),
	})
}

// tokenCount takes the usage that a token_count tells, if it tells of another answer than the last did. Newer versions write records
// of their own for this, and repeat them here.
func (r *reader) tokenCount(event gjson.Result) {
	info := event.Get("info")
	if !info.IsObject() {
		r.total = ""
		return
	}
	total := info.Get("total_token_usage").Raw
	if r.recorded || total == r.total {
		return
	}
	r.total = total
	r.used(usageOf(info.Get("last_token_usage")))
}

// theirs tells of what stands for what an answer took that was copied: it is counted in the thread that this one was made from. One that is
// told is never nothing.
func theirs(u *record.Usage) bool { return u != nil && u.IsZero() }

// own is a usage that is counted here, nil for another thread's.
func own(u *record.Usage) *record.Usage {
	if theirs(u) {
		return nil
	}
	return u
}

// used gives a usage to the answer it belongs to: the one in hand, or the next. Early versions told it first.
func (r *reader) used(u *record.Usage) {
	if u == nil {
		return
	}
	r.before, r.size = r.size, int64(u.Input)+int64(u.Output)+int64(u.CacheRead)+int64(u.CacheWrite)
	var took *record.Usage
	if r.inherited {
		u, took = &record.Usage{}, u
	}
	if r.answer != nil && r.answer.Usage == nil {
		r.answer.Usage, r.answer.Took, r.behind = u, took, true
		return
	}
	r.ahead, r.took = u, took
}
