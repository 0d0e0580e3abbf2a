package opencode

import (
	"slices"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// marks are the compactions of a session. A user's message marks where one begins; the answer to it is the summary, and only a
// summary that came to its end counts.
type marks struct {
	// finished are the messages that a summary answers which says that it ended, ended those whose summary only has an end.
	finished, ended map[string]bool
	// finishes tells that answers say how they ended, as they do since 0.6.
	finishes bool
	// parts are the marks themselves, by their messages.
	parts map[string]mark
}

type mark struct {
	auto, overflow bool
	tail           string
}

func (k *marks) begin() {
	k.finished, k.ended, k.parts = map[string]bool{}, map[string]bool{}, map[string]mark{}
}

// look is shown each message of the session before any is read.
func (k *marks) look(m row) {
	info := gjson.ParseBytes(m.data)
	if info.Get("finish").Exists() {
		k.finishes = true
	}
	if !summary(info) || failure(info).name != "" {
		return
	}
	if parent := jsonl.Text(info.Get("parentID")); info.Get("finish").Str != "" {
		k.finished[parent] = true
	} else if ended(info) {
		k.ended[parent] = true
	}
}

// done tells whether the compaction that a message asks for has its summary.
func (k *marks) done(message string) bool {
	return k.finished[message] || !k.finishes && k.ended[message]
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
func (k *marks) complete(info gjson.Result) bool {
	_, marked := k.parts[info.Get("parentID").Str]
	return summary(info) && failure(info).name == "" && (info.Get("finish").Str != "" || !k.finishes && ended(info)) && (marked || len(k.parts) == 0)
}

// note keeps a mark.
func (k *marks) note(message string, part gjson.Result) {
	k.parts[message] = mark{part.Get("auto").Bool(), part.Get("overflow").Bool(), jsonl.Text(part.Get("tail_start_id"))}
}

// compaction writes a finished summary.
func (r *reader) compaction(w *message) {
	c := sources.Compaction{Meta: w.meta(w.id), Summary: w.summary, Frame: &record.Frame{Role: record.RoleAssistant}, Trigger: "unknown", Model: w.model(), TokensBefore: r.size}
	c.Usage = usage(w.info.Get("tokens"), w.info.Get("cost"))
	if m, marked := r.marks.parts[w.info.Get("parentID").Str]; marked {
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
			c.FirstKept = 1 // as opencode has it if the tail is not found
			if first, is := r.first.Get(m.tail); is {
				c.FirstKept = int64(first)
			}
			c.More = map[string]jsonRaw{"tail_start_id": glean.Quote(m.tail)}
			c.Replacement = r.withSummaries(w, m.tail)
		}
	}
	r.log.Compaction(c)
	r.keep(sources.Message{Role: record.RoleAssistant, Content: []sources.Block{r.log.Text(c.Summary)}})
	r.summaries = append(r.summaries, w.id)
}

// compactionFailed writes what a compaction without a summary did all the same, if its mark names a tail: opencode puts the mark before that,
// with what had come of a summary that was stopped, and leaves out what is before it.
func (r *reader) compactionFailed(w *message) {
	parent := w.info.Get("parentID").Str
	tail := r.marks.parts[parent].tail
	if _, known := r.first.Get(tail); !known || r.between == nil || !summary(w.info) || failure(w.info).name == "" {
		return
	}
	mark := sources.Message{Role: record.RoleUser, Content: []sources.Block{{Type: "text", Text: soFar}}}
	r.log.Compaction(sources.Compaction{
		Meta: w.meta(w.id + "/failed"), Trigger: record.TriggerEdit, Summary: "The compaction failed. Since then opencode leaves out what is before the messages that were to be kept.",
		Replacement: slices.Concat([]sources.Message{mark}, w.stopped, r.between(tail, parent)),
	})
}
