package pi

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/wellformed"
)

// compaction writes one. What it keeps is a pointer, unless pi sends something else than what stands there.
func (r *reader) compaction(at int, rec *jsonl.Fields, m sources.Meta) {
	e := r.entries.at(at)
	m.More = jsonl.Rest(rec.Result, "type", "id", "timestamp", "summary", "tokensBefore", "usage", "systemMessage", "retainedTail")
	model := e.inForce()
	c := sources.Compaction{
		Meta: m, Summary: jsonl.Text(rec.Get("summary")), Frame: glean.Compacted, TokensBefore: rec.Get("tokensBefore").Int(), Trigger: "unknown",
		Usage: usage(rec.Get("usage")), Model: e.model,
		ActiveModel: &model,
	}
	if !rec.Get("fromHook").Bool() {
		c.ReadFiles, c.ModifiedFiles = names(rec.Get("details.readFiles")), names(rec.Get("details.modifiedFiles"))
	}
	if e.kept != none {
		c.FirstKept = r.entries.at(e.kept).first
	}
	if tail := r.retained(rec); tail != nil {
		c.Replacement = tail
	} else if selected := r.selected(at); e.snapshot || strings.TrimSpace(c.Summary) == "" || r.differs(selected) { // pi sends an empty one, too
		c.Replacement = r.context(selected)
	}
	r.log.Compaction(c)
}

func names(list gjson.Result) []string {
	var names []string
	for _, name := range list.Array() {
		if name := jsonl.Text(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// selected are the entries of the context as of one, in their order in it: a compaction comes before what it keeps.
func (r *reader) selected(at int) []int {
	var path []int
	compaction, kept := none, none
	for on := at; on != none; on = r.entries.parent(on) {
		if compaction != none && on < kept {
			break
		}
		if compaction == none && r.entries.kind(on) == "compaction" {
			if compaction, kept = on, r.entries.at(on).kept; kept == none {
				break
			}
			continue
		}
		if compaction != none && r.entries.role(on) == "system" {
			continue
		}
		path = append(path, on)
	}
	if compaction != none {
		path = append(path, compaction)
	}
	slices.Reverse(path)
	return path
}

// speaks tells whether an entry gives the model anything.
func (r *reader) speaks(i int) bool {
	switch r.entries.kind(i) {
	case "message", "custom_message", "branch_summary", "compaction":
		return true
	}
	return false
}

// differs tells whether a pointer to the first entry kept would give another context than this.
func (r *reader) differs(selected []int) bool {
	compaction := r.entries.at(selected[0])
	if compaction.kept == none {
		return false
	}
	for _, i := range selected[1:] {
		if r.entries.kind(i) != "context_edit" {
			continue
		}
		edited := r.entries.at(i).target
		if target, ok := r.entries.find(edited); ok && edited != "" && slices.Contains(selected, target) {
			return true
		}
	}
	for on := compaction.parent; on >= compaction.kept; on = r.entries.parent(on) {
		if r.entries.role(on) == "system" {
			return true
		}
	}
	return false
}

// context is what pi sends of these entries.
func (r *reader) context(selected []int) []sources.Message {
	messages, _ := r.contextOf(selected)
	return messages
}

// contextOf is that, and the seqs of the records that stand in it as they are.
func (r *reader) contextOf(selected []int) (out []sources.Message, kept []int64) {
	kept = []int64{}
	edits := map[string]gjson.Result{}
	for _, i := range selected {
		if e := r.entries.at(i); e.kind == "context_edit" {
			edits[e.target] = r.again(i).Get("replacement")
		}
	}
	for place, i := range selected {
		if r.entries.kind(i) == "compaction" && place > 0 || !r.speaks(i) {
			continue
		}
		edit, edited := r.edited(i, edits)
		if edited && edit.Type == gjson.Null {
			continue
		}
		before := len(out)
		for _, m := range r.says(i) {
			if edited && r.editable(i) {
				m.Content = r.blocks(edit.Get("content"))
			}
			if m.StopReason == record.StopError || m.Aside {
				continue // which is never sent again
			}
			if len(m.Content) > 0 || m.Role == record.RoleToolResult { // a result without output answers its call all the same
				out = append(out, m)
			}
		}
		if e := r.entries.at(i); len(out) > before && !edited && e.first > 0 {
			for seq := e.first; seq <= e.last; seq++ {
				kept = append(kept, seq)
			}
		}
	}
	return out, kept
}

// says is what an entry says to the model.
func (r *reader) says(i int) []sources.Message {
	rec := r.again(i)
	switch r.entries.kind(i) {
	case "compaction":
		return r.summarised(rec)
	case "branch_summary":
		if summary := jsonl.Text(rec.Get("summary")); summary != "" {
			return []sources.Message{asUser(r.log.Text(glean.CameBack.Say(summary)))}
		}
		return nil
	case "custom_message":
		return []sources.Message{asUser(r.blocks(rec.Get("content"))...)}
	}
	return []sources.Message{r.heard(rec.Get("message"))}
}

func asUser(blocks ...sources.Block) sources.Message {
	return sources.Message{Role: record.RoleUser, Content: blocks}
}

// summarised is what a compaction says to the model in place of what was before.
func (r *reader) summarised(rec jsonl.Object) []sources.Message {
	var out []sources.Message
	if text := systemText(rec.Get("systemMessage")); text != "" {
		out = append(out, asUser(r.log.Text(text)))
	}
	return append(out, asUser(r.log.Text(glean.Compacted.Say(jsonl.Text(rec.Get("summary"))))))
}

// heard is what a message says to the model.
func (r *reader) heard(message jsonl.Object) sources.Message {
	m, ok := r.spoken(message)
	if !ok && aside(message) {
		return asUser()
	}
	if !ok {
		return asUser(r.injected(message)...)
	}
	m.Usage = nil // it was counted where it stands
	return m
}

// again reads the line of an entry once more; nothing if it is not there any more.
func (r *reader) again(i int) gjson.Result {
	e := r.entries.at(i)
	line := make([]byte, e.length)
	if n, _ := r.file.ReadAt(line, e.offset); n < len(line) || !wellformed.JSON(line) {
		return gjson.Result{}
	}
	row := gjson.ParseBytes(line)
	if r.lanes != nil {
		return r.written(row, i)
	}
	return row
}
