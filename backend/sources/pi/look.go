package pi

import (
	"bytes"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// look reads the ends of a file, and closes it; the id of what is no session of pi stays empty.
func look(path string, file *jsonl.File, err error) sources.Found {
	found := sources.Found{Agent: agent, Files: []string{path}}
	if err != nil {
		found.ID, found.Problem = idOf(path), "The file can't be read: "+err.Error()
		return found
	}
	defer file.Close()
	found.Bytes, found.UpdatedAt = file.Size, file.ModTime
	l := looker{found: &found, row: file.Fields(), said: file.Fields()}
	counted := file.Size <= jsonl.Edge
	for line := range file.Forward() {
		if !counted && l.found.FirstMessage != "" && l.found.Model != "" && l.dated(line) {
			continue
		}
		if l.line(line); l.stranger {
			return sources.Found{}
		}
	}
	if !l.begun {
		if found.ID, found.Problem = idOf(path), file.Strange(); found.Problem == "" {
			return sources.Found{}
		}
		return found
	}
	if counted {
		found.Messages, found.Compactions = &l.messages, &l.compactions
	} else {
		l.fromEnd(file)
	}
	if !l.active.IsZero() {
		found.UpdatedAt = l.active
	}
	return found
}

// looker gathers what the lines of a file's ends tell.
type looker struct {
	found                 *sources.Found
	begun, stranger       bool
	named                 bool // or had its name taken away
	messages, compactions int
	active                time.Time
	// lanes is not nil in format 4.
	lanes     map[string]string
	row, said *jsonl.Fields
}

func (l *looker) line(line []byte) {
	line, whole := jsonl.Whole(line)
	if !whole {
		return
	}
	row := jsonl.View(line)
	if l.lanes != nil {
		_ = writesIn(row, l.write) // it never fails
		return
	}
	rec := l.row.Read(row)
	if !rec.IsObject() {
		return
	}
	if kind := rec.Get("type").Str; l.begun {
		l.entry(rec, kind)
	} else {
		l.header(rec, kind)
	}
}

// write is one of format 4.
func (l *looker) write(write gjson.Result) error {
	if entry, _, ok := entryIn(write, l.lanes); ok {
		rec := l.row.Read(entry)
		l.entry(rec, rec.Get("type").Str)
	} else if name := write.Get("name"); write.Get("fact").Str == "name" && name.Type == gjson.String {
		l.name(name)
	}
	return nil
}

// name is the one given; an empty one takes it away.
func (l *looker) name(given gjson.Result) {
	l.found.Title, l.named = jsonl.OneLine(jsonl.Text(given)), true
}

func (l *looker) entry(rec *jsonl.Fields, kind string) {
	switch kind {
	case "message":
		l.message(rec)
	case "compaction":
		l.compactions++
	case "session_info":
		l.name(rec.Get("name"))
	case "model_change":
		l.found.Model = jsonl.Text(rec.Get("modelId"))
	}
}

// entries are the types that follow a header.
var entries = map[string]bool{
	"message": true, "compaction": true, "model_change": true, "thinking_level_change": true, "branch_summary": true, "custom": true,
	"custom_message": true, "session_info": true, "label": true,
}

func (l *looker) header(rec *jsonl.Fields, kind string) {
	id := jsonl.Text(rec.Get("id"))
	if headed4(rec) {
		l.begun, l.lanes = true, map[string]string{}
		l.found.ID, l.found.Cwd, l.found.CreatedAt = id, jsonl.Text(rec.Get("cwd")), jsonl.Time(rec.Get("createdAt"))
		if parent := jsonl.Text(rec.Get("parentSessionId")); parent != "" {
			l.found.Parent, l.found.Relation = parent, sources.Fork
		}
		return
	}
	if is, is4 := headless(rec); is {
		if l.begun, l.found.ID = true, nameOf(l.found.Files[0]); is4 {
			l.lanes = map[string]string{}
		}
		l.line([]byte(rec.Raw))
		return
	}
	if kind != "session" {
		l.stranger = true
		return
	}
	l.begun = true
	if id == "" {
		id = nameOf(l.found.Files[0])
	}
	l.found.ID, l.found.Cwd, l.found.CreatedAt = id, jsonl.Text(rec.Get("cwd")), jsonl.Time(rec.Get("timestamp"))
	l.found.Model = jsonl.Text(rec.Get("modelId"))
	for _, member := range []string{"parentSession", "branchedFrom"} {
		if parent := idOf(jsonl.Text(rec.Get(member))); parent != "" && l.found.Parent == "" {
			l.found.Parent, l.found.Relation = parent, sources.Fork
		}
	}
}

// messageLine is how pi begins the line of one.
var messageLine = []byte(`{"type":"message",`)

// dated takes the time of a message of which nothing else is wanted, without a look at what it says; false if the line is something else.
func (l *looker) dated(line []byte) bool {
	if l.lanes != nil || !bytes.HasPrefix(line, messageLine) && jsonl.First(line, "type").Str != "message" {
		return false
	}
	at := jsonl.Time(jsonl.First(line, "timestamp"))
	if at.After(l.active) {
		if role := jsonl.View(line).Get("message.role").Str; role == "user" || role == "assistant" {
			l.active = at
		}
	}
	return !at.IsZero()
}

func (l *looker) message(rec *jsonl.Fields) {
	message := l.said.Read(rec.Get("message"))
	role := message.Get("role").Str
	switch role {
	case "toolResult":
		l.messages++
		return
	case "user", "assistant":
		l.messages++
	default:
		return
	}
	if at := timeOf(rec); at.After(l.active) {
		l.active = at
	}
	if model := jsonl.Text(message.Get("model")); role == "assistant" && model != "" {
		l.found.Model = model
	}
	if role != "user" || l.found.FirstMessage != "" {
		return
	}
	if text := plain(message.Get("content")); jsonl.Typed(text) {
		l.found.FirstMessage = jsonl.OneLine(text)
	}
}

// fromEnd takes what stands last from the end of a long file.
func (l *looker) fromEnd(file *jsonl.File) {
	end := looker{found: &sources.Found{FirstMessage: "known"}, begun: true, lanes: l.lanes, row: l.row, said: l.said}
	model := ""
	named := false
	for line := range file.Backward() {
		if model != "" && end.dated(line) {
			continue
		}
		end.found.Model, end.named = "", false
		end.line(line)
		if end.named && !named {
			l.found.Title, named = end.found.Title, true
		}
		if model == "" {
			model = end.found.Model
		}
	}
	l.found.Model = model // that of the beginning may not be the last
	switch {
	case end.active.After(l.active):
		l.active = end.active
	case end.active.IsZero(): // what is known is of the beginning
		l.active = file.TimeBeyond(func(line []byte) time.Time {
			end.line(line)
			return end.active
		})
	}
}
