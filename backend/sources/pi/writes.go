package pi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// What follows version 3. Some versions of pi wrote format 4: a line is what was written at once, one object or several in a list, and
// each is an entry, where a lane stands, a name, or what pi keeps of its work. Entries are those of version 3, but for compactions, which
// bring what they keep. They are read by the rules of version 3, which the log says; what is no entry stays as it is. So is any later
// version whose header is that of version 3.

// newest is the last version whose rules are known.
const newest = 3

// mainLane is the lane that a person talks in; others are those of pi's helpers.
const mainLane = "main"

// headed4 tells of the header of format 4.
func headed4(rec jsonl.Object) bool {
	return rec.Get("kind").Str == "header" && jsonl.Text(rec.Get("id")) != ""
}

// newer notes by which rules a session is read that is of a newer version.
func (r *reader) newer(m sources.Meta) {
	if r.version > newest {
		m.Entry += "/version"
		r.log.Note(sources.Note{
			Meta: m, Namespace: "pi.newer_version", Display: true,
			Data: json.RawMessage(fmt.Sprintf(`{"version":%d,"readByTheRulesOf":%d}`, r.version, newest)),
		})
	}
}

// header4 is the header of format 4.
func (r *reader) header4(rec *jsonl.Fields) {
	m := sources.Meta{Time: jsonl.Time(rec.Get("createdAt")), Entry: "header"}
	r.begun, r.lanes = true, map[string]string{}
	r.version = max(rec.Get("v").Int(), rec.Get("version").Int(), newest+1)
	r.log.Note(sources.Note{Namespace: "pi.session", Data: raw(rec), Meta: m})
	r.newer(m)
}

// writesIn are what a line wrote.
func writesIn(line gjson.Result, visit func(gjson.Result) error) (err error) {
	if !line.IsArray() {
		return visit(line)
	}
	line.ForEach(func(_, write gjson.Result) bool {
		err = visit(write)
		return err == nil
	})
	return err
}

// entryIn is the entry that was written, in the form of version 3, and its lane; not ok if it is something else. It follows the one that
// its lane had last if it does not say what it follows.
func entryIn(write gjson.Result, lanes map[string]string) (entry gjson.Result, lane string, ok bool) {
	if write.Get("kind").Str != "entry" {
		return entry, "", false
	}
	if lane = jsonl.Text(write.Get("lane")); lane == "" {
		lane = mainLane
	}
	inner := write
	if e := write.Get("entry"); e.IsObject() {
		inner = e
	}
	var out bytes.Buffer
	for _, name := range []string{"id", "parentId", "timestamp"} {
		value := inner.Get(name)
		if !value.Exists() {
			value = write.Get(name)
		}
		text := glean.Raw(value)
		if name == "parentId" && text == nil && lanes[lane] != "" {
			text = glean.Quote(lanes[lane])
		}
		if text != nil {
			fmt.Fprintf(&out, `%q:%s,`, name, text)
		}
	}
	envelope, members := out.String(), strings.TrimLeft(inner.Raw[1:], " \t\r\n")
	if strings.HasPrefix(members, "}") {
		envelope = strings.TrimSuffix(envelope, ",")
	}
	return gjson.Parse("{" + envelope + members), lane, true // the first of two counts
}

// writes reads a line of format 4.
func (r *reader) writes(line sources.Line, row gjson.Result) error {
	return writesIn(row, func(write gjson.Result) error {
		entry, lane, ok := entryIn(write, r.lanes)
		if ok {
			err := r.entry(line, r.row.Read(entry))
			r.lanes[lane] = r.at
			return err
		}
		rec := r.row.Read(write)
		if rec.Get("kind").Str == "lane" {
			r.lanes[jsonl.Text(rec.Get("lane"))] = jsonl.Text(rec.Get("leafId"))
		}
		kind := jsonl.Text(rec.Get("kind"))
		if kind == "" {
			kind = "unknown"
		}
		r.log.Note(sources.Note{Namespace: "pi." + kind, Data: glean.Raw(write), Meta: meta(rec, fmt.Sprintf("byte %d/%s", line.Offset, rec.Get("seq").Raw))})
		return r.log.Err()
	})
}

// written is an entry in the line that wrote it, perhaps with others before it.
func (r *reader) written(row gjson.Result, i int) (found gjson.Result) {
	at := i
	for at > 0 && r.entries.at(at-1).offset == r.entries.at(i).offset {
		at--
	}
	_ = writesIn(row, func(write gjson.Result) error { // it never fails
		if entry, _, ok := entryIn(write, r.lanes); ok {
			if at == i {
				found = entry
			}
			at++
		}
		return nil
	})
	return found
}

// broken keeps a line that is no object, unless it is several of format 4, or what pi takes for an entry of no kind.
func (r *reader) broken(line sources.Line) {
	text, whole := jsonl.Whole(line.Text)
	if len(text) > 0 && !r.begun {
		r.rubbish = true
	}
	if !r.begun || !whole {
		jsonl.Broken(r.log)(line)
		return
	}
	value := gjson.ParseBytes(text)
	switch { // an error of the log stays in it
	case r.lanes == nil && counts(value):
		_ = r.entry(line, r.row.Read(value))
	case r.lanes != nil && value.IsArray():
		_ = r.writes(line, value)
	default:
		jsonl.Broken(r.log)(line)
	}
}

// counts tells whether pi takes a line of this for an entry.
func counts(value gjson.Result) bool {
	switch value.Type {
	case gjson.String:
		return value.Str != ""
	case gjson.Number:
		return value.Num != 0
	case gjson.Null, gjson.False:
		return false
	}
	return true
}

// end goes back to where the conversation stands, if a helper's lane was written last.
func (r *reader) end() {
	leaf := r.lanes[mainLane]
	at, ok := r.entries.find(leaf)
	if r.lanes == nil || !ok || leaf == "" || at == r.last {
		return
	}
	r.log.Branch(sources.Branch{Meta: sources.Meta{Entry: "end"}, From: r.entries.at(at).last})
	r.last = at
}

// retained is what the model sees behind a compaction of format 4.
func (r *reader) retained(rec *jsonl.Fields) []sources.Message {
	tail := rec.Get("retainedTail")
	if r.lanes == nil || !tail.IsArray() {
		return nil
	}
	out := r.summarised(rec)
	tail.ForEach(func(_, message gjson.Result) bool {
		if m := r.heard(message); len(m.Content) > 0 && !m.Aside {
			out = append(out, m)
		}
		return true
	})
	return out
}
