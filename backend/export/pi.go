// Package export writes sessions in the formats of others.
package export

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/secrets"
)

// Session is what the first line of a file of pi says.
type Session struct {
	ID, Name, Cwd, Model string
	CreatedAt            time.Time
}

// Pi writes a session as pi, version 3 of its format, would have it: each record is an entry, branches are its tree's, and what the model
// sees is the same. Compactions and prunes that were undone are left out, since pi undoes nothing; so is what is damaged.
type Pi struct {
	out  io.Writer
	blob func(sha string) ([]byte, error)
	// secrets takes them out of each line.
	secrets *secrets.Filter
	// written are the entries in the order of the file. leaf is the one that the next goes on from, none for none; moved tells that the last
	// line is another one.
	written []written
	leaf    int
	moved   bool
	// places are the leaves by seq, in order; seq is that of the record at hand.
	places []place
	seq    int64
	tools  map[string]string
	sizes  map[int64]int
	model  record.Model
	at     time.Time
	err    error
}

// written is an entry: the record that it is of, and the entry before it. instead tells that a compaction put it in the place of others.
type written struct {
	id      string
	seq     int64
	parent  int
	instead bool
}

type place struct {
	seq  int64
	leaf int
}

// none is no entry.
const none = -1

// NewPi begins a file. Blob returns what is kept beside the log; what filter takes out is not written.
func NewPi(out io.Writer, s Session, blob func(sha string) ([]byte, error), filter *secrets.Filter) *Pi {
	p := &Pi{out: out, blob: blob, secrets: filter, tools: map[string]string{}, sizes: map[int64]int{}, at: s.CreatedAt, leaf: none}
	p.line(object{"type": "session", "version": 3, "id": piID(s.ID), "timestamp": clock(s.CreatedAt), "cwd": s.Cwd})
	if s.Name != "" {
		p.entry("name", "session_info", object{"name": s.Name})
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

// Add writes a record. Undone tells that it does not apply any more.
func (p *Pi) Add(rec *record.Record, undone bool) error {
	if !rec.Time.IsZero() {
		p.at = rec.Time
	}
	id := fmt.Sprintf("%08x", rec.Seq)
	p.seq = rec.Seq
	switch {
	case undone || rec.Revert != nil:
	case rec.Message != nil:
		p.message(id, rec)
	case rec.Compaction != nil:
		p.compaction(id, rec)
	case rec.Branch != nil:
		p.branch(id, rec)
	case rec.Prune != nil:
		p.prune(id, rec.Prune)
	case rec.Label != nil:
		p.label(id, rec.Label)
	case rec.Model != nil:
		p.switchTo(id, *rec.Model)
	case rec.Note != nil:
		p.note(id, rec)
	default:
		p.entry(id, "custom", object{"customType": "palimpsest." + string(rec.Type), "data": json.RawMessage(rec.JSON)})
	}
	p.places = append(p.places, place{rec.Seq, p.leaf})
	return p.err
}

// End writes what is missing: pi goes on from the last line.
func (p *Pi) End() error {
	if p.moved {
		p.entry("end", "custom", object{"customType": "palimpsest.branch"})
	}
	return p.err
}

// entry writes one behind the leaf, and is the leaf from then on.
func (p *Pi) entry(id, kind string, members object) {
	members["type"], members["id"], members["parentId"], members["timestamp"] = kind, id, nil, clock(p.at)
	if p.leaf != none {
		members["parentId"] = p.written[p.leaf].id
	}
	p.line(members)
	p.written = append(p.written, written{id: id, seq: p.seq, parent: p.leaf})
	p.leaf, p.moved = len(p.written)-1, false
}

func (p *Pi) line(members object) {
	if p.err != nil {
		return
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if p.err = enc.Encode(p.without("", members)); p.err == nil {
		_, p.err = p.out.Write(out.Bytes())
	}
	if p.err != nil {
		p.err = fmt.Errorf("writing the session: %w", p.err)
	}
}

// from is the entry that stands for a record, or for the nearest before it.
func (p *Pi) from(seq int64) int {
	for _, place := range slices.Backward(p.places) {
		if place.seq <= seq {
			return place.leaf
		}
	}
	return none
}

func (p *Pi) branch(id string, rec *record.Record) {
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
			from = p.written[p.leaf].id
		}
		p.entry(id, "branch_summary", object{"fromId": from, "summary": b.Summary})
	}
}

func (p *Pi) prune(id string, prune *record.Prune) {
	for i, seq := range prune.Seqs {
		if size, ok := p.sizes[seq]; ok {
			said := record.Cleared(size)
			if i < len(prune.Texts) {
				said = cmp.Or(prune.Texts[i], said)
			}
			text := object{"type": "text", "text": said}
			p.entry(fmt.Sprintf("%s-%d", id, i), "context_edit", object{"targetId": fmt.Sprintf("%08x", seq), "replacement": object{"content": []any{text}}})
		}
	}
}

func (p *Pi) label(id string, label *record.Label) {
	if target := p.from(label.TargetSeq); target != none {
		members := object{"targetId": p.written[target].id}
		if label.Label != "" {
			members["label"] = label.Label
		}
		p.entry(id, "label", members)
	}
}

func (p *Pi) switchTo(id string, m record.Model) {
	if m.Provider != p.model.Provider || m.Model != p.model.Model {
		p.entry(id, "model_change", object{"provider": m.Provider, "modelId": m.Model})
		id += "-effort"
	}
	if m.ReasoningEffort != p.model.ReasoningEffort && m.ReasoningEffort != "" {
		p.entry(id, "thinking_level_change", object{"thinkingLevel": m.ReasoningEffort})
	}
	p.model = m
}

func (p *Pi) note(id string, rec *record.Record) {
	n := rec.Note
	if len(n.Content) > 0 {
		p.entry(id, "custom_message", object{"customType": n.Namespace, "content": p.blocks(n.Content), "display": n.Display})
		return
	}
	p.entry(id, "custom", object{"customType": n.Namespace, "data": json.RawMessage(orNull(gjson.Get(rec.JSON, "data").Raw))})
}

func orNull(raw string) string {
	if raw == "" {
		return "null"
	}
	return raw
}
