package gemini

import (
	"fmt"
	"time"

	"palimpsest/backend/many"
	"palimpsest/backend/sources"
)

// masks are outputs that Gemini took out of what the model sees, with what stands there instead.
type masks struct {
	// results are the records of results that are nothing but a text, by their calls; 0 for others.
	results many.IDs
	// made are in the order in which they were first, and of has where that of a result is.
	made []mask
	of   map[int64]int
}

// mask is an output that was taken out: the record of the result, that which says so, 0 if none does, and the text instead.
type mask struct {
	result, prune int64
	text          string
}

// answered notes the record of a result.
func (m *masks) answered(result sources.Message, seq int64) {
	if len(result.Content) != 1 || result.Content[0].Type != "text" {
		seq = 0
	}
	m.results.Put(result.ToolCallID, int(seq))
}

// forget is for when no record has what the model sees.
func (m *masks) forget() {
	m.results.Clear()
	m.made, m.of = nil, nil
}

// changed is an output that is another one in a new list.
type changed struct {
	call   string
	result int64
	text   string
	sum    int32
}

// changedIn are those in messages that say the same as the list does but for outputs. told is false if one of them is no mere text of a
// result that has a record.
func (r *reader) changedIn(messages messages) (all []changed, told bool) {
	const most = 64 << 10 // longer ones are no notes that something was taken out
	seen := map[string]bool{}
	told = true
	for _, m := range messages.from(0) {
		for _, part := range parts(m.Get("content")) {
			response := part.Get("functionResponse")
			call := answeredBy(response)
			sum, known := r.outputs.Get(call)
			if now := outputSum(response); known && !seen[call] && int32(sum) != now {
				seq, _ := r.masks.results.Get(call)
				text, _ := outputOf(response)
				all = append(all, changed{call, int64(seq), text, now})
				told = told && seq > 0 && text != "" && len(text) <= most && len(response.Get("parts").Array()) == 0
			}
			seen[call] = true
		}
	}
	return all, told
}

// mask writes that outputs were taken out.
func (r *reader) mask(all []changed, at time.Time) {
	var fresh []int
	for _, c := range all {
		r.outputs.Put(c.call, int(c.sum))
		fresh = append(fresh, r.masks.make(mask{result: c.result, text: sources.Valid(c.text)}))
	}
	r.pruned(fresh, at)
}

// make notes a mask, in place of what there was for the same result, and returns its number.
func (m *masks) make(one mask) int {
	i, again := m.of[one.result]
	if again {
		m.made[i] = one
		return i
	}
	if m.of == nil {
		m.of = map[int64]int{}
	}
	m.of[one.result] = len(m.made)
	m.made = append(m.made, one)
	return len(m.made) - 1
}

// pruned writes what was taken out and no record says yet, in one.
func (r *reader) pruned(fresh []int, at time.Time) {
	p := sources.Prune{Meta: sources.Meta{Time: at, Entry: fmt.Sprintf("mask/%d", r.log.Next())}}
	for _, i := range fresh {
		if m := &r.masks.made[i]; m.prune == 0 {
			p.Seqs, p.Texts = append(p.Seqs, m.result), append(p.Texts, m.text)
			m.prune = r.log.Next()
		}
	}
	if len(p.Seqs) > 0 {
		r.log.Prune(p)
		r.list.items.stand(r.log.Next() - 1) // the conversation goes on behind it
	}
}

// maskAgain writes once more what was taken out of what is still there, where that was said behind the record at which the conversation
// goes on.
func (r *reader) maskAgain(from int64, at time.Time) {
	made := r.masks.made
	r.masks.made, r.masks.of = nil, nil
	var fresh []int
	for _, m := range made {
		if m.result > from {
			continue
		}
		if m.prune > from {
			m.prune = 0
		}
		fresh = append(fresh, r.masks.make(m))
	}
	r.pruned(fresh, at)
}
