package sources

import (
	"slices"
	"sort"

	"palimpsest/backend/many"
	"palimpsest/backend/record"
	"palimpsest/backend/siphash"
)

// Past is what a log knows of its messages: by that it finds those that what replaces them has word for word, which the model still sees.
// It knows the newest of them, in 8 bytes each.
type Past struct {
	prints   many.List[uint64] // by seq, the newest in place of what is pastMost older; 0 for what says nothing
	last     int64             // seq of the last
	newest   int64             // the highest that there was: a log may go back, and then the places of those that it took back are theirs
	branches many.List[pastBranch]
	by       siphash.Key
}

// pastBranch is a branch, and what it goes on from.
type pastBranch struct{ seq, from int64 }

// How far back messages are looked for, in records: so many for each that there is to find, and so many more. What an agent takes over is
// near as a rule, and an agent that replaces everything with every message must not make it cost the square of them.
const (
	pastEach = 256
	pastMore = 1 << 14
	pastMost = 1 << 17
)

// printOf tells messages apart by what the model gets of them, but for thinking, which agents leave out of what they take over.
func (p *Past) printOf(role record.Role, call string, content []Block) uint64 {
	h := p.by.New()
	says := false
	for i := range content {
		b := &content[i]
		if b.Type == "thinking" || b.Aside || len(b.Raw) > 0 {
			continue
		}
		says = true
		for _, part := range []string{b.Type, b.Text, b.ID, b.Name, b.Blob} {
			h.WriteString(part)
			h.Add(0)
		}
		h.Write(b.Arguments)
	}
	if !says {
		return 0
	}
	h.WriteString(string(role))
	h.Add(0)
	h.WriteString(call)
	return max(h.Sum(), 1)
}

// Past is for a log that goes on where this one ends.
func (l *Log) Past() *Past { return l.past }

// GoOn has a log know what the one knew that it is behind; nil is none.
func (l *Log) GoOn(p *Past) {
	if p == nil {
		return
	}
	p.last = min(p.last, l.seq)
	p.branches.Cut(p.branchesTo(l.seq))
	l.past = p
}

// take remembers what a record says.
func (p *Past) take(w *wire) {
	for p.last++; p.last < w.Seq; p.last++ { // the numbers of damaged lines, say
		p.put(p.last, 0)
	}
	p.newest = max(p.newest, p.last)
	p.put(w.Seq, 0)
	switch {
	case w.RecordType == record.TypeBranch:
		p.branches.Add(pastBranch{w.Seq, *w.FromSeq})
	case w.Aside: // the same words of the model's are meant
	case w.Content != nil && w.RecordType == record.TypeMessage:
		p.put(w.Seq, p.printOf(w.Role, w.ToolCallID, *w.Content))
	case w.Content != nil: // the model gets a note as a user's message
		p.put(w.Seq, p.printOf(record.RoleUser, "", *w.Content))
	}
}

func (p *Past) put(seq int64, mark uint64) {
	if i := int((seq - 1) % pastMost); i < p.prints.Len() {
		p.prints.Set(i, mark)
	} else {
		p.prints.Add(mark)
	}
}

// branchesTo is how many branches there are up to a seq.
func (p *Past) branchesTo(seq int64) int {
	return sort.Search(p.branches.Len(), func(i int) bool { return p.branches.At(i).seq > seq })
}

// find are the seqs of those of the messages that are on the path, in order: of the same words, the last.
func (p *Past) find(messages []wire) (seqs []int64) {
	wanted, calls := map[uint64]int{}, map[string]bool{}
	var sieve [16]uint64 // which tells of most that they are not wanted
	bit := func(mark uint64) (word *uint64, bit uint64) {
		return &sieve[mark>>6%uint64(len(sieve))], 1 << (mark & 63)
	}
	for i := range messages {
		m := &messages[i]
		if m.Content == nil || m.Role == record.RoleToolResult && !calls[m.ToolCallID] { // which the model does not get
			continue
		}
		for _, b := range *m.Content {
			if b.Type == "toolCall" {
				calls[b.ID] = true
			}
		}
		if mark := p.printOf(m.Role, m.ToolCallID, *m.Content); mark != 0 {
			wanted[mark]++
			word, bit := bit(mark)
			*word |= bit
		}
	}
	steps := pastEach*len(messages) + pastMore
	end := max(0, p.newest-pastMost)
	branch := p.branchBefore(p.last)
	for seq := p.last; seq > end && steps > 0 && len(wanted) > 0; steps-- {
		if branch.seq == seq {
			from := branch.from
			if branch = p.branchBefore(min(from, seq-1)); from < seq {
				seq = from
				continue
			}
		}
		mark := p.prints.At(int((seq - 1) % pastMost))
		if word, bit := bit(mark); *word&bit != 0 && wanted[mark] > 0 {
			seqs = append(seqs, seq)
			if wanted[mark]--; wanted[mark] == 0 {
				delete(wanted, mark)
			}
		}
		seq--
	}
	slices.Reverse(seqs)
	return seqs
}

// branchBefore is the last branch up to a seq, of seq 0 if there is none.
func (p *Past) branchBefore(seq int64) (b pastBranch) {
	if n := p.branchesTo(seq); n > 0 {
		b = p.branches.At(n - 1)
	}
	return b
}
