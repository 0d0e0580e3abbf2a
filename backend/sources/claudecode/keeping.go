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
	head, id := jsonl.Text(segment.Get("headUuid")), jsonl.Text(segment.Get("tailUuid"))
	if ids == nil && head != "" { // earlier versions named the ends
		for ids = []string{id}; id != head && id != "" && len(ids) < r.index.spans.Len(); ids = append(ids, id) {
			id = jsonl.Text(r.reread(id).Get("parentUuid"))
		}
		slices.Reverse(ids)
	}
	if slices.ContainsFunc(ids, func(id string) bool { _, known := r.find(id); return !known }) {
		return nil
	}
	return ids
}

// reread reads a row once more.
func (r *reader) reread(id string) gjson.Result {
	n, known := r.index.ids.Get(id)
	if !known {
		return gjson.Result{}
	}
	return r.again(r.index.spans.At(n))
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
