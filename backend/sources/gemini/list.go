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
	// parts is that replacement, as messages for each item, and ends is how long it is up to the end of each.
	parts [][]sources.Message
	ends  []int
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
	calls := len(few(m.Get("toolCalls")))
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
func (r *reader) add(m gjson.Result) { r.put(m, r.said(m)) }

// put puts a message at the end that says this.
func (r *reader) put(m gjson.Result, said said) {
	r.emit(said, jsonl.Text(m.Get("id")))
	r.list.items.add(r.list.items.of(m, r.log.Next()-1))
}

// onlyResults tells whether a message says nothing but how calls ended, with what stands behind that.
func onlyResults(m gjson.Result) bool {
	content := parts(m.Get("content"))
	isResult := func(part gjson.Result) bool { return part.Get("functionResponse").Exists() }
	return slices.ContainsFunc(content, isResult) &&
		!slices.ContainsFunc(content, func(part gjson.Result) bool { return !isResult(part) && textOf(part) != "" })
}

// common is how far both lists are the same, by what they say: a resume gives results another id, or leaves them out. The first ones are
// known to be the same.
func (l *list) common(messages messages, steady int) (items, of int) {
	for items, of = steady, steady; ; items, of = items+1, of+1 {
		for items < l.items.all.Len() && l.items.aside(items) {
			items++
		}
		for _, m := range messages.from(of) {
			if !onlyResults(m) && !alone(m) {
				break
			}
			of++
		}
		if items == l.items.all.Len() || of == messages.count || !l.items.same(items, messages.at(of)) {
			return items, of
		}
	}
}

// rename gives results of a replacement the ids that they have in another list that says the same, and tells how much of that is about it.
func (l *list) rename(messages messages) (of int) {
	all, at := &l.items.all, 0
	for i, m := range messages.from(0) {
		for at < l.replaced && (all.At(at).told || all.At(at).results && !onlyResults(m)) {
			at++
		}
		if of = i; at == l.replaced {
			break
		}
		switch of++; {
		case alone(m):
		case !onlyResults(m):
			at++
		case all.At(at).results:
			id := l.items.number(jsonl.Text(m.Get("id")))
			l.items.change(at, func(it *item) { it.id = id })
			at++
		}
	}
	for i := range l.replaced {
		l.items.place(i)
	}
	return of
}

// adopt gives the items behind the first ones, which are in their places, the ids that they have in another list, and reads results that
// only that has. It tells whether all are in their places then.
func (r *reader) adopt(messages messages, steady int) (even bool) {
	kept := steady
	if even = steady >= r.list.replaced; !even { // those of a replacement are told apart by their place in it
		kept, steady = r.list.replaced, r.list.rename(messages)
	}
	const none = -1
	last := map[int32]int64{} // of those that are in both
	for _, m := range messages.from(steady) {
		last[r.list.items.number(jsonl.Text(m.Get("id")))] = none
	}
	at := int64(0)
	for i := max(kept-1, 0); i < r.list.items.all.Len(); i++ {
		it := r.list.items.all.At(i)
		if i < kept {
			at = int64(it.last)
		} else if _, wanted := last[it.id]; wanted {
			last[it.id] = int64(it.last)
		}
	}
	before := uint32(at)
	items := make([]item, 0, messages.count-steady)
	for _, m := range messages.from(steady) {
		if seq := last[r.list.items.number(jsonl.Text(m.Get("id")))]; seq != none {
			at = seq
		} else if s := r.said(m); len(s.results) > 0 {
			r.emit(s, jsonl.Text(m.Get("id")))
			at = r.log.Next() - 1
		}
		items = append(items, r.list.items.of(m, at))
	}
	inOrder(items, before)
	r.list.items.keep(kept)
	for i := range items {
		r.list.items.add(items[i])
	}
	return even
}

// inOrder lets results that were moved forward be there as soon as what they stand behind now.
func inOrder(items []item, before uint32) {
	next := uint32(math.MaxUint32)
	for i := range slices.Backward(items) {
		if !items[i].results {
			next = items[i].last
		} else if items[i].last >= next {
			items[i].last = 0
		}
	}
	for i := range items {
		if items[i].last == 0 {
			items[i].last = before
		}
		before = items[i].last
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
	case !r.affords(int64(l.ends[keep-1])): // the next time it is no replacement
		r.spread(keep, meta)
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

// spread writes what is left of a replacement as records of their own.
func (r *reader) spread(keep int, meta sources.Meta) {
	l := &r.list
	last := r.log.Branch(sources.Branch{Meta: meta})
	r.masks.forget()
	for i, part := range l.parts[:keep] {
		for _, m := range part {
			m.Meta = meta
			last = r.log.Message(m)
			r.masks.answered(m, last)
		}
		l.items.change(i, func(it *item) { it.last = uint32(last) })
	}
	l.parts, l.replaced = nil, 0
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
