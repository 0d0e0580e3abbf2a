package digest

import (
	"cmp"
	"slices"
	"sort"

	"palimpsest/backend/many"
	"palimpsest/backend/record"
	"palimpsest/backend/session"
	"palimpsest/backend/states"
)

// apart are the texts that may fare otherwise than the line they stand on, in their order. They are told by their number, from 1.
type apart struct {
	before int // how many there were before those that are known here
	all    many.List[part]
	// providers are those that answers came from, and answers the lines from which on it is another one.
	providers []string
	answers   many.List[answer]
	// models are the providers that records name as that of the model.
	models many.List[model]
	// replaced are what compactions took over, by their lines.
	replaced map[int]*replaced
}

// model is the line of a record that names one, and its provider.
type model struct {
	line, provider int32
	by             namer
}

// namer is the kind of a record that names a model.
type namer uint8

const (
	byModel namer = iota
	byCompaction
	byBranch
)

// replaced are the records that a compaction took over without their thinking, those of which the model is sent nothing although it took
// them over, and the provider of the last answer that it puts in the place of others.
type replaced struct {
	bare     []int64
	muted    []int64
	provider string
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
	// never is what no model is sent again, whatever becomes of its line.
	never
	// told is thinking that every model is sent.
	told
	// thought is what only the provider is sent that it came from: the first of them, and those below it the others.
	thought
)

// add counts one on a line, which is told as the log has it, and returns its number.
func (p *apart) add(line, fares int) int {
	p.all.Add(part{int32(line), int32(fares)})
	return p.before + p.all.Len()
}

// thoughtOf is how thinking fares that came from a provider.
func (p *apart) thoughtOf(provider string) int { return thought - p.provider(provider) }

func (p *apart) provider(name string) int {
	i := slices.Index(p.providers, name)
	if i < 0 {
		i = len(p.providers)
		p.providers = append(p.providers, name)
	}
	return i
}

// answered notes an answer.
func (p *apart) answered(line int, provider string) {
	n, of := p.answers.Len(), int32(p.provider(provider))
	if n == 0 || p.answers.At(n-1).provider != of {
		p.answers.Add(answer{int32(line), of})
	}
}

// names notes which model a record names.
func (p *apart) names(line int, rec *record.Record) {
	m, by := rec.Model, byModel
	switch {
	case rec.Compaction != nil:
		m, by = rec.Compaction.ActiveModel, byCompaction
	case rec.Branch != nil && rec.Branch.FromSeq < rec.Seq:
		m, by = rec.Branch.ActiveModel, byBranch
	}
	if m != nil {
		p.models.Add(model{int32(line), int32(p.provider(m.Provider)), by})
	}
}

// in is what the compaction on a line took over.
func (p *apart) in(line int) *replaced {
	if p.replaced == nil {
		p.replaced = map[int]*replaced{}
	}
	if p.replaced[line] == nil {
		p.replaced[line] = &replaced{}
	}
	return p.replaced[line]
}

// providerAt is the one of the answer on a line.
func (p *apart) providerAt(line int) string {
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
func (p *apart) thinker(o *states.Outlook, base int) Thinker {
	if named := p.active(o, base); named != "" {
		return Thinker{named, true}
	}
	if at := o.LastAnswer(); at >= 0 {
		return Thinker{Provider: p.providerAt(base + at)}
	}
	if r := p.replaced[base+o.InForce]; r != nil {
		return Thinker{Provider: r.provider}
	}
	return Thinker{}
}

// active is the provider of the model in force, as package overlay finds it; empty if no record in range names one.
func (p *apart) active(o *states.Outlook, base int) string {
	compacted, branched := -1, -1
	for n := p.models.Len() - 1; n >= 0; n-- {
		m := p.models.At(n)
		at := int(m.line) - base
		switch {
		case m.by == byCompaction:
			if at == o.InForce {
				compacted = int(m.provider)
			}
		case !o.InRange(at):
		case m.by == byModel:
			return p.providers[m.provider]
		case branched < 0:
			branched = int(m.provider)
		}
	}
	if at := cmp.Or(compacted+1, branched+1) - 1; at >= 0 {
		return p.providers[at]
	}
	return ""
}

// fates tell what became of each line.
func (p *apart) fates(x *session.Index, base int, table *states.Table) func(line int) Fate {
	inForce := table.Outlook().InForce
	r := p.replaced[base+inForce]
	if r == nil || len(r.muted) == 0 {
		return func(line int) Fate { return fateAt(x, table, line) }
	}
	muted := map[int64]bool{}
	for _, seq := range r.muted {
		muted[seq] = true
	}
	return func(line int) Fate {
		fate := fateAt(x, table, line)
		if fate == Context && line < inForce && muted[x.Lines.At(line).Seq] {
			return Dropped
		}
		return fate
	}
}

// spans are what became of them; base is the line of the log at which the index begins.
func (p *apart) spans(x *session.Index, base int, table *states.Table, to Thinker) Spans {
	o := table.Outlook()
	bare := map[int64]bool{}
	if r := p.replaced[base+o.InForce]; r != nil {
		for _, seq := range r.bare {
			bare[seq] = true
		}
	}
	fates := p.fates(x, base, table)
	return spansOf(p.all.Len(), func(i int) Fate {
		at := p.all.At(i)
		line := int(at.line) - base
		if at.fares >= 0 {
			return FateOf(o.Instead(line, int(at.fares)))
		}
		fate := fates(line)
		switch {
		case at.fares == unseen:
			return ""
		case at.fares == never:
			return Dropped
		case fate != Context:
			return fate
		case at.fares == cut, at.fares <= thought && p.providers[thought-at.fares] != to.Provider:
			return Dropped
		case line < o.InForce && bare[x.Lines.At(line).Seq]:
			return Summary
		}
		return Context
	})
}
