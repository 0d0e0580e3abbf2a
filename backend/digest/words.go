package digest

import (
	"slices"
	"strings"

	"palimpsest/backend/index"
	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
	"palimpsest/backend/states"
)

// words tell what of a compaction's replacement is said nowhere else in the log: of the newest records it knows what they say, as hashes.
// What an agent takes over is near as a rule; of what is not, search finds the copy as well.
type words struct{ said []imprint }

// imprint is the hash of what the record with a seq says, that of what it says and thinks, and whether it is a summary of what came before.
type imprint struct {
	seq         int64
	hash, whole uint64
	summary     bool
}

// printsMost is how many records are known: 32 bytes each.
var printsMost int64 = 1 << 15

// take remembers what a record says.
func (w *words) take(rec *record.Record) {
	provider := ""
	if rec.Message != nil {
		provider = rec.Message.Provider
	}
	p := imprint{seq: rec.Seq, summary: rec.Compaction != nil}
	if p.seq < 1 {
		return
	}
	p.hash, p.whole = states.Both(states.Said(rec), provider)
	at := int((p.seq - 1) % printsMost)
	for len(w.said) <= at {
		w.said = append(w.said, imprint{})
	}
	if w.said[at].seq == p.seq { // which of both is meant is not for here to say
		p = imprint{seq: p.seq}
	}
	w.said[at] = p
}

// of is what is known of the record with a seq.
func (w *words) of(seq int64) (said imprint, known bool) {
	at := int((seq - 1) % printsMost)
	if at < 0 || at >= len(w.said) || w.said[at].seq != seq || w.said[at].hash == 0 {
		return imprint{}, false
	}
	return w.said[at], true
}

// kept are the records that a compaction keeps word for word, by what they say.
func (w *words) kept(c *record.Compaction) map[uint64]imprint {
	out := map[uint64]imprint{}
	for _, seq := range c.KeptSeqs {
		if said, known := w.of(seq); known {
			out[said.hash] = said
		}
	}
	return out
}

// muted are the records that a compaction keeps word for word of which the model is sent nothing all the same, by their seqs.
func (w *words) muted(c *record.Compaction, unheard []bool) (seqs []int64) {
	if !slices.Contains(unheard, true) {
		return nil
	}
	copies, records := map[uint64][]bool{}, map[uint64][]int64{}
	for i := range c.Replacement {
		words := states.Words(c.Replacement[i].Content)
		copies[words] = append(copies[words], unheard[i])
	}
	for _, seq := range c.KeptSeqs {
		if said, known := w.of(seq); known && !said.summary {
			records[said.hash] = append(records[said.hash], seq)
		}
	}
	for words, same := range records {
		slices.Sort(same)
		for n, mute := range states.Muted(len(same), copies[words]) {
			if mute {
				seqs = append(seqs, same[n])
			}
		}
	}
	return seqs
}

// compaction gives the texts of one. What it puts in the place of what was said is what the model sees; the summary is only if it is a part
// of that.
func (t *texter) compaction(at index.Text, rec *record.Record) {
	c := rec.Compaction
	kept, said := t.words.kept(c), false
	unheard := overlay.Unheard(c.Replacement)
	voices := voicesOf(c.Replacement, unheard)
	if muted := t.words.muted(c, unheard); len(muted) > 0 {
		t.apart.in(at.Line).muted = muted
	}
	summary := strings.TrimSpace(c.Summary)
	for i := range c.Replacement {
		m := &c.Replacement[i]
		if m.Role == record.RoleAssistant {
			t.apart.in(at.Line).provider = m.Provider
		}
		words := states.Words(m.Content)
		before, known := kept[words]
		switch {
		case summary != "" && holds(m, summary):
			said = true
			t.blocks(at, index.Summary, m.Content, voices[i])
		case known && before.summary:
			t.blocks(at, index.Summary, m.Content, voices[i])
		case !known:
			t.message(at, m, voices[i])
		case before.whole != states.Whole(m.Content, m.Provider):
			t.apart.in(at.Line).bare = append(t.apart.in(at.Line).bare, before.seq)
			t.blocks(at, index.Thinking, slices.DeleteFunc(slices.Clone(m.Content), func(b record.Block) bool { return b.Kind != record.BlockThinking }), voices[i])
		}
	}
	switch {
	case len(c.Replacement) == 0:
		t.text(at, index.Summary, c.Summary)
	case !said:
		t.part(at, index.Summary, c.Summary, unseen)
	}
	t.part(at, index.Summary, c.Instructions, unseen)
}

// holds tells whether a summary is part of a message.
func holds(m *record.Message, summary string) bool {
	for i := range m.Content {
		if b := &m.Content[i]; b.Kind == record.BlockText && strings.Contains(b.Text, summary) {
			return true
		}
	}
	return false
}
