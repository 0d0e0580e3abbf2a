package opencode

import (
	"cmp"
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
	if info.Get("finish").Exists() {
		s.finishes = true
	}
	if summary(info) {
		well := failure(info).name == ""
		finish := info.Get("finish").Str != ""
		s.answers = append(s.answers, answer{
			id: m.id, to: jsonl.Text(info.Get("parentID")), finished: well && finish, ended: well && ended(info), open: well && !finish && !ended(info),
		})
	}
}

// put tells where all messages stand.
func (s *course) put(order *many.Texts) {
	for i := range order.Len() {
		s.places.Put(order.At(i), i)
	}
	s.last = order.Len() - 1
	for i := range s.answers {
		s.answers[i].at = s.place(s.answers[i].id)
	}
	slices.SortStableFunc(s.answers, func(a, b answer) int { return cmp.Compare(a.at, b.at) })
	s.byMark = map[string][]answer{}
	for _, a := range s.answers {
		s.byMark[a.to] = append(s.byMark[a.to], a)
	}
}

// settles tells whether opencode may send something else once a message is there: an answer to a mark, if it does not go on, or a mark
// without one.
func (s *course) settles(at int) bool {
	if slices.ContainsFunc(s.answers, func(a answer) bool { return a.at == at && (!a.open || at < s.last) }) {
		return true
	}
	return at < s.last && slices.ContainsFunc(s.marks, func(m mark) bool { return m.at == at && m.tailed && s.answered(m, s.last, false) < 0 })
}

// note keeps a mark, the first of a message. One may be read again.
func (s *course) note(message string, part gjson.Result) {
	at := s.place(message)
	if n := len(s.marks); n > 0 && s.marks[n-1].at >= at {
		return
	}
	tail := part.Get("tail_start_id")
	s.marks = append(s.marks, mark{at, message, jsonl.Text(tail), tail.Exists(), part.Get("auto").Bool(), part.Get("overflow").Bool()})
}

// of is the mark that a message is.
func (s *course) of(message string) (mark, bool) {
	at := slices.IndexFunc(s.marks, func(m mark) bool { return m.id == message })
	if at < 0 {
		return mark{}, false
	}
	return s.marks[at], true
}

// done tells whether the compaction that a message asks for has its summary.
func (s *course) done(message string) bool {
	return slices.ContainsFunc(s.answers, func(a answer) bool { return a.to == message && s.whole(a) })
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
	_, marked := s.of(info.Get("parentID").Str)
	return summary(info) && failure(info).name == "" && (info.Get("finish").Str != "" || !s.finishes && ended(info)) && (marked || len(s.marks) == 0)
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
	if m, marked := r.marks.of(w.info.Get("parentID").Str); marked {
		c.Frame.Question = soFar
		switch {
		case m.overflow:
			c.Trigger = "overflow"
		case m.auto:
			c.Trigger = "threshold"
		default:
			c.Trigger = "manual"
		}
		if m.tail != "" {
			c.More = map[string]jsonRaw{"tail_start_id": glean.Quote(m.tail)}
		}
		r.keeps(m, w.id, &c)
	}
	r.log.Compaction(c)
}

// keeps says what a compaction keeps: what it stands before, or else all that opencode sends from then on.
func (r *reader) keeps(m mark, summary string, c *sources.Compaction) {
	at := r.marks.place(summary)
	if at < 0 {
		return // only a part of it is left
	}
	r.sent, r.settled = r.marks.to(at), at+1
	kept := len(r.sent) > 1 && r.sent[1].to == m.at-1
	if kept || m.tail != "" && m.tail != m.id {
		c.FirstKept = 1 // as opencode has it if the message to keep from is not before the mark
	}
	if kept {
		first, _ := r.first.Get(m.tail)
		c.FirstKept = int64(first)
	}
	plain := at == m.at+1 && r.sent[0] == span{m.at, at} && len(r.sent) == 1
	if kept {
		plain = at == m.at+1 && !slices.ContainsFunc(r.marks.answers, func(a answer) bool {
			return r.sent[1].from <= a.at && a.at <= r.sent[1].to && r.marks.whole(a)
		})
	}
	if !plain {
		c.Replacement = r.rendered(r.sent)
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
	if all := r.rendered(now); len(all) > 0 {
		r.log.Compaction(sources.Compaction{
			Meta: m.meta(m.id + "/failed"), Trigger: record.TriggerEdit, Replacement: all,
			Summary: "The compaction failed. Since then opencode leaves out what is before the messages that were to be kept.",
		})
	}
}
