package gemini

import (
	"github.com/tidwall/gjson"

	"palimpsest/backend/sources/jsonl"
)

// Later versions write what changes in the list, instead of all of it: what messages say now, which are gone, and the order of the rest.
// A new message has a line of its own before that.

// updatesIn are the messages that a patch changes.
func updatesIn(patch gjson.Result) []gjson.Result {
	var all []gjson.Result
	if patch.Get("id").Exists() {
		all = append(all, patch)
	}
	return append(all, patch.Get("updates").Array()...)
}

// idsOf are the ids that a member of a patch lists.
func idsOf(patch gjson.Result, member string) []string {
	var all []string
	for _, value := range patch.Get(member).Array() {
		if id := jsonl.Text(value); id != "" {
			all = append(all, id)
		}
	}
	return all
}

// patch takes away what a patch does, and puts the rest in its order: what has no place in that comes first. It tells whether the patch is
// about that at all.
func (o *order[T]) patch(patch gjson.Result) (moves bool) {
	gone, places := idsOf(patch, "removeIds"), idsOf(patch, "orderIds")
	for _, id := range gone {
		if at := o.find(id); at >= 0 {
			o.remove(at)
		}
	}
	o.arrange(places)
	return len(gone)+len(places) > 0
}

// spareFirst is what may be read of lists that patches made before anything was read of the file, and spareMore how much more for each byte
// of it.
var (
	spareFirst int64 = 64 << 20
	spareMore  int64 = 8
)

// patch changes the list. Outputs that were only taken out are found without looking at all of it.
func (r *reader) patch(offset int64, patch gjson.Result) {
	now := &r.now
	var touched []gjson.Result
	apart := false
	for i, update := range updatesIn(patch) {
		at := now.list.find(jsonl.Text(update.Get("id")))
		if at < 0 {
			continue
		}
		before := now.list.at(at).words
		m := update
		now.change(at, update)
		if last, again := r.final.get(spot{offset, i + 1}); again {
			if later, ok := r.again(last); ok && wording(later) != wording(update) {
				m = later
				now.become(at, now.keep(later))
			}
		}
		apart = apart || now.list.at(at).words != before
		touched = append(touched, m)
		for _, result := range update.Get("toolCalls.#.result").Array() {
			touched = append(touched, gjson.Parse(`{"content":`+result.Raw+"}"))
		}
	}
	moved := now.patch(patch)
	if outputs, told := r.changedIn(listOf(touched)); apart || moved || !told {
		now.untold = true
	} else {
		r.mask(outputs, r.lastTime)
	}
}

// tell puts the list that patches made in the place of the one there is. It takes as much as is in that list: of a file that changes a long
// one again and again it is told no more often than is in proportion to the file, and what it became at the end.
func (r *reader) tell(ends bool) {
	now := &r.now
	if !now.untold || !ends && now.size() > r.spare {
		return
	}
	all := now.messages()
	r.spare -= now.size()
	now.untold = false
	r.replace(all, r.lastTime)
}
