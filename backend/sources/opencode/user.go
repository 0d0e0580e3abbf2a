package opencode

import (
	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// userMessage is what a user's message holds: what a person gave, and what the program put beside it.
type userMessage struct {
	given          []sources.Block
	before, behind injection
	compaction     bool
}

// injection is what the program put in, and the part it begins with.
type injection struct {
	part    string
	content []sources.Block
}

func (w *message) addUser(id string, part gjson.Result) {
	switch part.Get("type").Str {
	case "text":
		w.addUserText(id, part)
	case "file":
		block, ok := file(w.log, part)
		if !ok {
			w.note(id, part)
			return
		}
		w.user.given = append(w.user.given, sources.AsIs(block))
	case "compaction":
		w.user.compaction = true
		w.marks.note(w.id, part)
		w.note(id, part)
	case "subtask":
		w.inject(id+"/said", "The following tool was executed by the user")
		w.note(id, part)
	default:
		w.note(id, part)
	}
}

func (w *message) addUserText(id string, part gjson.Result) {
	text := jsonl.Member(part, "text").String()
	switch {
	case part.Get("ignored").Bool(): // shown, but not sent
		w.note(id, part)
	case part.Get("synthetic").Bool():
		w.inject(id, text)
	case text != "":
		w.user.given = append(w.user.given, w.log.Text(text))
	}
}

func (w *message) inject(part, text string) {
	into := &w.user.before
	if len(w.user.given) > 0 {
		into = &w.user.behind
	}
	if into.part == "" {
		into.part = part
	}
	into.content = append(into.content, w.log.Text(text))
}

func (w *message) endUser() {
	if w.user.compaction && (w.kept != nil || !w.marks.done(w.id)) {
		w.inject(w.id+"/mark", soFar) // what stands for the mark, as long as no summary does
	}
	w.injected(w.user.before)
	if len(w.user.given) > 0 {
		w.say(sources.Message{Meta: w.meta(w.id), Role: record.RoleUser, Content: w.user.given})
	}
	w.injected(w.user.behind)
}

func (w *message) injected(in injection) {
	if len(in.content) > 0 {
		w.keep(sources.Message{Role: record.RoleUser, Content: in.content})
		w.log.Note(sources.Note{Meta: w.meta(in.part), Namespace: "opencode.synthetic", Content: in.content})
	}
}
