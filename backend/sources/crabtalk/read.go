package crabtalk

import (
	"hash/fnv"
	"io"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// reader is the reading of one session.
type reader struct {
	log   *sources.Log `keep:"-"`
	begun bool
	// answer waits for what the end of its run tells of it.
	answer *sources.Message
	at     time.Time
	// summary is the one that the metadata has, which is that of the last compaction, and last that compaction's entry.
	summary, last string
	// memory may have all of them, and told are sums of those that it had, by the names that compactions say.
	memory *memory `keep:"-"`
	told   map[string]uint64
}

// newReader reads the session whose file is at path.
func newReader(log *sources.Log, path string) *reader {
	return &reader{log: log, memory: memoryOfSession(path)}
}

// record reads one, whichever form it comes from.
func (r *reader) record(rec gjson.Result, entry string) error {
	first := !r.begun
	r.begun = true
	switch kindOf(rec, first) {
	case message:
		r.flush()
		r.message(rec, entry)
	case compaction:
		r.flush()
		r.compaction(rec, entry)
	case event:
		r.event(rec, entry)
	case metadata:
		r.flush()
		r.summary = jsonl.Text(rec.Get("summary"))
		r.note("meta", rec, entry)
	case other:
		r.flush()
		r.note("unknown", rec, entry)
	}
	return r.log.Err()
}

func (r *reader) note(kind string, rec gjson.Result, entry string) {
	r.log.Note(sources.Note{Meta: sources.Meta{Time: r.at, Entry: entry}, Namespace: "crabtalk." + kind, Data: glean.Raw(rec)})
}

// overlong tells of a record that is too long to be read.
func (r *reader) overlong(entry string, large *glean.LargeError) {
	r.flush()
	r.log.Overlong(entry, "record", large.Bytes)
}

// flush writes the answer that waits.
func (r *reader) flush() {
	if r.answer != nil {
		r.log.Message(*r.answer)
		r.answer = nil
	}
}

// asItStands is how CrabTalk says a summary: as a user's message without any words of its own (RFC 0064).
var asItStands = &record.Frame{}

func (r *reader) compaction(rec gjson.Result, entry string) {
	summary := jsonl.Text(rec.Get("compact"))
	if inner := rec.Get("compact"); inner.IsObject() {
		summary = jsonl.Text(inner.Get("summary"))
	}
	if summary == "" { // it says under which name the agent's memory has it
		summary = r.remembered(jsonl.Text(rec.Get("archive_name")))
	}
	if summary == "" && entry == r.last {
		summary = r.summary
	}
	r.log.Compaction(sources.Compaction{
		Meta:    sources.Meta{Time: jsonl.Time(rec.Get("archived_at")), Entry: entry, More: jsonl.Rest(rec, "compact")},
		Summary: summary, Frame: asItStands, Trigger: "unknown",
	})
}

// remembered is the summary that the memory has under a name.
func (r *reader) remembered(name string) string {
	text := r.memory.text(name)
	if name != "" {
		if r.told == nil {
			r.told = map[string]uint64{}
		}
		r.told[name] = sumOf(text)
	}
	return text
}

// asTold tells whether the memory has the same summaries as when it was asked for them.
func (r *reader) asTold() bool {
	for name, sum := range r.told {
		if sumOf(r.memory.text(name)) != sum {
			return false
		}
	}
	return true
}

func sumOf(text string) uint64 {
	sum := fnv.New64a()
	_, _ = io.WriteString(sum, text) // it never fails
	return sum.Sum64()
}

// event tells of a run. The end of one says which model it was, and what it took if it was one request.
func (r *reader) event(rec gjson.Result, entry string) {
	if at := jsonl.Time(rec.Get("ts")); !at.IsZero() {
		r.at = at
	}
	if rec.Get("event").Str == "done" && r.answer != nil {
		r.answer.Time, r.answer.Model = r.at, jsonl.Text(rec.Get("model"))
		if rec.Get("iterations").Int() <= 1 {
			r.answer.Usage = usage(rec.Get("usage"))
		}
		if reason := rec.Get("stop_reason").Str; reason == "end_turn" || reason == "stop" || reason == "text_response" {
			r.answer.StopReason = "stop"
		}
	}
	r.flush()
	r.note("event", rec, entry)
}

// counters are those of both forms.
var counters = sources.Counters{
	Input: []string{"input_tokens", "prompt_tokens"}, Output: []string{"completion_tokens", "output_tokens"},
	CacheRead:  []string{"cache_read_input_tokens", "prompt_cache_hit_tokens", "prompt_tokens_details.cached_tokens"},
	CacheWrite: []string{"cache_creation_input_tokens"},
}

// usage is nil where nobody counted.
func usage(value gjson.Result) *record.Usage {
	n := func(names ...string) int {
		for _, name := range names {
			if v := value.Get(name); v.Type == gjson.Number && v.Num > 0 && v.Num < record.MaxSeq {
				return int(v.Num)
			}
		}
		return 0
	}
	u := record.Usage{CacheRead: n(counters.CacheRead...), CacheWrite: n(counters.CacheWrite...), Output: n(counters.Output...)}
	if u.Input = n("input_tokens"); u.Input == 0 { // that of OpenAI includes what was cached
		u.Input = max(n("prompt_tokens")-u.CacheRead, 0)
	}
	if u.IsZero() {
		return nil
	}
	u.Untold = counters.Untold(value)
	return &u
}
