package claudecode

import (
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
	"palimpsest/backend/siphash"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// synthetic is the model of answers that Claude Code wrote itself.
const synthetic = "<synthetic>"

// span is where a line stands.
type span struct{ offset, length int64 }

// index is what a first pass over a file remembers: what a row needs of rows behind it.
type index struct {
	// name is that of the file.
	name string
	// answers are those with several rows.
	answers answers
	// summaries are the rows of summaries, by the offset of the boundary they belong to; taken are the offsets of those.
	summaries map[int64]span
	taken     map[int64]bool
	// ids are numbers of rows, one for each id.
	ids many.IDs
	// spans are where they stand, by these numbers, and sums tell apart what they say. Of rows with one id that say different things, or hang
	// below different ones, the last counts, as for Claude Code: where that stands is noted, though its place is that of the first.
	spans many.List[span]
	sums  many.List[uint64]
	by    siphash.Key // of the sums
	// own is where the first row of the session itself stands, none if it is negative: rows of another one before it are copies.
	own int64
	// theirs is where the last row stands that says of itself that it was copied: so were those before it, which may not say so.
	theirs int64
	// open is the boundary that has no summary yet, none if it is negative.
	open int64
	bare bare
	// first is the first row of an answer, by message id and request. It is forgotten when a person has said something: ids have come back
	// in later answers.
	first firsts
	has   own
	row   jsonl.Fields `keep:"-"`
	// from is where the part of the file begins that is new; back tells that a row of it changes what stands before.
	from int64
	back bool
}

func newIndex(name string, sub bool) *index {
	return &index{
		name: name, has: own{sub: sub}, summaries: map[int64]span{}, taken: map[int64]bool{}, own: -1, open: -1, bare: newBare(), by: siphash.Ours(),
	}
}

// number is that of the id of a row that stands somewhere; known tells that a row had it before.
func (x *index) number(id string, at span) (n int, known bool) {
	if n, known = x.ids.Get(id); !known {
		n = x.ids.Len()
		x.ids.Put(id, n)
		x.spans.Add(at)
	}
	return n, known
}

func (x *index) line(line sources.Line, object gjson.Result) error {
	rec := x.row.Read(object)
	if x.own < 0 && rec.Get("sessionId").Str == x.name && spoke(rec.Get("type").Str) {
		x.own = line.Offset
		x.back = x.back || x.from > 0 // rows before it may be copies after all
	}
	if line.Offset > x.theirs && saysCopied(rec) {
		x.theirs = line.Offset
		x.back = x.back || x.from > 0
	}
	if !x.has.has(rec) {
		return nil
	}
	id, here := jsonl.Text(rec.Get("uuid")), span{line.Offset, line.Length}
	if id != "" {
		n, twice := x.number(id, here)
		sum := x.sumOf(rec)
		for x.sums.Len() <= n {
			x.sums.Add(sum)
		}
		if twice {
			if x.sums.At(n) != sum {
				x.sums.Set(n, sum)
				x.back = x.back || x.spans.At(n).offset < x.from
				x.spans.Set(n, here)
			}
			return nil
		}
	}
	switch rec.Get("type").Str {
	case "assistant":
		x.answer(here, rec)
	case "system":
		if rec.Get("subtype").Str == "compact_boundary" {
			x.open = line.Offset
			x.bare.put(id, line.Offset)
		}
	case "user":
		if rec.Get("isCompactSummary").Bool() && x.open >= 0 {
			x.summaries[x.open], x.taken[line.Offset] = here, true
			x.back = x.back || x.open < x.from
			x.bare.drop()
			x.open = -1
		}
		if !hasResult(rec.Get("message.content")) && !rec.Get("isMeta").Bool() {
			x.first.clear()
		}
	}
	if above, is := x.bare.below(rec); is {
		x.back = x.back || above < x.from
	}
	return nil
}

// sumOf tells apart rows of one id.
func (x *index) sumOf(rec jsonl.Object) uint64 {
	h := x.by.New()
	for _, member := range []string{"parentUuid", "message"} {
		h.WriteString(rec.Get(member).Raw)
		h.Add(0)
	}
	return h.Sum()
}

// spoke tells of rows of the conversation.
func spoke(kind string) bool { return kind == "user" || kind == "assistant" }

// saysCopied tells of a row that names the session it was copied from.
func saysCopied(rec jsonl.Object) bool {
	origin := jsonl.Text(rec.Get("requestSessionId"))
	return origin != "" && origin != jsonl.Text(rec.Get("sessionId")) || rec.Get("forkedFrom").IsObject()
}

// copied tells of a row of another session that stands before those of this one, and of rows before one that was copied. A row of
// another session behind those of this one, or in a file with no other, was said here: no other file need have it.
func (x *index) copied(offset int64, session string) bool {
	return offset < x.theirs || session != "" && session != x.name && offset < x.own
}

func (x *index) answer(here span, rec *jsonl.Fields) {
	id := jsonl.Text(rec.Get("message.id"))
	if id == "" || rec.Get("isApiErrorMessage").Bool() {
		return
	}
	key := strings.Join([]string{id, rec.Get("requestId").Str, rec.Get("requestRef").Str, rec.Get("agentId").Str}, "\x00")
	first := x.first.of(key, here.offset)
	x.back = x.back || first < x.from
	if first != here.offset {
		x.answers.add(first, here)
	}
}
