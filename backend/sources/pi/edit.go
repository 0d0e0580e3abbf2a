package pi

import (
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// edit writes what the context is after an edit of it; false if it changes nothing.
func (r *reader) edit(at int, rec *jsonl.Fields, m sources.Meta) bool {
	e := r.entries.at(at)
	selected := r.selected(at)
	target, ok := r.entries.find(e.target)
	if !ok || e.target == "" || !r.speaks(target) || !slices.Contains(selected, target) ||
		rec.Get("replacement").IsObject() && !r.editable(target) && !r.editedBefore(selected, e.target) {
		return false
	}
	m.More = jsonl.Rest(rec.Result, "type", "id", "timestamp")
	model := e.inForce()
	c := sources.Compaction{
		Meta: m, Trigger: record.TriggerEdit, Summary: "pi changed one message of the context.", Replacement: r.context(selected),
		ActiveModel: &model,
	}
	if len(c.Replacement) == 0 {
		r.anew(model, m)
		return true
	}
	c.FirstKept = r.entries.at(selected[0]).first
	r.log.Compaction(c)
	return true
}

// editedBefore tells whether an edit before the last of these entries was of the same: the last one counts, even if all it does is to put
// back what stood there.
func (r *reader) editedBefore(selected []int, target string) bool {
	return slices.ContainsFunc(selected[:len(selected)-1], func(i int) bool { return r.entries.kind(i) == "context_edit" && r.entries.at(i).target == target })
}

// editable tells whether an edit may put another content in the place of an entry's.
func (r *reader) editable(i int) bool {
	switch r.entries.role(i) {
	case "user", "assistant", "toolResult", "custom":
		return true
	case hookMessage:
		return r.hooks()
	}
	return r.entries.kind(i) == "custom_message"
}

// edited is what takes the place of an entry.
func (r *reader) edited(i int, edits map[string]gjson.Result) (edit gjson.Result, edited bool) {
	if len(edits) == 0 {
		return edit, false
	}
	id := jsonl.Text(r.again(i).Get("id"))
	if r.version < linear {
		id = "#" + strconv.Itoa(slices.Index(r.places, i))
	}
	edit, edited = edits[id]
	return edit, edited
}
