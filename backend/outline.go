package backend

import (
	"strings"

	"palimpsest/backend/session"
	"palimpsest/backend/states"
)

// Outline is what is known of a whole transcript without its messages.
type Outline struct {
	SessionID   string       `json:"sessionId"`
	Total       int          `json:"total"`
	ModelTotal  int          `json:"modelTotal"`
	Bytes       int64        `json:"bytes"`
	Messages    int          `json:"messages"`
	Records     int          `json:"records"`
	Newer       int          `json:"newer"`
	Compactions []Compaction `json:"compactions"`
	// Branches are all there are, in the order of the log.
	Branches []Branch     `json:"branches"`
	Damage   []PageDamage `json:"damage"`
	// Next is where these lists go on: so many are before it in all three, one behind the other. Nil at their end.
	Next *int `json:"next"`
}

// Branch is a record from which on the conversation goes on from another place, the line at From.
type Branch struct {
	Index    int `json:"index"`
	From     int `json:"from"`
	Messages int `json:"messages"`
	Left     int `json:"left"`
}

// Compaction is one compaction record of a transcript.
type Compaction struct {
	Seq           int64   `json:"seq"`
	Index         int     `json:"index"`
	Timestamp     *string `json:"timestamp"`
	FirstKeptSeq  int64   `json:"firstKeptSeq"`
	TokensBefore  *int64  `json:"tokensBefore"`
	TokensAfter   *int64  `json:"tokensAfter"`
	Model         *string `json:"model"`
	Trigger       *string `json:"trigger"`
	Edited        bool    `json:"edited"`
	Messages      *int    `json:"messages"`
	ReadFiles     int     `json:"readFiles"`
	ModifiedFiles int     `json:"modifiedFiles"`
	State         State   `json:"state"`
	// RevertedBy is the seq of the revert that took it back, if that can be taken back in turn.
	RevertedBy *int64 `json:"revertedBy"`
}

// Outline reads a session's index.
func (b *Backend) Outline(id string) (Outline, error) { return b.OutlineAsOf(id, 0) }

// OutlineAsOf has states be those as of the last record that has a seq; 0 for now.
func (b *Backend) OutlineAsOf(id string, seq int64) (Outline, error) {
	v, err := b.glance(id)
	if err != nil {
		return Outline{}, err
	}
	defer v.close()
	x := &v.index
	covered := v.states.Covered(x) // it took out what it did, whenever one looks at it
	if err := v.asOf(seq); err != nil {
		return Outline{}, err
	}
	out := Outline{
		SessionID: id, Total: x.Lines.Len(), ModelTotal: v.states.Model.Len(), Bytes: x.Size,
		Messages: x.Messages, Records: x.Records, Newer: x.Newer,
		Compactions: []Compaction{}, Branches: []Branch{}, Damage: []PageDamage{},
	}
	for _, b := range states.Branches(x) {
		out.Branches = append(out.Branches, Branch(b))
	}
	for _, d := range x.Damage {
		out.Damage = append(out.Damage, PageDamage{Index: d.Index, Damage: d.Lost(v.theirs)})
	}
	for _, indexed := range x.Overlays {
		if indexed.Record.Compaction != nil {
			c := v.compaction(indexed)
			if n, told := covered[indexed.Index]; told {
				c.Messages = &n
			}
			out.Compactions = append(out.Compactions, c)
		}
	}
	return out, nil
}

// OutlinePart is an outline as a window takes it: of the lists as much as fits, from one on. Each part has the numbers.
func (b *Backend) OutlinePart(id string, seq int64, from int) (Outline, error) {
	out, err := b.OutlineAsOf(id, seq)
	if err == nil {
		out.cut(from)
	}
	return out, err
}

// cut leaves of the lists what is not before a place, and fits into an answer.
func (o *Outline) cut(from int) {
	room, at := pageRoom, 0
	o.Compactions = part(o.Compactions, &room, &at, from, func(c *Compaction) int { return len(deref(c.Model)) + len(deref(c.Trigger)) })
	o.Branches = part(o.Branches, &room, &at, from, func(*Branch) int { return 0 })
	o.Damage = part(o.Damage, &room, &at, from, func(d *PageDamage) int { return len(d.Reason) })
	if room < 0 {
		o.Next = &at
	}
}

// part is the piece of a list that is behind from and fits; at counts on to where that ends. Room is negative once all of it is taken.
func part[T any](list []T, room, at *int, from int, texts func(*T) int) []T {
	const escaped = 6 // bytes that JSON may take for one
	first := min(max(from-*at, 0), len(list))
	*at += first
	for i := first; i < len(list); i++ {
		if *room < 0 {
			return list[first:i]
		}
		*room -= entryBytes + escaped*texts(&list[i])
		*at++
	}
	return list[first:]
}

// compaction describes a compaction, but for how many messages it took out of the context.
func (v *view) compaction(indexed session.Indexed) Compaction {
	rec, c := &indexed.Record, indexed.Record.Compaction
	state, _ := v.states.Of(&v.index, indexed.Index)
	out := Compaction{
		Seq: rec.Seq, Index: indexed.Index, FirstKeptSeq: c.FirstKeptSeq,
		TokensAfter: c.TokensAfter, Model: known(c.Model), Trigger: known(c.Trigger),
		Edited: c.Edited, ReadFiles: indexed.ReadFiles, ModifiedFiles: indexed.ModifiedFiles, State: state,
	}
	if c.TokensBefore > 0 {
		out.TokensBefore = &c.TokensBefore
	}
	if !rec.Time.IsZero() {
		at := stamp(rec.Time)
		out.Timestamp = &at
	}
	if state == StateReverted {
		out.RevertedBy = v.revertedBy(indexed.Index)
	}
	return out
}

func trimmed(text []byte, offset int64) []byte {
	if offset == 0 {
		text = []byte(strings.TrimPrefix(string(text), "\uFEFF"))
	}
	return text
}
