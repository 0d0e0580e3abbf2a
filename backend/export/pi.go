// Package export writes sessions in the formats of others.
package export

import (
	"cmp"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
	"palimpsest/backend/record"
	"palimpsest/backend/secrets"
)

// Session is what the first line of a file of pi says.
type Session struct {
	ID, Name, Cwd, Model string
	CreatedAt            time.Time
}

// Pi writes a session as pi, version 3 of its format, would have it: each record is an entry, branches are its tree's, and what the model
// sees is the same, but for answers that were stopped, which pi never sends again, for the words around a summary and those in the place of a
// missing result, which are pi's own, and for documents and the like, which it can't send. What a compaction puts in the place of others, if it
// is more than a summary and the last messages before it, stands in the file once more. Compactions and prunes that were undone are left out,
// since pi undoes nothing; so is what is damaged.
type Pi struct {
	out  writer
	blob func(sha string) ([]byte, error)
	// secrets takes them out of each line.
	secrets *secrets.Filter
	// written are the entries. leaf is the one that the next goes on from, none for none; moved tells that the last line is another one.
	written entries
	leaf    int
	moved   bool
	// places are the leaves by seq, in order; seq is that of the record at hand.
	places many.List[place]
	seq    int64
	tools  toolNames
	calls  calls
	sizes  resultSizes
	model  record.Model
	// system is the sum of what the last system message says.
	system uint64
	at     time.Time
}

type place struct {
	seq  int64
	leaf int32
}

// NewPi begins a file. Blob returns what is kept beside the log; what filter takes out is not written.
func NewPi(out io.Writer, s Session, blob func(sha string) ([]byte, error), filter *secrets.Filter) *Pi {
	p := &Pi{out: writer{out: out}, blob: blob, secrets: filter, at: s.CreatedAt, leaf: none}
	p.line(object{"type": "session", "version": 3, "id": piID(s.ID), "timestamp": clock(s.CreatedAt), "cwd": s.Cwd})
	if s.Name != "" {
		p.entry(wholePart, "session_info", object{"name": s.Name})
	}
	return p
}

type object map[string]any

var notInID = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// piID is an id that pi takes.
func piID(id string) string {
	return strings.ToLower(strings.Trim(notInID.ReplaceAllString(id, "-"), "._-"))
}

func clock(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// Add writes a record, of which nothing is held then. Undone tells that it does not apply any more.
func (p *Pi) Add(rec *record.Record, undone bool) error {
	if !rec.Time.IsZero() {
		p.at = rec.Time
	}
	p.seq = rec.Seq
	switch {
	case undone || rec.Revert != nil:
	case rec.Aside() && !stopped(rec), rec.Message != nil && !anySent(rec.Message): // pi would send it
		p.entry(wholePart, "custom", object{"customType": "palimpsest.aside", "data": json.RawMessage(rec.JSON)})
	case rec.Message != nil:
		p.message(rec)
	case rec.Compaction != nil:
		p.compaction(rec)
	case rec.Branch != nil:
		p.branch(rec)
	case rec.Prune != nil:
		p.prune(rec.Prune)
	case rec.Label != nil:
		p.label(rec.Label)
	case rec.Model != nil:
		p.switchTo(*rec.Model)
	case rec.Note != nil:
		p.note(rec)
	default:
		p.entry(wholePart, "custom", object{"customType": "palimpsest." + string(rec.Type), "data": json.RawMessage(rec.JSON)})
	}
	p.places.Add(place{rec.Seq, int32(p.leaf)})
	return p.out.err
}

// stopped tells of an answer that was stopped: pi itself never sends one again.
func stopped(rec *record.Record) bool {
	return rec.Message != nil && rec.Message.StopReason == record.StopAborted
}

// End writes what is missing: pi goes on from the last line.
func (p *Pi) End() error {
	if p.moved {
		p.line(p.linked("end", "custom", object{"customType": "palimpsest.branch"}))
	}
	return p.out.err
}

// entry writes one behind the leaf, and is the leaf from then on.
func (p *Pi) entry(which part, kind string, members object) {
	p.line(p.linked(idOf(p.seq, which), kind, members))
	p.leaf, p.moved = p.written.add(p.seq, which, p.leaf), false
}

// linked is an entry with what each has, behind the leaf.
func (p *Pi) linked(id, kind string, members object) object {
	members["type"], members["id"], members["parentId"], members["timestamp"] = kind, id, nil, clock(p.at)
	if p.leaf != none {
		members["parentId"] = p.written.id(p.leaf)
	}
	return members
}

func (p *Pi) line(members object) {
	if p.out.err == nil {
		p.out.line(p.without("", members))
	}
}

// from is the entry that stands for a record, or for the nearest before it.
func (p *Pi) from(seq int64) int {
	for i := p.places.Len() - 1; i >= 0; i-- {
		if place := p.places.At(i); place.seq <= seq {
			return int(place.leaf)
		}
	}
	return none
}

func (p *Pi) branch(rec *record.Record) {
	b := rec.Branch
	if b.FromSeq >= rec.Seq {
		return
	}
	p.leaf, p.moved = p.from(b.FromSeq), true
	if b.FromSeq == 0 {
		p.leaf = none
	}
	if b.Summary != "" {
		from := "root"
		if p.leaf != none {
			from = p.written.id(p.leaf)
		}
		p.entry(wholePart, "branch_summary", object{"fromId": from, "summary": b.Summary})
		p.written.says(p.leaf, saidBack(b))
	}
}

func (p *Pi) prune(prune *record.Prune) {
	for i, seq := range prune.Seqs {
		if size, ok := p.sizes.of(seq); ok {
			said := record.Cleared(size)
			if i < len(prune.Texts) {
				said = cmp.Or(prune.Texts[i], said)
			}
			text := object{"type": "text", "text": said}
			p.entry(part(i), "context_edit", object{"targetId": idOf(seq, wholePart), "replacement": object{"content": []any{text}}})
			if target := p.from(seq); target != none && p.written.at(target).seq == seq {
				p.written.says(target, another)
			}
		}
	}
}

func (p *Pi) label(label *record.Label) {
	if target := p.from(label.TargetSeq); target != none {
		members := object{"targetId": p.written.id(target)}
		if label.Label != "" {
			members["label"] = label.Label
		}
		p.entry(wholePart, "label", members)
	}
}

func (p *Pi) switchTo(m record.Model) {
	which := wholePart
	if m.Provider != p.model.Provider || m.Model != p.model.Model {
		p.entry(which, "model_change", object{"provider": m.Provider, "modelId": m.Model})
		which = effortPart
	}
	if m.ReasoningEffort != p.model.ReasoningEffort && m.ReasoningEffort != "" {
		p.entry(which, "thinking_level_change", object{"thinkingLevel": m.ReasoningEffort})
	}
	p.model = record.Model{Provider: strings.Clone(m.Provider), Model: strings.Clone(m.Model), ReasoningEffort: strings.Clone(m.ReasoningEffort)}
}

// systemNote is what the reader of pi's files takes a system message for.
const systemNote = "pi.system"

func (p *Pi) note(rec *record.Record) {
	n := rec.Note
	if len(n.Content) > 0 {
		entry := object{"customType": n.Namespace, "content": p.blocks(sentByPi(record.RoleUser, n.Content)), "display": n.Display}
		beside(entry, record.RoleUser, n.Content)
		p.entry(wholePart, "custom_message", entry)
		said := saidBy(&record.Message{Role: record.RoleUser, Content: n.Content})
		p.written.says(p.leaf, said)
		if n.Namespace == systemNote {
			p.system = said
		}
		return
	}
	p.entry(wholePart, "custom", object{"customType": n.Namespace, "data": json.RawMessage(orNull(gjson.Get(rec.JSON, "data").Raw))})
}

func orNull(raw string) string {
	if raw == "" {
		return "null"
	}
	return raw
}
