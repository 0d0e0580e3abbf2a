package opencode

import (
	"encoding/json"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
)

type jsonRaw = json.RawMessage

// message is one of opencode's on its way into the log.
type message struct {
	*reader
	id   string
	info gjson.Result
	at   time.Time
	user userMessage
	step step
	// summary is the text of the answer to a compaction.
	summary string
	// again is what entries end with when a message is written a second time.
	again string
	// steps is how many were written.
	steps int
	// notes wait until what they are about is written.
	notes []sources.Note
}

// adder is what takes the parts of a message of this kind.
func (w *message) adder() func(id string, part gjson.Result) {
	switch w.info.Get("role").Str {
	case "user":
		return w.addUser
	case "assistant":
		return w.addAssistant
	}
	w.log.Note(sources.Note{Meta: w.meta(w.id), Namespace: "opencode.message", Data: glean.Raw(w.info), Display: true})
	return w.note
}

// end writes what is left.
func (w *message) end() {
	switch w.info.Get("role").Str {
	case "user":
		w.endUser()
	case "assistant":
		w.endAssistant()
	}
	for i := range w.notes {
		w.log.Note(w.notes[i])
	}
}

func (w *message) meta(entry string) sources.Meta {
	return sources.Meta{Time: w.at, Entry: entry + w.again}
}

// note keeps a part that is no part of what the model saw, or that nobody knows.
func (w *message) note(id string, part gjson.Result) {
	switch part.Get("type").Str {
	case "step-start", "snapshot":
		return
	}
	kind := part.Get("type").Str
	if kind == "" {
		kind = "part"
	}
	w.notes = append(w.notes, sources.Note{Meta: w.meta(id), Namespace: "opencode." + kind, Data: glean.Raw(part)})
}

func (w *message) model() string { return w.either("modelID") }

func (w *message) provider() string { return w.either("providerID") }

// either is a value of an answer, where it is or where it was in the first versions.
func (w *message) either(name string) string {
	if v := w.info.Get(name).Str; v != "" {
		return v
	}
	return w.info.Get("metadata.assistant." + name).Str
}

var counters = sources.Counters{
	Input: []string{"input"}, Output: []string{"output"}, CacheRead: []string{"cache.read"}, CacheWrite: []string{"cache.write"},
}

// usage is what one request took; nil if nobody counted.
func usage(tokens, cost gjson.Result) *record.Usage {
	n := func(path string) int { return count(tokens.Get(path)) }
	u := &record.Usage{Input: n("input"), Output: n("output"), CacheRead: n("cache.read"), CacheWrite: n("cache.write")}
	if u.IsZero() {
		return nil
	}
	u.Untold = counters.Untold(tokens)
	// Thinking is part of the output in early versions, beside it in later ones; which, the total tells.
	if reasoning := n("reasoning"); n("total") > 0 && n("total") == u.Input+u.Output+u.CacheRead+u.CacheWrite+reasoning {
		u.Output += reasoning
	}
	if cost.Type == gjson.Number && cost.Num > 0 { // it is 0, too, where nobody knows the prices
		u.Cost = &cost.Num
	}
	return u
}

func count(value gjson.Result) int {
	if value.Type != gjson.Number || !(value.Num > 0 && value.Num < record.MaxSeq) {
		return 0
	}
	return int(value.Num)
}

// failed is how a message failed, with empty strings if it did not.
type failed struct{ name, text string }

// stopped tells whether somebody stopped it: then what had come is sent again.
func (f failed) stopped() bool { return f.name == "MessageAbortedError" || f.name == "AbortedError" }

func failure(info gjson.Result) failed {
	e := info.Get("error")
	if !e.Exists() {
		e = info.Get("metadata.error")
	}
	switch {
	case e.Type == gjson.String && e.Str != "":
		return failed{"error", e.Str}
	case !e.IsObject():
		return failed{}
	}
	f := failed{e.Get("name").Str, e.Get("data.message").Str}
	if f.name == "" {
		f.name = "error"
	}
	if f.text == "" {
		f.text = f.name
	}
	return f
}
