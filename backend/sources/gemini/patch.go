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
	return append(all, few(patch.Get("updates"))...)
}

// idsOf are the ids that a member of a patch lists.
func idsOf(patch gjson.Result, member string) []string {
	var all []string
	for _, value := range few(patch.Get(member)) {
		if id := jsonl.Text(value); id != "" {
			all = append(all, id)
		}
	}
	return all
}

// patch takes away what a patch does, and puts the rest in its order: what has no place in that comes first. It tells from which place on
// the list is another one, and whether it is.
func (o *order[T]) patch(patch gjson.Result) (from int, moves bool) {
	from = o.all.Len()
	for _, id := range idsOf(patch, "removeIds") {
		if at := o.find(id); at >= 0 {
			o.remove(at)
			from, moves = min(from, at), true
		}
	}
	if first := o.arrange(idsOf(patch, "orderIds")); first < o.all.Len() {
		from, moves = min(from, first), true
	}
	return from, moves
}

// spareFirst is how much may be written once more of what is written already, before anything was read of the file, and spareMore how much
// more for each byte of it: lists that patches made, above all. An agent needs a part of that.
var (
	spareFirst int64 = 32 << 20
	spareMore  int64 = 4
)

// affords takes from what may be written once more. Where there is not so much, the log says so the first time.
func (r *reader) affords(size int64) bool {
	if size <= r.spare {
		r.spare -= size
		return true
	}
	if !r.short {
		r.short = true
		r.log.Lost("From here on the list of messages is changed more often than can be followed: what the model saw is shown as it was now and then, and at the end.")
	}
	return false
}

// patch changes the list. Outputs that were only taken out are found without looking at all of it.
func (r *reader) patch(offset int64, patch gjson.Result) {
	now := &r.now
	var touched []gjson.Result
	apart, steady := false, now.steady
	for i, update := range updatesIn(patch) {
		at := now.list.find(jsonl.Text(update.Get("id")))
		if at < 0 {
			continue
		}
		before := now.list.at(at).words
		m := update
		now.change(at, update)
		if last, again := r.written.final.get(spot{offset, i + 1}); again {
			if later, ok := r.again(last); ok && wording(later) != wording(update) {
				m = later
				now.become(at, now.keep(later))
			}
		}
		apart = apart || now.list.at(at).words != before
		touched = append(touched, m)
		for _, call := range few(update.Get("toolCalls")) {
			if result := call.Get("result"); result.Exists() {
				touched = append(touched, gjson.Parse(`{"content":`+result.Raw+"}"))
			}
		}
	}
	moved := now.patch(patch)
	if outputs, told := r.changedIn(listOf(touched), 0); apart || moved || !told {
		now.untold = true
	} else {
		r.mask(outputs, r.lastTime)
		now.steady = steady // all that changed is told of
	}
}

// tell puts the list that patches made in the place of the one there is. It takes as much as is in that list: of a file that changes a long
// one again and again it is told no more often than is in proportion to the file, and what it became at the end.
func (r *reader) tell(ends bool) {
	now := &r.now
	if !now.untold {
		return
	}
	if ends || r.affords(now.size()) {
		now.told(r.replace(now.messages(), now.steady, r.lastTime))
	}
}
