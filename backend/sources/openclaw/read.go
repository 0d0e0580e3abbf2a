package openclaw

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tidwall/gjson"

	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// reader is the reading of one session.
type reader struct {
	ctx   context.Context `keep:"-"` //nolint:containedctx // of one call: the reader does not outlive it
	log   *sources.Log    `keep:"-"`
	agent string
	id    string
	from  events `keep:"-"`
	tree  tree
	// last is the entry that the log stands at.
	last  int
	begun bool
	// linear tells of the first version, whose entries have no ids and are named by their places.
	linear bool
	// ahead is what the end decides, as far as seer has come.
	ahead foresight
	seer  *seer
	// count is how many entries there were, to name those that have no id.
	count int
}

func newReader(agent, id string, from events) *reader {
	r := &reader{agent: agent, id: id, from: from, tree: newTree(), last: none, ahead: foresight{newest: none}}
	if agent == "openclaw" { // its fork has none of the rules that need it
		r.seer = &seer{tree: newTree()}
	}
	return r
}

func read(ctx context.Context, agent, id string, from events, log *sources.Log) error {
	r := newReader(agent, id, from)
	r.ctx, r.log = ctx, log
	if r.seer != nil {
		if err := from(ctx, nil, r.seer.event); err != nil {
			return err
		}
		r.ahead, r.seer = r.seer.foresees(), nil
	}
	if err := from(ctx, jsonl.Broken(log), r.event); err != nil {
		return err
	}
	r.turn(r.tree.leaf, sources.Meta{Entry: "leaf"})
	return nil
}

func (r *reader) event(rec gjson.Result) error {
	r.count++
	kind := jsonl.Text(rec.Get("type"))
	switch {
	case kind == "session":
		return r.header(rec)
	case kind == "leaf":
		r.tree.move(rec)
		r.note(rec, kind)
	case !canonical(kind):
		r.tree.pass(rec)
		r.note(rec, kind)
	default:
		parent := r.tree.parentOf(rec)
		if kind != "branch_summary" || jsonl.Text(rec.Get("summary")) == "" { // which is a branch itself
			r.turn(parent, sources.Meta{Time: timeOf(rec), Entry: r.entry(rec) + "/branch"})
		}
		at := r.tree.add(rec)
		before := r.log.Next()
		r.emit(at, kind, rec)
		r.tree.wrote(at, before, r.log.Next()-1)
		r.last = at
	}
	return r.log.Err()
}

// header is the first entry. Older transcripts of other sessions may be in the same file, so later ones are notes.
func (r *reader) header(rec gjson.Result) error {
	if id := jsonl.Text(rec.Get("id")); !r.begun && r.count == 1 && id != "" && id != r.id {
		return fmt.Errorf("it holds another session now: %w", sources.ErrGone)
	}
	if !r.begun {
		r.linear = rec.Get("version").Int() < 2
	}
	r.begun = true
	r.note(rec, "session")
	return nil
}

// entry is the id of an entry, or its place.
func (r *reader) entry(rec gjson.Result) string {
	if id := jsonl.Text(rec.Get("id")); id != "" && rec.Get("type").Str != "session" {
		return id
	}
	return fmt.Sprintf("#%d", r.count)
}

func (r *reader) meta(rec gjson.Result) sources.Meta {
	return sources.Meta{Time: timeOf(rec), Entry: r.entry(rec)}
}

func (r *reader) note(rec gjson.Result, kind string) {
	if kind == "" {
		kind = "unknown"
	}
	r.log.Note(sources.Note{Meta: r.meta(rec), Namespace: r.agent + "." + kind, Data: json.RawMessage(rec.Raw)})
}

// emit writes the records of an entry.
func (r *reader) emit(at int, kind string, rec gjson.Result) {
	m := r.meta(rec)
	switch kind {
	case "message":
		r.message(at, rec, m)
	case "custom_message":
		r.log.Note(sources.Note{
			Meta: m, Namespace: r.agent + ".custom_message", Content: r.blocks(rec.Get("content")), Data: json.RawMessage(rec.Raw),
			Display: rec.Get("display").Bool(),
		})
	case "model_change":
		r.log.Model(sources.Model{Meta: m, Model: record.Model{Provider: jsonl.Text(rec.Get("provider")), Model: jsonl.Text(rec.Get("modelId"))}})
	case "branch_summary":
		r.branchSummary(at, rec, m)
	case "compaction":
		r.compaction(at, rec, m)
	case "reset":
		r.reset(at, rec, m)
	case "label":
		if target, known := r.tree.find(jsonl.Text(rec.Get("targetId"))); known && target != none && r.tree.node(target).last > 0 {
			r.log.Label(sources.Label{Meta: m, Target: int64(r.tree.node(target).last), Label: jsonl.Text(rec.Get("label"))})
			return
		}
		r.note(rec, kind)
	default:
		r.note(rec, kind)
	}
}

// branchSummary says what was on a branch that the conversation came back from.
func (r *reader) branchSummary(at int, rec gjson.Result, m sources.Meta) {
	summary := jsonl.Text(rec.Get("summary"))
	if summary == "" {
		r.note(rec, "branch_summary")
		return
	}
	b := sources.Branch{Meta: m, Summary: summary, Frame: glean.CameBack}
	b.More = jsonl.Rest(rec, "type", "id", "summary", "timestamp")
	if parent := r.tree.parent(at); parent != none {
		b.From = int64(r.tree.node(parent).last)
	}
	r.log.Branch(b)
}
