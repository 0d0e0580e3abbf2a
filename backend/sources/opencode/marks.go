package opencode

import (
	"slices"

	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// look is shown each message of the session before any is read.
func (s *course) look(m row) {
	info := gjson.ParseBytes(m.data)
	if info.Get("finish").Exists() && !s.finishes {
		s.finishes, s.finishing = true, s.place(m.id)
	}
	if summary(info) {
		well := failure(info).name == ""
		finish := info.Get("finish").Str != ""
		s.answers.Add(m.id)
		s.answered.Add(jsonl.Text(info.Get("parentID")))
		s.ends.Add(end{finished: well && finish, ended: well && ended(info), open: well && !finish && !ended(info)})
	}
}

// put tells where all messages stand, and what answers what. So many of them were written already: it tells whether these are to be written as
// they were.
func (s *course) put(order *many.Texts, written int) (same bool) {
	were := s.turns
	s.turns = many.List[known]{}
	for i := range order.Len() {
		one := known{marking: marking{tail: -1, kept: -1}, first: -1, to: -1, before: -1}
		if i < written {
			one.marking = were.At(i).marking
		} else {
			s.places.Put(order.At(i), i)
		}
		s.turns.Add(one)
	}
	s.last, s.come, s.tailed, s.settled = order.Len()-1, 0, -1, -1
	if written == 0 {
		s.newest = -1
	}
	s.relate()
	for i := range written {
		if s.turns.At(i) != were.At(i) {
			return false
		}
	}
	return true
}

// back forgets the messages from a place on.
func (s *course) back(to int) {
	n := s.answers.Len()
	for n > 0 && s.place(s.answers.At(n-1)) < 0 {
		n--
	}
	s.answers.Cut(n)
	s.answered.Cut(n)
	s.ends.Cut(n)
	s.finishes = s.finishes && s.finishing < to
}

// relate tells what answers what.
func (s *course) relate() {
	for i := range s.answers.Len() {
		if at := s.place(s.answers.At(i)); at >= 0 {
			a := s.turns.At(at)
			a.answer, a.end, a.to = true, s.ends.At(i), int32(s.place(s.answered.At(i)))
			s.turns.Set(at, a)
		}
	}
	before := int32(-1)
	for i := range s.turns.Len() {
		here := s.turns.At(i)
		whole := here.answer && s.isWhole(here.end)
		if whole {
			before = int32(i)
		}
		here.before = before
		s.turns.Set(i, here)
		if here.answer && here.to >= 0 {
			s.answer(int(here.to), int32(i), whole)
		}
	}
}

// answer notes with a message an answer to it.
func (s *course) answer(message int, at int32, whole bool) {
	m := s.turns.At(message)
	if int(at) > message && m.first < 0 {
		m.first = at
	}
	m.done = m.done || whole
	s.turns.Set(message, m)
}

// settles tells whether opencode may send something else once a message is there: an answer to a mark, if it does not go on, or a mark
// without one.
func (s *course) settles(place int) bool {
	if place < 0 {
		return false
	}
	here := s.at(place)
	return here.answer && (!here.open || place < s.last) || place < s.last && here.mark && here.tailed && here.first < 0
}

// note keeps a mark, the first of a message. One may be read again.
func (s *course) note(message string, part gjson.Result) {
	at := s.place(message)
	if at <= s.newest {
		return
	}
	s.newest, s.marked = at, true
	m := s.turns.At(at)
	tail := part.Get("tail_start_id")
	m.mark, m.tailed, m.auto, m.overflow = true, tail.Exists(), part.Get("auto").Bool(), part.Get("overflow").Bool()
	if id := jsonl.Text(tail); id != "" {
		m.tail, m.kept = int32(s.tails.Len()), int32(s.place(id))
		s.tails.Add(id)
	}
	s.turns.Set(at, m)
}

// of is the mark that a message is, and where it stands.
func (s *course) of(message string) (m known, at int, is bool) {
	if at = s.place(message); at >= 0 {
		m = s.at(at)
	}
	return m, at, m.mark
}

// done tells whether the compaction that a message asks for has its summary.
func (s *course) done(message string) bool {
	at := s.place(message)
	return at >= 0 && s.at(at).done
}

// summary tells whether a message is the answer to a compaction.
func summary(info gjson.Result) bool {
	return info.Get("role").Str == "assistant" && (info.Get("summary").Type == gjson.True || info.Get("metadata.assistant.summary").Type == gjson.True)
}

func ended(info gjson.Result) bool {
	return info.Get("time.completed").Exists() || info.Get("metadata.time.completed").Exists()
}

// complete tells whether a summary takes the place of what is before it. One that answers no mark does not, unless it is of a version that
// had none: a compaction that was stopped is tried again in answer to the next prompt, and then opencode forgets nothing.
func (s *course) complete(info gjson.Result) bool {
	_, _, marked := s.of(info.Get("parentID").Str)
	return summary(info) && failure(info).name == "" && (info.Get("finish").Str != "" || !s.finishes && ended(info)) && (marked || !s.marked)
}

// compaction writes a finished summary.
func (r *reader) compaction(w *message) {
	said := sources.Message{Role: record.RoleAssistant, Content: []sources.Block{r.log.Text(w.summary)}}
	if r.kept != nil {
		r.keep(said)
		return
	}
	c := sources.Compaction{Meta: w.meta(w.id), Summary: w.summary, Frame: &record.Frame{Role: record.RoleAssistant}, Trigger: "unknown", Model: w.model(), TokensBefore: r.size}
	c.Usage = usage(w.info.Get("tokens"), w.info.Get("cost"))
	if m, mark, marked := r.marks.of(w.info.Get("parentID").Str); marked {
		c.Frame.Question = soFar
		switch {
		case m.overflow:
			c.Trigger = "overflow"
		case m.auto:
			c.Trigger = "threshold"
		default:
			c.Trigger = "manual"
		}
		if m.tail >= 0 {
			c.More = map[string]jsonRaw{"tail_start_id": glean.Quote(r.marks.tails.At(int(m.tail)))}
		}
		r.keeps(m, mark, w.id, &c)
	}
	r.log.Compaction(c)
}

// keeps says what a compaction keeps: what it stands before, or else all that opencode sends from then on.
func (r *reader) keeps(m known, mark int, summary string, c *sources.Compaction) {
	at := r.marks.place(summary)
	if at < 0 {
		return // only a part of it is left
	}
	r.sent, r.settled = r.marks.to(at), at+1
	kept := len(r.sent) > 1 && r.sent[1].to == mark-1
	if kept || m.tail >= 0 && int(m.kept) != mark {
		c.FirstKept = 1 // as opencode has it if the message to keep from is not before the mark
	}
	if kept {
		c.FirstKept, _ = r.firstOf(r.marks.tails.At(int(m.tail)))
	}
	plain := at == mark+1 && r.sent[0] == span{mark, at} && len(r.sent) == 1
	if kept {
		plain = at == mark+1 && int(r.marks.at(mark-1).before) < r.sent[1].from
	}
	r.owed = sources.Meta{}
	if !plain {
		if c.Replacement = r.rendered(r.sent); len(c.Replacement) == 0 {
			r.owed = c.Meta
		}
	}
}

// settle tells where opencode sends from now on something else than what it sent and what came behind that, though no summary says so: a
// compaction that failed or was stopped puts its mark, with what had come of a summary, before what it was to keep, and leaves out the rest.
func (r *reader) settle(m *message) {
	at := r.marks.place(m.id)
	if r.kept != nil || !r.marks.settles(at) {
		return
	}
	before := joined(append(slices.Clone(r.sent), span{r.settled, at}))
	now := r.marks.to(at)
	if r.sent, r.settled = now, at+1; slices.Equal(now, before) {
		return
	}
	r.owed = m.meta(m.id)
	if all := r.rendered(now); len(all) > 0 {
		r.owed = sources.Meta{}
		r.log.Compaction(sources.Compaction{
			Meta: m.meta(m.id + "/failed"), Trigger: record.TriggerEdit, Replacement: all,
			Summary: "The compaction failed. Since then opencode leaves out what is before the messages that were to be kept.",
		})
	}
}

// repay tells at the end what opencode sends now, if there was too much to be read for the last change of that.
func (r *reader) repay() {
	if r.owed.Entry == "" {
		return
	}
	r.left = keptMost
	if all := r.rendered(r.marks.to(r.marks.last)); len(all) > 0 {
		r.log.Compaction(sources.Compaction{
			Meta: sources.Meta{Time: r.owed.Time, Entry: r.owed.Entry + "/now"}, Trigger: record.TriggerEdit, Replacement: all,
			Summary: "opencode tried to compact many times. This is what it sends now.",
		})
	}
}
