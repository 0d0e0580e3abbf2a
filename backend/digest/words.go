package digest

import (
	"hash/maphash"
	"slices"
	"strings"

	"palimpsest/backend/index"
	"palimpsest/backend/record"
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

var printing = maphash.MakeSeed()

// printOf tells contents apart by what a search finds of them, but for thinking, which agents leave out of what they take over; 0 for none.
func printOf(content []record.Block) uint64 { return printed(content, false, "") }

// wholeOf is [printOf] with the thinking, and the provider that it came from.
func wholeOf(content []record.Block, provider string) uint64 {
	if !slices.ContainsFunc(content, isThinking) {
		return printOf(content)
	}
	return printed(content, true, provider)
}

func isThinking(b record.Block) bool { return b.Kind == record.BlockThinking }

func printed(content []record.Block, thinking bool, provider string) uint64 {
	var h maphash.Hash
	h.SetSeed(printing)
	_, _ = h.WriteString(provider) // never fails
	says := false
	for i := range content {
		b := &content[i]
		if b.Kind == record.BlockThinking && !thinking || b.Kind == record.BlockImage {
			continue
		}
		says = true
		for _, part := range []string{b.Text, b.Name, b.Arguments, b.Blob, b.JSON} {
			_, _ = h.WriteString(part)
			_ = h.WriteByte(0)
		}
	}
	if !says {
		return 0
	}
	return max(h.Sum64(), 1)
}

// take remembers what a record says.
func (w *words) take(rec *record.Record) {
	var content []record.Block
	provider := ""
	switch {
	case rec.Message != nil:
		content, provider = rec.Message.Content, rec.Message.Provider
	case rec.Note != nil:
		content = rec.Note.Content
	case rec.Branch != nil && rec.Branch.Summary != "":
		content = framed(rec.Branch.Frame, rec.Branch.Summary)
	case rec.Compaction != nil:
		content = framed(rec.Compaction.Frame, rec.Compaction.Summary)
	}
	p := imprint{seq: rec.Seq, hash: printOf(content), whole: wholeOf(content, provider), summary: rec.Compaction != nil}
	if p.seq < 1 {
		return
	}
	at := int((p.seq - 1) % printsMost)
	for len(w.said) <= at {
		w.said = append(w.said, imprint{})
	}
	if w.said[at].seq == p.seq { // which of both is meant is not for here to say
		p = imprint{seq: p.seq}
	}
	w.said[at] = p
}

// framed is a summary as its agent says it.
func framed(f *record.Frame, summary string) []record.Block {
	if f == nil {
		f = &record.Frame{}
	}
	return []record.Block{record.TextBlock(f.Before + summary + f.After)}
}

// kept are the records that a compaction keeps word for word, by what they say.
func (w *words) kept(c *record.Compaction) map[uint64]imprint {
	out := map[uint64]imprint{}
	for _, seq := range c.KeptSeqs {
		if at := int((seq - 1) % printsMost); 0 <= at && at < len(w.said) && w.said[at].seq == seq && w.said[at].hash != 0 {
			out[w.said[at].hash] = w.said[at]
		}
	}
	return out
}

// compaction gives the texts of one. What it puts in the place of what was said is what the model sees; the summary is only if it is a part
// of that.
func (t *texter) compaction(at index.Text, rec *record.Record) {
	c := rec.Compaction
	kept, said := t.words.kept(c), false
	voices := voicesOf(c.Replacement)
	summary := strings.TrimSpace(c.Summary)
	for i := range c.Replacement {
		m := &c.Replacement[i]
		if m.Role == record.RoleAssistant {
			t.apart.in(at.Line).provider = m.Provider
		}
		before, known := kept[printOf(m.Content)]
		switch {
		case summary != "" && holds(m, summary):
			said = true
			t.blocks(at, index.Summary, m.Content, voices[i])
		case known && before.summary:
			t.blocks(at, index.Summary, m.Content, voices[i])
		case !known:
			t.message(at, m, voices[i])
		case before.whole != wholeOf(m.Content, m.Provider):
			t.apart.in(at.Line).bare = append(t.apart.in(at.Line).bare, before.seq)
			t.blocks(at, index.Thinking, slices.DeleteFunc(slices.Clone(m.Content), func(b record.Block) bool { return !isThinking(b) }), voices[i])
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
