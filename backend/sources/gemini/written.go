package gemini

import (
	"encoding/json"
	"slices"

	"github.com/tidwall/gjson"

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

// written finds where the messages that Gemini holds are written last.
type written struct {
	// ids are those of the messages in the list, in order, and first where each was written first.
	ids   []string
	first map[string]spot
	final map[spot]place
}

func (w *written) line(line sources.Line, rec gjson.Result) {
	switch {
	case rec.Get("$set.messages").Exists():
		w.keep(0)
		for i, m := range rec.Get("$set.messages").Array() {
			if id := jsonl.Text(m.Get("id")); id != "" {
				w.begin(id, spot{line.Offset, i + 1})
			}
		}
	case rec.Get("$rewindTo").Exists():
		w.keep(max(slices.Index(w.ids, jsonl.Text(rec.Get("$rewindTo"))), 0))
	default:
		id := jsonl.Text(named(rec, "").Get("id"))
		if at, again := w.first[id]; again {
			w.final[at] = place{line.Offset, line.Length}
		} else if id != "" {
			w.begin(id, spot{offset: line.Offset})
		}
	}
}

func (w *written) begin(id string, at spot) {
	if _, again := w.first[id]; !again {
		w.ids = append(w.ids, id)
		w.first[id] = at
	}
}

// keep leaves only the first messages in the list.
func (w *written) keep(count int) {
	for _, id := range w.ids[count:] {
		delete(w.first, id)
	}
	w.ids = w.ids[:count]
}

// finally are the messages of a list as they are written last. One that only has calls more is left as it is: they are added later.
func (r *reader) finally(line sources.Line, messages []gjson.Result) []gjson.Result {
	for i, m := range messages {
		last, again := r.final[spot{line.Offset, i + 1}]
		if !again {
			continue
		}
		if later, ok := r.again(last); ok && wording(later) != wording(m) {
			messages[i] = later
		}
	}
	return messages
}

// again reads a line once more; not ok if it is not there any more.
func (r *reader) again(at place) (gjson.Result, bool) {
	line := make([]byte, at.length)
	if n, _ := r.file.ReadAt(line, at.offset); n < len(line) || !json.Valid(line) {
		return gjson.Result{}, false
	}
	return gjson.ParseBytes(line), true
}
