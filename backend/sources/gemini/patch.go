package gemini

import (
	"cmp"
	"slices"
	"strings"

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

// moves tells whether a patch changes which messages there are, or their order.
func moves(patch gjson.Result) bool {
	return len(idsOf(patch, "removeIds")) > 0 || len(idsOf(patch, "orderIds")) > 0
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

// patched is a list without what a patch takes away, in its order. What has no place in that comes first.
func patched[T any](all []T, patch gjson.Result, idOf func(T) string) []T {
	gone, places := map[string]bool{}, map[string]int{}
	for _, id := range idsOf(patch, "removeIds") {
		gone[id] = true
	}
	for i, id := range idsOf(patch, "orderIds") {
		if _, has := places[id]; !has {
			places[id] = i + 1
		}
	}
	all = slices.DeleteFunc(all, func(m T) bool { return gone[idOf(m)] })
	slices.SortStableFunc(all, func(a, b T) int { return cmp.Compare(places[idOf(a)], places[idOf(b)]) })
	return all
}

// changedBy is a message as an update has it.
func changedBy(m, update gjson.Result) gjson.Result {
	var members strings.Builder
	if content := update.Get("content"); content.Exists() {
		members.WriteString(`"content":` + content.Raw + ",")
	}
	if calls := m.Get("toolCalls"); calls.IsArray() && update.Get("toolCalls").IsArray() {
		var all []string
		for _, call := range calls.Array() {
			for _, other := range update.Get("toolCalls").Array() {
				if result := other.Get("result"); result.Exists() && call.IsObject() && jsonl.Text(call.Get("id")) == jsonl.Text(other.Get("id")) {
					call = gjson.Parse(`{"result":` + result.Raw + "," + call.Raw[1:])
				}
			}
			all = append(all, call.Raw)
		}
		members.WriteString(`"toolCalls":[` + strings.Join(all, ",") + "],")
	}
	return gjson.Parse("{" + members.String() + strings.TrimSpace(m.Raw)[1:]) // the first of two counts
}

// current are the messages that Gemini holds, as they were written. They are remembered as long as a patch is to come.
type current struct {
	patches int
	all     []gjson.Result
	stands  map[string]int
}

func (c *current) set(all []gjson.Result) {
	c.all, c.stands = nil, map[string]int{}
	for _, m := range all {
		c.put(m)
	}
}

// put adds a message, or what it has more. What it says last is what is remembered of it already.
func (c *current) put(m gjson.Result) {
	id := jsonl.Text(m.Get("id"))
	if c.patches == 0 || !m.IsObject() {
		return
	}
	if at, known := c.stands[id]; known {
		if wording(m) == wording(c.all[at]) {
			c.all[at] = m
		}
		return
	}
	if id != "" {
		c.stands[id] = len(c.all)
	}
	c.all = append(c.all, m)
}

func (c *current) rewind(id string) {
	c.set(c.all[:c.stands[id]:c.stands[id]])
}

// patch changes the list. Outputs that were only taken out are found without looking at all of it.
func (r *reader) patch(offset int64, patch gjson.Result) {
	now := &r.now
	var touched, results []gjson.Result
	apart := moves(patch)
	for i, update := range updatesIn(patch) {
		at, known := now.stands[jsonl.Text(update.Get("id"))]
		if !known {
			continue
		}
		m := changedBy(now.all[at], update)
		if last, again := r.final.get(spot{offset, i + 1}); again {
			if later, ok := r.again(last); ok && wording(later) != wording(m) {
				m = later
			}
		}
		apart = apart || wording(m) != wording(now.all[at])
		now.all[at] = m
		touched = append(touched, m)
		for _, result := range update.Get("toolCalls.#.result").Array() {
			results = append(results, gjson.Parse(`{"content":`+result.Raw+"}"))
		}
	}
	outputs, told := r.changedIn(append(touched, results...))
	if apart || !told {
		now.set(patched(now.all, patch, func(m gjson.Result) string { return jsonl.Text(m.Get("id")) }))
		r.replace(slices.Clone(now.all), r.lastTime)
	} else {
		r.mask(outputs, r.lastTime)
	}
	if now.patches--; now.patches == 0 {
		now.set(nil)
	}
}
