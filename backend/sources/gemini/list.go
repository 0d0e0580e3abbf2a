package gemini

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// list is what Gemini holds as the conversation at a point of the file.
type list struct {
	items items
	// replaced is how many of the items are part of a compaction's replacement, and compaction its seq.
	replaced   int
	compaction int64
	// parts is that replacement, as messages for each item.
	parts [][]sources.Message
	// changes counts what was done to it as a whole.
	changes int
}

// upsert adds a message or, if the list has it, what it says more.
func (r *reader) upsert(m gjson.Result) {
	at := r.list.items.find(jsonl.Text(m.Get("id")))
	if at < 0 {
		r.add(m)
		return
	}
	calls := len(m.Get("toolCalls").Array())
	if calls <= int(r.list.items.all.At(at).calls) {
		return
	}
	// Its text is in the list already, as part of one that replaced another; the calls are new.
	r.list.items.change(at, func(it *item) { it.calls = int32(calls) })
	r.list.changes++
	said := r.said(m)
	said.text = nil
	r.emit(said, fmt.Sprintf("%s/%d", jsonl.Text(m.Get("id")), r.list.changes))
	r.list.items.stand(r.log.Next() - 1)
}

// add puts a message at the end.
func (r *reader) add(m gjson.Result) {
	id := jsonl.Text(m.Get("id"))
	r.emit(r.said(m), id)
	r.list.items.add(r.list.items.of(m, r.log.Next()-1))
}

// onlyResults tells whether a message says nothing but how calls ended, with what stands behind that.
func onlyResults(m gjson.Result) bool {
	content := parts(m.Get("content"))
	isResult := func(part gjson.Result) bool { return part.Get("functionResponse").Exists() }
	return slices.ContainsFunc(content, isResult) &&
		!slices.ContainsFunc(content, func(part gjson.Result) bool { return !isResult(part) && textOf(part) != "" })
}

// common is how far both lists are the same, by what they say: a resume gives results another id, or leaves them out.
func (l *list) common(messages messages) (items, of int) {
	for {
		for items < l.items.all.Len() && l.items.aside(items) {
			items++
		}
		for _, m := range messages.from(of) {
			if !onlyResults(m) && roleOf(m) != "" {
				break
			}
			of++
		}
		if items == l.items.all.Len() || of == messages.count || !l.items.same(items, messages.at(of)) {
			return items, of
		}
		items, of = items+1, of+1
	}
}

// rename gives results the ids that they have in another list that says the same.
func (l *list) rename(messages messages) {
	all, at := &l.items.all, 0
	for _, m := range messages.from(0) {
		for at < all.Len() && all.At(at).told {
			at++
		}
		if !onlyResults(m) {
			for at < all.Len() && l.items.aside(at) {
				at++
			}
			at++
		} else if at < all.Len() && all.At(at).results {
			id := l.items.number(jsonl.Text(m.Get("id")))
			l.items.change(at, func(it *item) { it.id = id })
			at++
		}
	}
	for i := range all.Len() {
		l.items.place(i)
	}
}

// adopt gives the items the ids that they have in another list, and reads results that only that has.
func (r *reader) adopt(messages messages) {
	if r.list.replaced > 0 { // those of a replacement are told apart by their place in it
		r.list.rename(messages)
		return
	}
	const none = -1
	last := map[int32]int64{} // of those that are in both
	for _, m := range messages.from(0) {
		last[r.list.items.number(jsonl.Text(m.Get("id")))] = none
	}
	for i := range r.list.items.all.Len() {
		it := r.list.items.all.At(i)
		if _, wanted := last[it.id]; wanted {
			last[it.id] = int64(it.last)
		}
	}
	items := make([]item, 0, messages.count)
	at := int64(0)
	for _, m := range messages.from(0) {
		if seq := last[r.list.items.number(jsonl.Text(m.Get("id")))]; seq != none {
			at = seq
		} else if s := r.said(m); len(s.results) > 0 {
			r.emit(s, jsonl.Text(m.Get("id")))
			at = r.log.Next() - 1
		}
		items = append(items, r.list.items.of(m, at))
	}
	inOrder(items)
	r.list.items.set(items)
}

// inOrder lets results that were moved forward be there as soon as what they stand behind now.
func inOrder(items []item) {
	next := uint32(math.MaxUint32)
	for i := range slices.Backward(items) {
		if !items[i].results {
			next = items[i].last
		} else if items[i].last >= next {
			items[i].last = 0
		}
	}
	for i := range items {
		if items[i].last == 0 && i > 0 {
			items[i].last = items[i-1].last
		}
	}
}

// rewind takes back a message and what follows it, or everything.
func (r *reader) rewind(id string) {
	r.back(max(r.list.items.find(id), 0), r.lastTime)
}

// back lets the conversation go on behind the first items.
func (r *reader) back(keep int, at time.Time) {
	if keep == r.list.items.all.Len() {
		return
	}
	r.list.changes++
	r.answered.Clear() // what is asked again is answered again
	meta := sources.Meta{Time: at, Entry: fmt.Sprintf("back/%d", r.list.changes)}
	switch l := &r.list; {
	case keep == 0:
		r.log.Branch(sources.Branch{Meta: meta})
		l.replaced, l.parts = 0, nil
		r.masks.forget()
	case keep >= l.replaced && keep > 0:
		from := int64(l.items.all.At(keep - 1).last)
		r.log.Branch(sources.Branch{Meta: meta, From: from})
		defer r.maskAgain(from, at)
	default: // into the replacement: what is left of it
		r.masks.forget()
		l.parts, l.replaced = l.parts[:keep], keep
		c := sources.Compaction{Meta: meta, Trigger: record.TriggerEdit, Summary: "A part of the conversation was taken back.", Replacement: flat(l.parts)}
		if len(c.Replacement) == 0 {
			r.log.Branch(sources.Branch{Meta: meta})
			break
		}
		l.compaction = r.log.Compaction(c)
		for i := range keep {
			l.items.change(i, func(it *item) { it.last = uint32(l.compaction) })
		}
	}
	r.list.items.keep(keep)
}

// roleOf is whose message it is.
func roleOf(m gjson.Result) record.Role {
	switch m.Get("type").Str {
	case "user":
		return record.RoleUser
	case "gemini", "model", "assistant":
		return record.RoleAssistant
	}
	return ""
}
