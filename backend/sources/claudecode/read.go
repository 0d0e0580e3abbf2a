package claudecode

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/many"
	"palimpsest/backend/record"
	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/wellformed"
)

// Read reads a session in two passes: one to know which rows belong together, and one to write them.
func (Source) Read(ctx context.Context, _ sources.Env, found sources.Found, log *sources.Log) error {
	if found.Within != "" {
		return readWithin(ctx, &found, log)
	}
	file, err := jsonl.OpenSession(found)
	if err != nil {
		return err
	}
	defer file.Close()
	name, ok := nameOf(&found)
	if !ok {
		return fmt.Errorf("the file is of another session: %w", sources.ErrGone)
	}
	r := newReader(name, isSub(name))
	r.file, r.log = file, log
	var twice jsonl.Twice
	whole := func() io.Reader { return io.NewSectionReader(file, 0, file.Size) } // what is appended meanwhile is for the next time
	if err := twice.First(ctx, whole(), r.index.line); err != nil {
		return fmt.Errorf("reading %s: %w", file.Path, err)
	}
	if err := twice.Second(ctx, whole(), jsonl.Broken(log), r.line); err != nil {
		return fmt.Errorf("reading %s: %w", file.Path, err)
	}
	r.last()
	return log.Err()
}

// nameOf is the name of the file of a session; not ok if that is another one's.
func nameOf(found *sources.Found) (name string, ok bool) {
	name = fileName(found.Files[0])
	id := cmp.Or(found.Row, found.ID)
	return name, name == id || strings.HasSuffix(id, "."+name)
}

func fileName(path string) string { return strings.TrimSuffix(filepath.Base(path), ".jsonl") }

// newReader is one of a file, of which all rows are a subagent's if it is one of those.
func newReader(name string, sub bool) *reader {
	return &reader{index: newIndex(name, sub), has: own{sub: sub}, name: name, inline: strings.Contains(name, sideMark), at: nowhere, end: nowhere, notes: map[string]string{}}
}

// reader is the second pass.
type reader struct {
	file  *jsonl.File  `keep:"-"`
	log   *sources.Log `keep:"-"`
	index *index
	// name is the file's. Inline tells that an agent asks all that is asked, as in what stood in the file of the session that it is of, and
	// inherits that all was said in another session.
	name             string
	inline, inherits bool
	has              own
	forest
	// at is where the log stands, end where the conversation does.
	at, end spot
	model   record.Model
	kept    kept
	// spent is what looking at what compactions keep has cost.
	spent      int
	checkpoint checkpoint
	// results are the records of tool results, by call.
	results many.IDs
	// notes are the titles that were told, by kind.
	notes map[string]string
	// row is the row at hand, message a message, and usage what that took.
	row, message, usage jsonl.Fields `keep:"-"`
}

// line takes a row.
func (r *reader) line(line sources.Line, object gjson.Result) error {
	rec := r.row.Read(object)
	id, kind := jsonl.Text(rec.Get("uuid")), jsonl.Text(rec.Get("type"))
	if !r.has.has(rec) {
		return nil
	}
	if _, twice := r.find(id); twice {
		return nil
	}
	rec = r.newest(rec, id, line.Offset)
	if id == "" {
		if kind != "user" && kind != "assistant" {
			r.loose(kind, rec, line)
			return r.log.Err()
		}
		id = "line " + strconv.Itoa(line.Number)
	}
	row := row{
		Fields: rec, id: id, kind: kind, at: span{line.Offset, line.Length},
		meta: sources.Meta{Time: jsonl.Time(rec.Get("timestamp")), Entry: id, Copied: r.inherited(rec, line.Offset)},
	}
	row.meta.Same = sameOf(rec, row.meta.Time)
	r.checkpoint = checkpoint{}
	row.content = rec.Get("message.content")
	row.result = kind == "user" && hasResult(row.content)
	if at, written := r.index.answers.writtenAt(line.Offset); written {
		r.stands(id, at) // it was written with the first row of its answer
		return nil
	}
	parent := rec.Get("parentUuid")
	if row.boundary() && parent.Type != gjson.String {
		parent = rec.Get("logicalParentUuid")
	}
	to := r.end
	if known := parent.Type == gjson.String; known && r.placeOf(parent.Str) != nowhere || !row.compacts() && parent.Exists() {
		to = r.attach(row, jsonl.Text(parent), known)
	}
	if r.silent(row) {
		r.stands(id, to)
		return nil
	}
	r.goTo(to, row.meta)
	r.restate(to, row.meta)
	r.write(row)
	return r.log.Err()
}

// row is one that is part of the forest.
type row struct {
	*jsonl.Fields
	id, kind string
	content  gjson.Result
	at       span
	result   bool
	meta     sources.Meta
}

// boundary tells that a row is where the context was compacted.
func (r row) boundary() bool { return r.kind == "system" && r.Get("subtype").Str == "compact_boundary" }

// compacts tells that a row takes the place of what stands before it: older versions wrote a summary and no boundary, below no other row.
func (r row) compacts() bool {
	return r.boundary() || r.kind == "user" && r.Get("isCompactSummary").Bool()
}

// silent tells of rows that are only links between others.
func (r *reader) silent(row row) bool {
	switch row.kind {
	case "progress":
		return true
	case "attachment":
		return row.Get("attachment.type").Str == "prompt_snapshot"
	case "user":
		return r.index.taken[row.at.offset]
	}
	return false
}

// newest is the last row with the id of the one at an offset, which is that one as a rule. One that hangs below a row that is still to come
// is not taken: it has no place yet.
func (r *reader) newest(rec *jsonl.Fields, id string, offset int64) *jsonl.Fields {
	at := r.spanOf(id)
	if id == "" || at.length == 0 || at.offset == offset {
		return rec
	}
	last := r.again(at)
	if parent := last.Get("parentUuid"); !last.IsObject() || parent.Type == gjson.String && r.placeOf(parent.Str) == nowhere {
		return rec
	}
	return r.row.Read(last)
}

// again reads a line once more.
func (r *reader) again(at span) gjson.Result {
	line := make([]byte, at.length)
	if n, _ := r.file.ReadAt(line, at.offset); n < len(line) || !wellformed.JSON(line) {
		return gjson.Result{}
	}
	return gjson.ParseBytes(line)
}
