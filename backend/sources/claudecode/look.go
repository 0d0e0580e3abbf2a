package claudecode

import (
	"cmp"
	"context"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/wellformed"
)

// looker gathers what the lines of a file's ends tell.
type looker struct {
	found        sources.Found
	session      string
	sub          bool
	depth        int
	unnoted      bool // there is no note beside a subagent's file that can be read
	warmup       bool
	spoken       bool
	custom, made string
	model        string
	last         time.Time
	said         time.Time // of the last message, where it stands near the end
	first        string    // the first row of the conversation, but of a subagent's
	opened       bool      // a row of the conversation was there
	after        string    // the row that it goes on from
	rows         []string
	named        map[string]string
	mixed        bool     // there are rows of subagents in the session's own file
	sides        []string // what is remembered of these, where both ends are all of the file
	members      *jsonl.Fields
	// ended tells what a line from the end has told.
	ended ended
}

// begun tells that only titles are still to come.
func (l *looker) begun() bool {
	return l.found.FirstMessage != "" && l.found.Cwd != "" && l.model != ""
}

// ended is what was told from the end.
type ended struct{ custom, made, model, version, time, said bool }

func (e ended) all(rows int) bool {
	return e.model && e.version && e.time && e.said && rows >= rowsMost
}

// titled tells of a line that has a title, without reading the rest of it.
func titled(line []byte) bool {
	switch jsonl.First(line, "type").Str {
	case "custom-title", "ai-title", "summary":
		return true
	}
	return false
}

// look reads the ends of a file, and closes it; the id of what is none of ours stays empty.
func look(ctx context.Context, path string, file *jsonl.File, err error) looker {
	name := fileName(path)
	l := looker{named: map[string]string{}, sub: isSub(name), session: name}
	l.found = sources.Found{Agent: agent, Files: []string{path}}
	if err != nil {
		l.found.ID, l.found.Problem = name, "The file can't be read: "+err.Error()
		return l
	}
	defer file.Close()
	l.found.Bytes, l.found.UpdatedAt, l.members = file.Size, file.ModTime, file.Fields()
	if l.sub {
		l.session = ""
		l.parentFolder(path, name)
	}
	for line := range file.Forward() {
		if !l.begun() || titled(line) {
			l.line(line)
		}
	}
	for line := range file.Backward() {
		if !l.ended.all(len(l.rows)) || titled(line) {
			l.fromEnd(line)
		}
	}
	if file.Size > jsonl.Edge && !l.ended.model { // what is known is of the beginning
		l.model = ""
	}
	if file.Size > jsonl.Edge && !l.ended.time { // what is known is of the beginning
		l.last = file.TimeBeyond(l.timeOf)
	}
	if file.Size <= 2*jsonl.Edge && !l.sub && (l.mixed || file.Holds(mayBeBeside)) {
		l.sides = lookForSides(ctx, name, file)
		l.mixed = len(shownSides(name, l.sides)) > 0
	}
	l.spoken = l.spoken || l.mixed
	if !l.spoken && len(l.rows) == 0 && file.Size > 0 { // short runs leave empty files behind
		l.found.Problem = file.Strange()
	}
	if (!l.spoken || l.warmup) && l.found.Problem == "" {
		l.found.ID = ""
		return l
	}
	l.finish(name)
	return l
}

// timeOf is when a line was written, if that is not a subagent's in the file of its session.
func (l *looker) timeOf(line []byte) (at time.Time) {
	if l.sub || !mayBeBeside(line) {
		at = jsonl.Time(jsonl.First(line, "timestamp"))
	}
	return at
}

// noteMost is how long the note beside a subagent's file may be: it has what the subagent was asked.
const noteMost = 4 << 20

// parentFolder is what the place and the note beside a subagent's file tell.
func (l *looker) parentFolder(path, name string) {
	dir := filepath.Dir(path)
	if inSubagents(path) {
		l.session, l.unnoted = filepath.Base(filepath.Dir(dir)), true
	}
	if session, _, is := strings.Cut(name, sideMark); is { // it stood in the file of that
		l.session = session
	}
	file, err := jsonl.Open(filepath.Join(dir, name+noteSuffix))
	if err != nil {
		return
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, noteMost))
	text = jsonl.Unmarked(text)
	if note := gjson.ParseBytes(text); err == nil && wellformed.JSON(text) {
		l.unnoted = false
		l.made = jsonl.OneLine(jsonl.Text(note.Get("description")))
		l.found.Call = jsonl.Text(note.Get("toolUseId"))
		l.depth = int(note.Get("spawnDepth").Int())
	}
}

func (l *looker) finish(name string) {
	f := &l.found
	f.ID = name
	if l.sub {
		f.Relation, f.Parent, f.Key = sources.Subagent, l.session, strings.TrimPrefix(name, "agent-")
		if l.session != "" && !strings.Contains(name, sideMark) {
			f.ID = l.session + "." + name // ids of subagents are short
		}
	}
	f.Title = l.custom
	if f.Title == "" {
		f.Title = l.made
	}
	f.Model = l.model
	if at := cmp.Or(l.said, l.last); !at.IsZero() {
		f.UpdatedAt = at
	}
}
