package gemini

import (
	"fmt"
	"strconv"
	"time"

	"palimpsest/backend/many"
	"palimpsest/backend/sources"
)

// masks are outputs that Gemini took out of what the model sees, with what stands there instead.
type masks struct {
	// results are the records of results that are nothing but a text, by their calls; 0 for others.
	results many.IDs
	// made are in the order of the records that say so, owed those for which there was no room, and of has where the last of a result is:
	// among the owed ones counted from -1 down.
	made, owed many.List[mask]
	of         many.IDs
	texts      many.Texts
}

// mask is an output that was taken out: the record of the result, that which says so, and the number of the text instead.
type mask struct {
	result, prune int64
	text          int32
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
	m.of.Clear()
	m.made.Cut(0)
	m.owed.Cut(0)
}

// changed is an output that is another one in a new list.
type changed struct {
	call   string
	result int64
	text   string
	sum    int32
}

// changedIn are those in messages from one on that say the same as the list does but for outputs. told is false if one of them is no mere
// text of a result that has a record.
func (r *reader) changedIn(messages messages, from int) (all []changed, told bool) {
	const most = 64 << 10 // longer ones are no notes that something was taken out
	seen := map[string]bool{}
	told = true
	for _, m := range messages.from(from) {
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
	var p pruning
	for _, c := range all {
		r.outputs.Put(c.call, int(c.sum))
		r.masks.texts.Add(sources.Valid(c.text))
		r.prune(&p, mask{result: c.result, text: int32(r.masks.texts.Len() - 1)}, at)
	}
	r.pruned(&p, at)
}

// pruning is a record of outputs that were taken out, as long as there is room in it.
type pruning struct {
	sources.Prune
	size int
}

// prune puts a mask in a record, in place of what there was for the same result.
func (r *reader) prune(p *pruning, m mask, at time.Time) {
	const most = 1 << 20
	text := r.masks.texts.At(int(m.text))
	if p.size+len(text) > most {
		r.pruned(p, at)
	}
	p.size += len(text)
	m.prune = r.log.Next()
	r.masks.of.Put(strconv.FormatInt(m.result, 10), r.masks.made.Len())
	r.masks.made.Add(m)
	p.Seqs, p.Texts = append(p.Seqs, m.result), append(p.Texts, text)
}

// pruned writes the record, if there is something in it.
func (r *reader) pruned(p *pruning, at time.Time) {
	if p.Meta = (sources.Meta{Time: at, Entry: fmt.Sprintf("mask/%d", r.log.Next())}); len(p.Seqs) > 0 {
		r.log.Prune(p.Prune)
		r.list.items.stand(r.log.Next() - 1) // the conversation goes on behind it
	}
	*p = pruning{}
}

// maskAgain writes once more what was taken out of what is still there, where that was said behind the record at which the conversation
// goes on.
func (r *reader) maskAgain(from int64, at time.Time) {
	made := &r.masks.made
	first := made.Len()
	for first > 0 && made.At(first-1).prune > from {
		first--
	}
	var again []mask
	for i := first; i < made.Len(); i++ {
		m := made.At(i)
		if last, _ := r.masks.of.Get(strconv.FormatInt(m.result, 10)); last == i && m.result <= from {
			again = append(again, m)
		}
	}
	made.Cut(first)
	const about = 256
	if !r.affords(int64(len(again)) * about) {
		for _, m := range again {
			r.masks.owed.Add(m)
			r.masks.of.Put(strconv.FormatInt(m.result, 10), -r.masks.owed.Len())
		}
		return
	}
	var p pruning
	for _, m := range again {
		r.prune(&p, m, at)
	}
	r.pruned(&p, at)
}

// maskOwed writes, at the end, what there was no room for. Of results that are gone by then it says nothing.
func (r *reader) maskOwed() {
	var p pruning
	for i := range r.masks.owed.Len() {
		m := r.masks.owed.At(i)
		if last, _ := r.masks.of.Get(strconv.FormatInt(m.result, 10)); last == -1-i {
			r.prune(&p, m, r.lastTime)
		}
	}
	r.pruned(&p, r.lastTime)
}
