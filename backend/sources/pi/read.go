package pi

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// Read reads a session.
func (Source) Read(ctx context.Context, _ sources.Env, found sources.Found, log *sources.Log) error {
	file, err := jsonl.OpenSession(found)
	if err != nil {
		return err
	}
	defer file.Close()
	r := newReader(cmp.Or(found.Row, found.ID))
	r.file, r.log = file, log
	if err := jsonl.Each(ctx, file, r.broken, r.line); err != nil {
		return fmt.Errorf("reading %s: %w", file.Path, err)
	}
	r.end()
	r.settle()
	return log.Err()
}

const (
	// none is no entry.
	none = -1
	// linear versions are those below: their entries have no ids, and each goes on from the one before.
	linear = 2
)

// reader goes through a file once. Entries that a compaction names are read again.
type reader struct {
	file  *jsonl.File  `keep:"-"`
	log   *sources.Log `keep:"-"`
	id    string
	begun bool
	// rubbish tells that a line before that could not be read.
	rubbish bool
	version int64
	entries known
	// places are the entries by their line among those that can be read, as compactions of version 1 count them.
	places []int
	// last is the entry that the log stands at, and at the id of the one at hand.
	last int
	at   string
	// lanes are the ids of the entries that lanes stand at, of format 4; nil before.
	lanes map[string]string
	start shared
	// unsettled is heeded where entries are a tree by their ids, in versions 2 and 3.
	unsettled unsettled
	// words are those that entries share: a long file has a million entries, and few kinds and models.
	words map[string]string
	// row and said are the entry at hand and its message, usage what that took.
	row, said, usage jsonl.Fields `keep:"-"`
}

func newReader(id string) *reader {
	return &reader{id: id, entries: known{rare: map[int]rare{}}, words: map[string]string{}, last: none}
}

// place notes the entry of a line that can be read, where entries are found by that.
func (r *reader) place(at int) {
	if r.version < linear {
		r.places = append(r.places, at)
	}
}

// word is a text that is one of few.
func (r *reader) word(value gjson.Result) string {
	if known, ok := r.words[value.Str]; ok && value.Type == gjson.String {
		return known
	}
	const most = 1000
	text := jsonl.Text(value)
	if len(r.words) < most {
		r.words[text] = text
	}
	return text
}

func (r *reader) line(line sources.Line, row gjson.Result) error {
	if r.lanes != nil {
		return r.writes(line, row)
	}
	rec := r.row.Read(row)
	if !r.begun {
		is, is4 := headless(rec)
		if !is || nameOf(r.file.Path) != r.id {
			return r.header(rec)
		}
		if r.begin(is4); is4 {
			return r.writes(line, row)
		}
	}
	if jsonl.Text(rec.Get("type")) == "session" {
		r.place(none)
		r.log.Note(sources.Note{Namespace: "pi.session", Data: raw(rec), Meta: meta(rec, "")})
		return nil
	}
	return r.entry(line, rec)
}

// entry reads an entry.
func (r *reader) entry(line sources.Line, rec *jsonl.Fields) error {
	e, id := r.index(line, rec)
	_, twice := r.entries.find(id)
	r.unsettled.comes(id, twice)
	before := r.log.Next()
	at := r.entries.add(e, id)
	r.place(at)
	r.at = id
	r.turn(at, rec)
	r.emit(at, rec)
	r.entries.wrote(at, before, r.log.Next()-1)
	r.last = at
	return r.log.Err()
}

func (r *reader) header(rec *jsonl.Fields) error {
	id, is4 := jsonl.Text(rec.Get("id")), headed4(rec)
	if id == "" && !is4 {
		id = nameOf(r.file.Path)
	}
	if !is4 && jsonl.Text(rec.Get("type")) != "session" || id != r.id {
		return fmt.Errorf("the file begins with another session: %w", sources.ErrGone)
	}
	if is4 {
		r.header4(rec)
		return r.log.Err()
	}
	r.begun = true
	if r.version = rec.Get("version").Int(); r.version < 1 {
		r.version = 1
	}
	r.place(none)
	r.start = shared{
		provider: jsonl.Text(rec.Get("provider")), model: jsonl.Text(rec.Get("modelId")), effort: jsonl.Text(rec.Get("thinkingLevel")),
	}
	r.log.Note(sources.Note{Namespace: "pi.session", Data: raw(rec), Meta: meta(rec, "header")})
	r.newer(meta(rec, "header"))
	if r.start.model != "" {
		r.model(r.start.inForce(), meta(rec, "header/model"))
	}
	return nil
}

// index says where an entry stands in the tree, and what its id is.
func (r *reader) index(line sources.Line, rec *jsonl.Fields) (e entry, id string) {
	e = entry{
		shared: shared{kind: r.word(rec.Get("type")), role: r.word(rec.Get("message.role"))},
		offset: line.Offset, length: line.Length, parent: none, kept: none,
	}
	id = jsonl.Text(rec.Get("id"))
	if r.version < linear {
		id, e.parent = "#"+strconv.Itoa(len(r.places)), r.entries.len()-1
	} else {
		name := jsonl.Text(rec.Get("parentId"))
		parent, ok := r.entries.find(name)
		if ok && name != "" {
			e.parent = parent
		}
		r.unsettled.names(name, ok)
	}
	before := r.before(e)
	e.model, e.provider, e.effort = before.model, before.provider, before.effort
	switch e.kind {
	case "model_change":
		e.provider, e.model = jsonl.Text(rec.Get("provider")), jsonl.Text(rec.Get("modelId"))
	case "thinking_level_change":
		e.effort = jsonl.Text(rec.Get("thinkingLevel"))
	case "message":
		if model := r.word(rec.Get("message.model")); e.role == "assistant" && model != "" {
			e.provider, e.model = r.word(rec.Get("message.provider")), model
		}
	case "context_edit":
		e.target = jsonl.Text(rec.Get("targetId"))
		_, ok := r.entries.find(e.target)
		r.unsettled.names(e.target, ok)
	case "compaction":
		e.snapshot = rec.Get("systemMessage").IsObject()
		e.kept = r.kept(e, rec)
	}
	return e, id
}

// before is what was in force before an entry.
func (r *reader) before(e entry) shared {
	if e.parent == none {
		return r.start
	}
	return r.entries.at(e.parent).shared
}

// kept is the entry on the path that a compaction keeps from.
func (r *reader) kept(e entry, rec *jsonl.Fields) int {
	first := jsonl.Text(rec.Get("firstKeptEntryId"))
	at, ok := r.entries.find(first)
	if place := rec.Get("firstKeptEntryIndex"); r.version < linear && place.Type == gjson.Number {
		at, ok = none, false
		if i := place.Int(); i > 0 && i < int64(len(r.places)) && float64(i) == place.Num {
			at, ok = r.places[i], r.places[i] != none
		}
	}
	if !ok || first == "" && r.version >= linear {
		return none
	}
	for on := e.parent; on >= at; on = r.entries.parent(on) {
		if on == at {
			return at
		}
	}
	return none
}

// turn lets the log go on at the entry's parent, if it does not stand there.
func (r *reader) turn(at int, rec *jsonl.Fields) {
	e := r.entries.at(at)
	summary := ""
	if e.kind == "branch_summary" {
		summary = jsonl.Text(rec.Get("summary"))
	}
	if e.parent == r.last && summary == "" {
		return
	}
	branch := sources.Branch{Meta: meta(rec, r.at+"/branch"), Summary: summary, Frame: glean.CameBack}
	if e.parent != none {
		branch.From = r.entries.at(e.parent).last
	}
	if e.kind == "branch_summary" {
		branch.Entry, branch.More = r.at, jsonl.Rest(rec.Result, "type", "id", "summary", "timestamp")
	}
	r.log.Branch(branch)
}
