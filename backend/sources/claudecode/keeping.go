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

// What is kept is looked at once more for each compaction that keeps it. That costs so many rows, or KB of them, and so many more for each
// row before the compaction: of one that is beyond that, only where what it keeps begins and ends is heeded.
const (
	keptWork = 1 << 14
	keptEach = 16
)

// afford spends work on what is kept, as far as there is some.
func (r *reader) afford(work int) bool {
	r.spent += work
	return r.spent <= keptWork+keptEach*r.nodes.Len()
}

func (r *reader) workOf(id string) int { return 1 + int(r.spanOf(id).length>>10) }

// preserved are the ids of the rows that a compaction keeps, none if it does not say so or one of them is not in the file. Of one beyond what
// is afforded, they are the first and the last.
func (r *reader) preserved(about gjson.Result) (ids []string, all bool) {
	all = true
	for _, id := range about.Get("preservedMessages.uuids").Array() {
		ids = append(ids, jsonl.Text(id))
		all = r.afford(r.workOf(jsonl.Text(id)))
	}
	segment := about.Get("preservedSegment")
	head := jsonl.Text(segment.Get("headUuid"))
	if _, known := r.find(head); known && ids == nil { // earlier versions named the ends
		for id := jsonl.Text(segment.Get("tailUuid")); ; id = r.above(id, head) {
			if ids = append(ids, id); id == head || id == "" {
				break
			}
			if all = r.afford(r.workOf(id)); !all {
				ids = append(ids, head)
				break
			}
		}
		slices.Reverse(ids)
	}
	if slices.ContainsFunc(ids, func(id string) bool { _, known := r.find(id); return !known }) {
		return nil, true
	}
	if !all && len(ids) > 2 {
		ids = []string{ids[0], ids[len(ids)-1]}
	}
	return ids, all
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
