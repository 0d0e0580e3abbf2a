package claudecode

import (
	"slices"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// Claude Code can have what comes after a message summarized: what stands before it stays, and the summary stands behind that. And of what it
// keeps it may leave some out, as earlier summaries. What the model sees then is told whole.

// preserved are the ids of the rows that a compaction keeps, none if it does not say so or one of them is not in the file.
func (r *reader) preserved(about gjson.Result) (ids []string) {
	for _, id := range about.Get("preservedMessages.uuids").Array() {
		ids = append(ids, jsonl.Text(id))
	}
	segment := about.Get("preservedSegment")
	head := jsonl.Text(segment.Get("headUuid"))
	if _, known := r.find(head); known && ids == nil { // earlier versions named the ends
		for id := jsonl.Text(segment.Get("tailUuid")); ; id = r.above(id, head) {
			if ids = append(ids, id); id == head || id == "" {
				break
			}
		}
		slices.Reverse(ids)
	}
	if slices.ContainsFunc(ids, func(id string) bool { _, known := r.find(id); return !known }) {
		return nil
	}
	return ids
}

// above is the row that one hangs below, none if that does not stand between it and the head of what is kept: parents may lead around.
func (r *reader) above(id, head string) string {
	at, parent := r.spanOf(id), jsonl.Text(r.reread(id).Get("parentUuid"))
	if to := r.spanOf(parent).offset; to >= at.offset || to < r.spanOf(head).offset {
		return ""
	}
	return parent
}

// reread reads a row once more.
func (r *reader) reread(id string) gjson.Result { return r.again(r.spanOf(id)) }

// spanOf is where a row stands, nothing if it is not known.
func (r *reader) spanOf(id string) (at span) {
	if n, known := r.index.ids.Get(id); known {
		at = r.index.spans.At(n)
	}
	return at
}

// whole tells whether rows are all that was said from a place to where the log stands.
func (r *reader) whole(ids []string, head spot) bool {
	listed := map[spot]bool{}
	for _, id := range ids {
		listed[r.placeOf(id)] = true
	}
	for n := r.at; n != nowhere; n = r.node(n).prev {
		if r.node(n).kind != aside && !listed[n] {
			return false
		}
		if n == head {
			break
		}
	}
	return true
}

// messages are what rows say to the model.
func (r *reader) messages(ids []string) (all []sources.Message) {
	answer := ""
	for _, id := range ids {
		row := row{Fields: new(jsonl.Fields).Read(r.reread(id))}
		row.content = row.Get("message.content")
		before := answer
		answer = ""
		switch jsonl.Text(row.Get("type")) {
		case "assistant":
			if row.Get("isApiErrorMessage").Bool() {
				continue
			}
			content := r.blocks(row.content)
			if answer = jsonl.Text(row.Get("message.id")); answer != "" && answer == before {
				last := &all[len(all)-1]
				last.Content = append(last.Content, content...)
				continue
			}
			all = append(all, sources.Message{Role: record.RoleAssistant, Content: content, Provider: provider, Model: jsonl.Text(row.Get("message.model"))})
		case "user":
			for _, p := range r.parts(row) {
				all = append(all, p.Message)
			}
		case "attachment":
			if content := r.attached(row); len(content) > 0 {
				all = append(all, sources.Message{Role: record.RoleUser, Content: content})
			}
		}
	}
	return all
}
