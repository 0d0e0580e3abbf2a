package claudecode

import (
	"context"
	"io"
	"maps"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
	"palimpsest/backend/wellformed"
)

// Find tells of each session, and of each subagent that has a file of its own. Files in which nothing was said are passed over.
func (s Source) Find(ctx context.Context, env sources.Env, visit func(sources.Found) error) error {
	each, err := recall(ctx, env, s.Roots(env))
	if err != nil {
		return err
	}
	var all []told
	// Older versions named a session in the file of the next one, by the last row of it.
	named := map[string]string{}
	for i := range each {
		t := toldOf(&each[i])
		maps.Copy(named, t.named)
		if t.found.ID != "" {
			all = append(all, t)
		}
	}
	nest(env, all)
	list := make([]sources.Found, 0, len(all))
	for i := range all {
		found := all[i].found
		for _, row := range all[i].rows {
			if found.Title == "" {
				found.Title = named[row]
			}
		}
		list = append(list, found)
	}
	for _, found := range jsonl.Apart(list) {
		if err := visit(found); err != nil {
			return err
		}
	}
	return nil
}

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
	rows         []string
	named        map[string]string
	members      jsonl.Fields
	// ended tells what a line from the end has told.
	ended ended
}

// begun tells that only titles are still to come.
func (l *looker) begun() bool {
	return l.found.FirstMessage != "" && l.found.Cwd != "" && l.model != ""
}

// ended is what was told from the end.
type ended struct{ custom, made, model, version, time bool }

func (e ended) all(rows int) bool { return e.model && e.version && e.time && rows >= rowsMost }

// titled tells of a line that has a title, without reading the rest of it.
func titled(line []byte) bool {
	switch jsonl.First(line, "type").Str {
	case "custom-title", "ai-title", "summary":
		return true
	}
	return false
}

// look reads the ends of a file; the id of what is none of ours stays empty.
func look(path string) looker {
	name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	l := looker{named: map[string]string{}, sub: strings.HasPrefix(name, "agent-"), session: name}
	l.found = sources.Found{Agent: agent, Files: []string{path}}
	file, err := jsonl.Open(path)
	if err != nil {
		l.found.ID, l.found.Problem = name, "The file can't be read: "+err.Error()
		return l
	}
	defer file.Close()
	l.found.Bytes, l.found.UpdatedAt = file.Size, file.ModTime
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

// parentFolder is what the place and the note beside a subagent's file tell.
func (l *looker) parentFolder(path, name string) {
	dir := filepath.Dir(path)
	if inSubagents(path) {
		l.session, l.unnoted = filepath.Base(filepath.Dir(dir)), true
	}
	file, err := jsonl.Open(filepath.Join(dir, name+noteSuffix))
	if err != nil {
		return
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, jsonl.Edge))
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
		if l.session != "" {
			f.ID = l.session + "." + name // ids of subagents are short
		}
	}
	f.Title = l.custom
	if f.Title == "" {
		f.Title = l.made
	}
	if f.Model = l.model; !l.last.IsZero() {
		f.UpdatedAt = l.last
	}
}

func (l *looker) line(line []byte) {
	row, ok := briefly(line, &l.members)
	if !ok {
		return
	}
	l.any(row)
	f := &l.found
	if row.kind == "summary" && row.leaf != "" {
		l.named[row.leaf] = row.title
	}
	if row.kind != "user" && row.kind != "assistant" && row.kind != "system" {
		return
	}
	if f.Cwd == "" {
		f.Cwd = row.cwd
	}
	if at := jsonl.Time(row.time); f.CreatedAt.IsZero() || !at.IsZero() && at.Before(f.CreatedAt) {
		f.CreatedAt = at
	}
	l.ancestry(row)
	if row.kind != "user" || f.FirstMessage != "" || row.meta || row.summary || row.beside && !l.sub {
		return
	}
	if text := typed(row.message.Get("content")); text != "" {
		f.FirstMessage = jsonl.OneLine(text)
		l.warmup = l.sub && text == "Warmup"
	}
}

// ancestry is where a file goes on from: a fork says so, and files of older versions begin with the rows of the session before.
func (l *looker) ancestry(row brief) {
	switch {
	case l.sub:
		if l.session == "" {
			l.session = row.session
		}
	case l.found.Parent != "":
	case row.origin != "" && row.origin != l.session:
		l.found.Parent, l.found.Relation = row.origin, sources.Fork
	case row.session != "" && row.session != l.session:
		l.found.Parent, l.found.Relation = row.session, sources.Continuation
	}
}

// any takes what may stand at either end, the later the better.
func (l *looker) any(row brief) {
	if at := jsonl.Time(row.time); at.After(l.last) {
		l.last = at
	}
	if row.version != "" {
		l.found.Version = row.version
	}
	switch row.kind {
	case "custom-title":
		l.custom = row.title
	case "ai-title":
		l.made = row.title
	case "user":
		l.spoken = true
	case "assistant":
		l.spoken = true
		if row.model != "" && row.model != synthetic {
			l.model = row.model
		}
	}
}

// rowsMost is how many of the last rows may be what another file names a session by.
const rowsMost = 6

// fromEnd takes a line from the end, the last one first: what an earlier one tells counts only where no later one did.
func (l *looker) fromEnd(line []byte) {
	row, ok := briefly(line, &l.members)
	if !ok {
		return
	}
	if row.uuid != "" && len(l.rows) < rowsMost {
		l.rows = append(l.rows, row.uuid)
	}
	end := looker{last: l.last}
	end.any(row)
	l.last, l.spoken = end.last, l.spoken || end.spoken
	l.ended.time = l.ended.time || !end.last.IsZero()
	take := func(to *string, from string, done *bool) {
		if from != "" && !*done {
			*to, *done = from, true
		}
	}
	take(&l.custom, end.custom, &l.ended.custom)
	take(&l.made, end.made, &l.ended.made)
	take(&l.model, end.model, &l.ended.model)
	take(&l.found.Version, end.found.Version, &l.ended.version)
}
