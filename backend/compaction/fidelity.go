package compaction

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"palimpsest/backend/overlay"
	"palimpsest/backend/record"
)

// FactKind is a kind of thing that a summary should not lose.
type FactKind string

// The kinds, in the order in which they are told.
const (
	FactRule       FactKind = "rule" // a sentence of the user with must, never, always, prefer or don't
	FactFile       FactKind = "file"
	FactURL        FactKind = "url"
	FactIdentifier FactKind = "identifier"
	FactError      FactKind = "error"
	FactCommand    FactKind = "command" // of an agent, if it does more than look
	FactCommit     FactKind = "commit"
	FactNumber     FactKind = "number" // with its unit
)

var factKinds = []FactKind{FactRule, FactFile, FactURL, FactIdentifier, FactError, FactCommand, FactCommit, FactNumber}

// Fact is something that was said in messages, and Seq the record of the last one of them.
type Fact struct {
	Kind FactKind `json:"kind"`
	Text string   `json:"text"`
	Seq  int64    `json:"seq"`
}

// FactCount is how many facts of a kind there are, and how many of them a summary keeps.
type FactCount struct {
	Kind  FactKind `json:"kind"`
	Kept  int      `json:"kept"`
	Total int      `json:"total"`
}

// Fidelity tells what a summary keeps of what it replaces, by rule: which of the facts in the messages that go stand in it. What also
// stands in a message that stays is not counted, for it is not replaced.
type Fidelity struct {
	Kept  int `json:"kept"`
	Total int `json:"total"`
	// Kinds are those of which there is a fact.
	Kinds []FactCount `json:"kinds"`
	// Lost are at most lostMost, those of one kind together, the newest of each first.
	Lost []Fact `json:"lost"`
}

// lostMost bounds the list of what was lost: nobody reads more, and the numbers tell of all.
const lostMost = 200

// Fidelity measures a summary of what the plan takes.
func (p *Plan) Fidelity(summary string) *Fidelity {
	found := newFinder()
	found.messages(p.backward(p.Summarize))
	found.messages(p.backward(p.replay))
	if p.Previous != nil && len(p.replay) == 0 {
		found.summary(p.Previous.Summary, p.PreviousSeq)
	}
	return found.measure(p.backward(p.Keep), summary)
}

// FidelityOf measures a compaction that was made on this context; nil if nobody knows its summary.
func FidelityOf(c *overlay.Context, made *record.Compaction) (*Fidelity, error) {
	summary, known := standsFor(made)
	if !known {
		return nil, nil //nolint:nilnil // there is nothing to measure
	}
	var gone, kept []overlay.Message
	summarized := c.Compaction != nil && len(c.Compaction.Replacement) == 0
	for i := range c.Messages {
		m := &c.Messages[i]
		switch {
		case m.Overlay == overlay.OverlayCompaction && summarized:
		case m.From >= made.FirstKeptSeq && len(made.Replacement) == 0:
			kept = append(kept, *m)
		default:
			gone = append(gone, *m)
		}
	}
	found := newFinder()
	read := &Plan{context: c}
	found.messages(read.backward(gone))
	if summarized {
		found.summary(c.Compaction.Summary, c.CompactionSeq)
	}
	out := found.measure(read.backward(kept), summary)
	return out, read.unread
}

// standsFor is the text of what a compaction put in the place of messages; not known if some of it can't be read, or there is none.
func standsFor(made *record.Compaction) (text string, known bool) {
	texts := []string{made.Summary}
	for i := range made.Replacement {
		for _, block := range made.Replacement[i].Content {
			if block.Kind == record.BlockUnknown || block.Kind == record.BlockAsIs || block.Placeholder() {
				return "", false
			}
		}
		texts = append(texts, textOf(made.Replacement[i].Content))
	}
	text = strings.Join(texts, "\n")
	return text, strings.TrimSpace(text) != ""
}

// measure compares what was found with a summary.
func (f *finder) measure(kept iter.Seq[*overlay.Message], summary string) *Fidelity {
	others := newFinder()
	others.messages(kept)
	f.joinFiles()
	stays := f.stayingIn(others)
	out := &Fidelity{Kinds: []FactCount{}, Lost: []Fact{}}
	in := newKeeper(summary, f.byBase())
	for _, kind := range factKinds {
		count, lost := FactCount{Kind: kind}, []Fact{}
		for key, fact := range f.facts {
			if key.kind != kind || stays[key] {
				continue
			}
			count.Total++
			if in.keeps(fact) {
				count.Kept++
				continue
			}
			lost = append(lost, fact)
		}
		if count.Total == 0 {
			continue
		}
		slices.SortFunc(lost, func(a, b Fact) int { return cmp.Or(cmp.Compare(b.Seq, a.Seq), cmp.Compare(a.Text, b.Text)) })
		out.Kept, out.Total = out.Kept+count.Kept, out.Total+count.Total
		out.Kinds = append(out.Kinds, count)
		out.Lost = append(out.Lost, lost[:min(len(lost), lostMost-len(out.Lost))]...)
	}
	return out
}
