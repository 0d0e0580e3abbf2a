package claudecode

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"time"

	"palimpsest/backend/many"
	"palimpsest/backend/sources/jsonl"
)

// Up to 1.0 Claude Code wrote what subagents said into the file of the session that started them, in rows that say so, each below another. Each
// of them is a session of its own here, and such rows are no part of the session that the file is of.

// sideMark stands in the id of a subagent between that of the session and the name of its first row.
const sideMark = ".side-"

// side is one of them, as far as the file was looked through: where it begins, and what is behind its last row so far; how many rows it has, how
// long they are, and a checksum of them.
type side struct {
	name                  string
	first                 uint64
	from, to, rows, bytes int64
	sum                   uint32
	// heads are the last of its rows, below which others may stand, adopted those that belong to it though they stand below none of it, and others
	// those that do not though they do: they have the id of one of another's.
	heads, adopted, others []uint64
	// session is the one that its first row names; asked is a number of what it was asked, 0 for nothing, and warmup tells that it was to do nothing.
	session string
	asked   uint64
	warmup  bool
	// call is the one that asked the same, title what that was about, and prompt what it was asked, in short.
	call, title, prompt string
	cwd, version, model string
	began, ended        time.Time
}

const (
	// headsMost is how many rows are remembered below which something may be appended: parallel calls have a result each. Below another one, all
	// of the file is looked through again.
	headsMost = 8
	// adoptedMost bounds the rows that belong elsewhere than where they stand: there are few, in damaged files.
	adoptedMost = 16
)

// sides says of rows which subagent they are of, as they stand in the file.
type sides struct {
	all []side
	// of are their numbers, by the keys of their rows. Part tells that not all of these are known, since only what was appended is looked through.
	of   many.IDs
	part bool
	// last is the one that spoke last.
	last int
}

// take is the number of the one that a row is of; not ok where that can't be told from what is known. An answer, a result, a summary and what is
// not said begin none: where they stand below no row of one, they are of the one that spoke last.
func (s *sides) take(row *sideRow) (n int, ok bool) {
	known := false
	if row.after != "" {
		n, known = s.of.Get(keyOf(numberOf(row.after)))
	}
	if first, again := s.of.Get(keyOf(row.number)); again {
		if one := &s.all[n]; known && n != first && len(one.others) < adoptedMost && !slices.Contains(one.others, row.number) {
			one.others = append(one.others, row.number)
		}
		return first, true
	}
	switch {
	case known:
	case s.part && row.after != "":
		return 0, false
	case len(s.all) > 0 && !row.begins() && len(s.all[s.last].adopted) < adoptedMost:
		n = s.last
		s.all[n].adopted = append(s.all[n].adopted, row.number)
	default:
		n = len(s.all)
		s.all = append(s.all, side{name: nameOfSide(row.uuid, row.offset), first: row.number, from: row.offset, session: row.session})
	}
	s.of.Put(keyOf(row.number), n)
	one := &s.all[n]
	if len(one.heads) == headsMost {
		one.heads = slices.Delete(one.heads, 0, 1)
	}
	one.heads = append(one.heads, row.number)
	if spoke(row.kind) {
		s.last = n
	}
	return n, true
}

// sideRow is a row of a subagent's, as far as it tells of which.
type sideRow struct {
	jsonl.Object
	uuid, after, kind, session string
	number                     uint64
	offset                     int64
}

func sideRowOf(rec jsonl.Object, offset int64) sideRow {
	row := sideRow{
		Object: rec, uuid: jsonl.Text(rec.Get("uuid")), after: jsonl.Text(rec.Get("parentUuid")), kind: jsonl.Text(rec.Get("type")),
		session: jsonl.Text(rec.Get("sessionId")), offset: offset,
	}
	if row.after == "" {
		row.after = jsonl.Text(rec.Get("logicalParentUuid"))
	}
	row.number = numberOf(row.uuid)
	if row.uuid == "" {
		row.number = numberOf("at " + strconv.FormatInt(offset, 10))
	}
	return row
}

// begins tells of a row with which a subagent may begin: one that asks it.
func (r *sideRow) begins() bool {
	return r.kind == "user" && !r.Get("isCompactSummary").Bool() && !hasResult(r.Get("message.content"))
}

// keyOf is a number as [many.IDs] have one.
func keyOf(number uint64) string { return string(binary.BigEndian.AppendUint64(nil, number)) }

// nameOfSide is what one is called by its first row: by the id of that, if it can be the name of a file.
func nameOfSide(uuid string, offset int64) string {
	const most = 64
	other := func(c rune) bool {
		return (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '-'
	}
	switch {
	case uuid == "":
		return unnamed + strconv.FormatInt(offset, 10)
	case len(uuid) > most || strings.ContainsFunc(uuid, other):
		return "_x" + strconv.FormatUint(numberOf(uuid), 16)
	}
	return uuid
}

// unnamed is how the name of one begins whose first row has no id.
const unnamed = "_at"

// besideWord is in each row that says whether it is a subagent's. It is looked for in all of each file: the search is by the first letter, and a quote
// stands everywhere.
var besideWord = []byte(`Sidechain"`)

// mayBeBeside tells whether a row may be a subagent's, or one of several: nearly all say that they are not.
func mayBeBeside(text []byte) bool {
	for {
		at := bytes.Index(text, besideWord)
		if at < 0 {
			return false
		}
		text = text[at+len(besideWord):]
		if value := bytes.TrimLeft(text, ": \t"); len(value) > 0 && value[0] != 'f' && value[0] != 'n' {
			return true
		}
	}
}

// isBeside tells whether a row is a subagent's.
func isBeside(rec jsonl.Object) bool { return rec.Get("isSidechain").Bool() }

// own tells which rows of a file are of the session that it is named for, and not of subagents in it: what was not said, before any of these
// spoke, is. In a subagent's own file all are.
type own struct{ sub, begun bool }

func (o *own) has(rec jsonl.Object) bool {
	if o.sub || !isBeside(rec) {
		return true
	}
	o.begun = o.begun || spoke(jsonl.Text(rec.Get("type")))
	return !o.begun
}

// isSub tells of the name of a file that is a subagent's own: some are copies of what stood in the file of the session.
func isSub(name string) bool {
	return strings.HasPrefix(name, agentPrefix) || strings.Contains(name, sideMark)
}

const agentPrefix = "agent-"
