package gemini

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// reader is the reading of one session.
type reader struct {
	log *sources.Log
	id  string
	// spilled is where long output is kept, nil if there is none, and wholes are those that were read, by the names of their files.
	spilled *glean.Tree
	wholes  map[string]sources.Block
	file    io.ReaderAt `keep:"-"`
	// written says of each message how it is written last, which what is read of it first depends on.
	written written
	list    list
	// now is the list as it is written.
	now current
	// held are the lines from the answer on that may be written again.
	held []heldLine `keep:"-"`
	// answered are the calls whose results were read, outputs what they said last, and apart those whose results stand in messages of
	// their own in the list that is being read.
	answered, outputs many.IDs
	apart             map[string]bool
	masks             masks
	// spare is how much may be written once more, and short tells that it was not enough.
	spare    int64
	short    bool
	begun    bool
	lastTime time.Time
	// copied tells that all of it is in another session, too, and asSent that it is what the model saw, and nothing besides.
	copied, asSent bool
}

func newReader(log *sources.Log, id string) *reader {
	return &reader{log: log, id: id, spare: spareFirst, wholes: map[string]sources.Block{}}
}

// object reads the one object of early versions.
func (r *reader) object(file io.ReaderAt) error {
	object, err := jsonl.OpenDocument(file, "messages")
	if err != nil {
		return err
	}
	if err := r.header(object.Result); err != nil {
		return err
	}
	place := 0
	return object.Each(r.log, func(message gjson.Result) error {
		place++
		r.add(named(message, fmt.Sprintf("#%d", place)))
		return r.log.Err()
	})
}

func (r *reader) line(line sources.Line, rec gjson.Result) error {
	r.spare += spareMore * line.Length
	switch kindOf(rec) {
	case ofChange:
		set := rec.Get("$set")
		if messages := set.Get("messages"); messages.IsArray() {
			all := listOf(r.finally(line, r.messages(line, messages)))
			even := r.replace(all, 0, r.timeOf(set.Get("lastUpdated")))
			r.now.set(all)
			r.now.told(even && all.count == r.now.list.all.Len())
		}
		r.changes(line, set)
	case ofRewind:
		id := jsonl.Text(rec.Get("$rewindTo"))
		if r.now.list.find(id) >= 0 && r.list.items.find(id) < 0 {
			r.now.untold = true // it is a summary that the model has not seen
		}
		r.now.rewind(id)
		if !r.now.untold {
			r.rewind(id)
		}
	case ofPatch:
		r.patch(line.Offset, rec.Get("$patch"))
	case ofMessage:
		rec = r.lately(line, named(rec, fmt.Sprintf("byte %d", line.Offset)))
		r.now.put(rec)
		if !r.written.early[line.Offset] {
			r.upsert(rec)
		} else {
			r.now.changedFrom(r.list.items.all.Len())
		}
	case ofHeader:
		if err := r.header(rec); err != nil {
			return err
		}
		for _, m := range r.finally(line, r.messages(line, rec.Get("messages"))) {
			r.now.put(m)
			r.upsert(m)
		}
	case ofNothing:
		r.log.Note(sources.Note{Meta: sources.Meta{Entry: fmt.Sprintf("byte %d", line.Offset)}, Namespace: "gemini.unknown", Data: glean.Raw(rec)})
	}
	r.tell(false)
	return r.log.Err()
}

// speaks tells of a line that is a message. Some have been written without an id.
func speaks(rec gjson.Result) bool {
	return jsonl.Text(named(rec, "").Get("id")) != "" || rec.Get("type").Type == gjson.String && rec.Get("content").Exists()
}

// named is a message with a text for its id, which may be a number or missing.
func named(m gjson.Result, otherwise string) gjson.Result {
	switch id := m.Get("id"); {
	case jsonl.Text(id) != "":
		return m
	case id.Type == gjson.Number:
		otherwise = id.Raw
	}
	if otherwise == "" || !m.IsObject() {
		return m
	}
	return gjson.Parse(`{"id":` + string(glean.Quote(otherwise)) + "," + strings.TrimSpace(m.Raw)[1:]) // the first of two counts
}

// header is what the file or a resume begins with.
func (r *reader) header(rec gjson.Result) error {
	if id := jsonl.Text(rec.Get("sessionId")); !r.begun && id != "" && id != r.id {
		return fmt.Errorf("it holds another session now: %w", sources.ErrGone)
	}
	if !r.begun {
		r.log.Note(sources.Note{
			Meta: sources.Meta{Time: jsonl.Time(rec.Get("startTime")), Entry: "header"}, Namespace: "gemini.session", Data: without(rec, "messages"),
		})
	}
	r.begun = true
	return nil
}

// changes notes what a change says of the session that is worth reading.
func (r *reader) changes(line sources.Line, set gjson.Result) {
	tells := false
	set.ForEach(func(name, value gjson.Result) bool {
		tells = value.Type != gjson.Null && !slices.Contains([]string{"messages", "lastUpdated", "sessionId"}, name.Str)
		return !tells
	})
	if !tells {
		return
	}
	r.log.Note(sources.Note{
		Meta:      sources.Meta{Time: r.timeOf(set.Get("lastUpdated")), Entry: fmt.Sprintf("byte %d", line.Offset)},
		Namespace: "gemini.set", Data: without(set, "messages"),
	})
}

// timeOf is a time, or else that of what was read last.
func (r *reader) timeOf(value gjson.Result) time.Time {
	if at := jsonl.Time(value); !at.IsZero() {
		r.lastTime = at
	}
	return r.lastTime
}

// without is an object without one of its members.
func without(object gjson.Result, name string) json.RawMessage {
	out := map[string]json.RawMessage{}
	object.ForEach(func(key, value gjson.Result) bool {
		if raw := glean.Raw(value); key.Str != name && raw != nil {
			out[key.Str] = raw
		}
		return true
	})
	data, err := json.Marshal(out)
	if err != nil {
		return nil // of valid members only, so it never is
	}
	return data
}
