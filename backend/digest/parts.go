package digest

import (
	"slices"
	"sort"

	"palimpsest/backend/many"
	"palimpsest/backend/session"
	"palimpsest/backend/states"
)

// parts are the texts that may fare otherwise than the line they stand on, in their order. They are told by their number, from 1.
type parts struct {
	before int // how many there were before those that are known here
	all    many.List[part]
	// providers are those that answers came from, and answers the lines from which on it is another one.
	providers []string
	answers   many.List[answer]
	// bare are, by its line, the records that a compaction took over without their thinking.
	bare map[int][]int64
}

// part is one: its line, and how it fares: which text of a prune it is, or one of those below.
type part struct{ line, fares int32 }

// answer is the line of an answer, and which provider it is of.
type answer struct{ line, provider int32 }

const (
	// unseen is what no model is sent, such as the error that an answer ended with.
	unseen = -1 - iota
	// cut is what the model got a beginning or a note of, or nothing, while it sees the rest of the line.
	cut
	// thought is what only the provider is sent that it came from: the first of them, and those below it the others.
	thought
)

// add counts one on a line, which is told as the log has it, and returns its number.
func (p *parts) add(line, fares int) int {
	p.all.Add(part{int32(line), int32(fares)})
	return p.before + p.all.Len()
}

// thoughtOf is how thinking fares that came from a provider.
func (p *parts) thoughtOf(provider string) int { return thought - p.provider(provider) }

func (p *parts) provider(name string) int {
	i := slices.Index(p.providers, name)
	if i < 0 {
		i = len(p.providers)
		p.providers = append(p.providers, name)
	}
	return i
}

// answered notes an answer.
func (p *parts) answered(line int, provider string) {
	n, of := p.answers.Len(), int32(p.provider(provider))
	if n == 0 || p.answers.At(n-1).provider != of {
		p.answers.Add(answer{int32(line), of})
	}
}

// left tells that the compaction on a line took a record over without its thinking.
func (p *parts) left(line int, seq int64) {
	if p.bare == nil {
		p.bare = map[int][]int64{}
	}
	p.bare[line] = append(p.bare[line], seq)
}

// providerAt is the one of the answer on a line.
func (p *parts) providerAt(line int) string {
	n := sort.Search(p.answers.Len(), func(i int) bool { return int(p.answers.At(i).line) > line })
	if n == 0 {
		return ""
	}
	return p.providers[p.answers.At(n-1).provider]
}

// Thinker is the provider that thinking may be sent to. Named tells that a record names it; else it is that of the last answer.
type Thinker struct {
	Provider string `json:"p,omitempty"`
	Named    bool   `json:"n,omitempty"`
}

// thinker is the one at the end of a log, of which base is the line at which the index begins.
func (p *parts) thinker(o *states.Outlook, base int) Thinker {
	if m := o.Active(); m != nil && m.Provider != "" {
		return Thinker{m.Provider, true}
	}
	at, replaced := o.LastAnswer()
	switch {
	case at >= 0:
		return Thinker{Provider: p.providerAt(base + at)}
	case replaced != nil:
		return Thinker{Provider: replaced.Provider}
	}
	return Thinker{}
}

// spans are what became of them; base is the line of the log at which the index begins.
func (p *parts) spans(x *session.Index, base int, table *states.Table, to Thinker) Spans {
	o := table.Outlook()
	bare := map[int64]bool{}
	for _, seq := range p.bare[base+o.InForce] {
		bare[seq] = true
	}
	return spansOf(p.all.Len(), func(i int) Fate {
		at := p.all.At(i)
		line := int(at.line) - base
		if at.fares >= 0 {
			return FateOf(o.Instead(line, int(at.fares)))
		}
		fate := fateAt(x, table, line)
		switch {
		case at.fares == unseen:
			return ""
		case fate != Context:
			return fate
		case at.fares == cut, p.providers[thought-at.fares] != to.Provider:
			return Dropped
		case line < o.InForce && bare[x.Lines.At(line).Seq]:
			return Summary
		}
		return Context
	})
}
