package gemini

import (
	"encoding/binary"
	"encoding/json"

	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// place is a line in the file.
type place struct{ offset, length int64 }

// spot is where a message is written: a line of its own or, counted from 1, one of the list in a line.
type spot struct {
	offset int64
	nth    int
}

// lasts say where messages are written last, by the place where they are written first.
type lasts struct {
	of     many.IDs
	places many.List[place]
}

func (l *lasts) set(first spot, last place) {
	name := first.name()
	if n, again := l.of.Get(name); again {
		l.places.Set(n, last)
		return
	}
	l.of.Put(name, l.places.Len())
	l.places.Add(last)
}

func (l *lasts) get(first spot) (last place, again bool) {
	n, again := l.of.Get(first.name())
	if !again {
		return place{}, false
	}
	return l.places.At(n), true
}

// name is what a spot is called.
func (s spot) name() string {
	return string(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(s.offset)), uint64(s.nth)))
}

// written finds where the messages that Gemini holds are written last.
type written struct {
	// list has where each message in it is written first.
	list  order[spot]
	final lasts
	// patched tells that there are patches in the file.
	patched bool
	// from is where it goes on, and anew tells that something changes what stands before.
	from int64
	anew bool
	open opening
	// says tells whether the message with an id says, in what was read, what another one does.
	says func(id string, rec gjson.Result) bool `keep:"-"`
	summaries
}

// opening is the answer that is the last message, and that Gemini writes again when its calls have ended: where it stands in the list, -1 if
// there is none, and which summaries there were before.
type opening struct {
	spot
	at   int
	last []summary
}

var closed = opening{spot: spot{offset: -1}, at: -1}

// begins is for what is read from a place on.
func (w *written) begins(from int64) {
	w.from, w.anew, w.early, w.open = from, false, nil, closed
}

// ends has it go on from the answer that may be written again.
func (w *written) ends() {
	if w.open.at >= 0 {
		w.list.cut(w.open.at)
		w.last = w.open.last
	}
}

func (w *written) line(line sources.Line, rec gjson.Result) {
	switch kindOf(rec) {
	case ofChange:
		messages := rec.Get("$set.messages")
		if !messages.IsArray() {
			w.look(line.Offset, rec)
			return
		}
		w.list.cut(0)
		w.listed(line, messages)
	case ofRewind:
		w.list.cut(max(w.list.find(jsonl.Text(rec.Get("$rewindTo"))), 0))
	case ofPatch:
		w.patch(line, rec.Get("$patch"))
	case ofHeader:
		w.listed(line, rec.Get("messages"))
	case ofNothing:
		w.look(line.Offset, rec)
		return
	case ofMessage:
		if w.message(line, rec) {
			return
		}
	}
	w.open = closed
}

// message takes one that has a line of its own. It tells whether the last one may be written again.
func (w *written) message(line sources.Line, rec gjson.Result) (open bool) {
	before := w.last
	w.look(line.Offset, rec)
	id := jsonl.Text(named(rec, "").Get("id"))
	at := w.list.find(id)
	switch {
	case at >= 0:
		first := w.list.at(at)
		w.anew = w.anew || first.offset < w.from && !w.only(first, id, rec)
		open = at == w.open.at
		w.final.set(first, place{line.Offset, line.Length})
	case id != "":
		first := spot{offset: line.Offset}
		w.begin(id, first)
		if open = roleOf(rec) == record.RoleAssistant; open {
			w.open = opening{first, w.list.find(id), before}
		}
	}
	return open
}

// only tells of a message of a list, written again for the first time, that has only calls more: they are added where it stands.
func (w *written) only(first spot, id string, rec gjson.Result) bool {
	_, again := w.final.get(first)
	return first.nth > 0 && !again && w.says(id, rec)
}

// patch changes the list. What a message says from there on is written there first.
func (w *written) patch(line sources.Line, patch gjson.Result) {
	w.anew = w.anew || w.from > 0 && !w.patched // the list was not kept
	w.patched = true
	for i, update := range updatesIn(patch) {
		if at := w.list.find(jsonl.Text(update.Get("id"))); at >= 0 && update.Get("content").Exists() {
			w.list.set(at, spot{line.Offset, i + 1})
		}
	}
	if _, moves := w.list.patch(patch); moves {
		if w.moved(func(id string) bool { return w.list.find(id) >= 0 }) < w.from {
			w.anew = true
		}
	}
}

// listed puts the messages of a list at the end.
func (w *written) listed(line sources.Line, messages gjson.Result) {
	for i, m := range messagesIn(messages) {
		if id := jsonl.Text(m.Get("id")); id != "" {
			w.begin(id, spot{line.Offset, i + 1})
		}
	}
}

// begin puts a message at the end, if it is not there.
func (w *written) begin(id string, at spot) {
	if w.list.find(id) < 0 {
		w.list.add(id, at)
	}
}

// finally are the messages of a list as they are written last. One that only has calls more is left as it is: they are added later.
func (r *reader) finally(line sources.Line, messages []gjson.Result) []gjson.Result {
	for i, m := range messages {
		last, again := r.written.final.get(spot{line.Offset, i + 1})
		if !again {
			continue
		}
		if later, ok := r.again(last); ok && wording(later) != wording(m) {
			messages[i] = later
		}
	}
	return messages
}

// lately is a message as it is written last, where it is written first.
func (r *reader) lately(line sources.Line, rec gjson.Result) gjson.Result {
	if last, again := r.written.final.get(spot{offset: line.Offset}); again {
		if later, ok := r.again(last); ok {
			return named(later, "")
		}
	}
	return rec
}

// again reads a line once more; not ok if it is not there any more.
func (r *reader) again(at place) (gjson.Result, bool) {
	line := make([]byte, at.length)
	if n, _ := r.file.ReadAt(line, at.offset); n < len(line) || !json.Valid(line) {
		return gjson.Result{}, false
	}
	return gjson.ParseBytes(line), true
}
