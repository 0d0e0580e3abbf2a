package pi

import (
	"slices"

	"palimpsest/backend/many"
	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// A file is read in its order, in which pi wrote it: what an entry names stands before it, and no id comes twice. In one that was put
// together otherwise pi takes the last entry of an id, wherever in the file that stands. Then the end of it says what the context is.

// unsettled is what may lead pi elsewhere than the order of the file does.
type unsettled struct {
	// missing are the ids that were named before an entry had them.
	missing many.IDs
	// is tells that one of those came, or one that there was.
	is bool
}

// names notes an id that an entry names; there tells that one has it.
func (u *unsettled) names(id string, there bool) {
	if id != "" && !there {
		u.missing.Put(id, 0)
	}
}

// comes notes the id of the next entry; twice tells that one has it.
func (u *unsettled) comes(id string, twice bool) {
	_, named := u.missing.Get(id)
	u.is = u.is || id != "" && (twice || named)
}

// settle ends a reading with the context that pi builds of all of the file, if that is another one; false if it is not.
func (r *reader) settle() bool {
	if !r.unsettled.is || r.lanes != nil || r.last == none {
		return false
	}
	path := r.pathByID()
	if path == nil {
		return false
	}
	selected, model := r.selectedOf(path), r.modelOf(path)
	rec := r.again(r.last)
	m := meta(rec, jsonl.Text(rec.Get("id"))+"/order")
	edited := slices.ContainsFunc(selected, func(i int) bool { return r.entries.kind(i) == "context_edit" })
	if !edited && slices.Equal(selected, r.selected(r.last)) {
		other := model != r.entries.at(r.last).inForce()
		if other {
			r.model(model, m)
		}
		return other
	}
	replacement, kept := r.contextOf(selected)
	if len(replacement) == 0 {
		r.anew(model, m)
		return true
	}
	r.log.Compaction(sources.Compaction{
		Meta: m, Trigger: record.TriggerEdit, Summary: "pi finds the messages of this file by their ids, which come twice or not in their order.",
		Replacement: replacement, Kept: kept, ActiveModel: &model,
	})
	return true
}

// pathByID is the way from the last entry to its root, by what has the ids at the end of the file; nil if there is no end to it.
func (r *reader) pathByID() []int {
	var path []int
	for on, ok := r.last, true; ok; {
		if len(path) == r.entries.len() {
			return nil // pi itself never comes back from there
		}
		path = append(path, on)
		parent := jsonl.Text(r.again(on).Get("parentId"))
		on, ok = r.entries.find(parent)
		ok = ok && parent != ""
	}
	return path
}

// modelOf is the model in force at the end of such a way.
func (r *reader) modelOf(path []int) record.Model {
	model := r.start.inForce()
	for _, i := range slices.Backward(path) {
		switch e := r.entries.at(i); {
		case e.kind == "thinking_level_change":
			model.ReasoningEffort = e.effort
		case e.kind == "model_change" || e.role == "assistant":
			model.Provider, model.Model = e.provider, e.model
		}
	}
	return model
}

// selectedOf is [reader.selected] of such a way.
func (r *reader) selectedOf(path []int) []int {
	at := slices.IndexFunc(path, func(i int) bool { return r.entries.kind(i) == "compaction" })
	out := slices.Clone(path)
	if at >= 0 {
		out = slices.Clone(path[:at])
		first := jsonl.Text(r.again(path[at]).Get("firstKeptEntryId"))
		kept, ok := r.entries.find(first)
		before := path[at+1:]
		if to := slices.Index(before, kept); ok && to >= 0 && first != "" {
			for _, i := range before[:to+1] {
				if r.entries.role(i) != "system" {
					out = append(out, i)
				}
			}
		}
		out = append(out, path[at])
	}
	slices.Reverse(out)
	return out
}
