package claudecode

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// Find tells of each session, and of each subagent that has a file of its own. Files in which nothing was said are passed over.
func (s Source) Find(ctx context.Context, env sources.Env, visit func(sources.Found) error) error {
	const folders = 6
	var all []looker
	seen := map[string]bool{}
	// Older versions named a session in the file of the next one, by the last row of it.
	named := map[string]string{}
	for _, root := range s.Roots(env) {
		for path := range jsonl.Walk(root, folders, ".jsonl") {
			if err := ctx.Err(); err != nil {
				return err
			}
			l := look(path, named)
			if l.found.ID == "" || seen[l.found.ID] {
				continue
			}
			seen[l.found.ID] = true
			all = append(all, l)
		}
	}
	for i := range all {
		found := all[i].found
		for _, row := range all[i].rows {
			if found.Title == "" {
				found.Title = named[row]
			}
		}
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
	warmup       bool
	spoken       bool
	custom, made string
	model        string
	last         time.Time
	rows         []string
	named        map[string]string
	// ended tells what a line from the end has told.
	ended struct{ custom, made, model, version bool }
}

// look reads the ends of a file; the id of what is none of ours stays empty.
func look(path string, named map[string]string) looker {
	name := strings.TrimSuffix(filepath.Base(path), ".jsonl")
	l := looker{named: named, sub: strings.HasPrefix(name, "agent-"), session: name}
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
		l.line(line)
	}
	forward := l.found
	for line := range file.Backward() {
		l.fromEnd(line)
	}
	l.found.FirstMessage = forward.FirstMessage
	if !l.spoken || l.warmup {
		l.found.ID = ""
		return l
	}
	l.finish(name)
	return l
}

// parentFolder is what the place and the note beside a subagent's file tell.
func (l *looker) parentFolder(path, name string) {
	dir := filepath.Dir(path)
	if filepath.Base(dir) == "subagents" {
		l.session = filepath.Base(filepath.Dir(dir))
	}
	note, err := jsonl.Open(filepath.Join(dir, name+".meta.json"))
	if err != nil {
		return
	}
	defer note.Close()
	for line := range note.Forward() {
		if gjson.ValidBytes(line) {
			l.made = jsonl.OneLine(jsonl.Text(gjson.GetBytes(line, "description")))
		}
	}
}

func (l *looker) finish(name string) {
	f := &l.found
	f.ID = name
	if l.sub {
		f.Relation, f.Parent = sources.Subagent, l.session
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
	if !gjson.ValidBytes(line) {
		return
	}
	rec := gjson.ParseBytes(line)
	l.any(rec)
	f := &l.found
	kind := rec.Get("type").Str
	if kind == "summary" {
		if leaf := jsonl.Text(rec.Get("leafUuid")); leaf != "" {
			l.named[leaf] = jsonl.OneLine(jsonl.Text(rec.Get("summary")))
		}
	}
	if kind != "user" && kind != "assistant" && kind != "system" {
		return
	}
	if cwd := jsonl.Text(rec.Get("cwd")); f.Cwd == "" {
		f.Cwd = cwd
	}
	if at := jsonl.Time(rec.Get("timestamp")); f.CreatedAt.IsZero() || !at.IsZero() && at.Before(f.CreatedAt) {
		f.CreatedAt = at
	}
	l.ancestry(rec)
	if kind != "user" || f.FirstMessage != "" || rec.Get("isMeta").Bool() || rec.Get("isCompactSummary").Bool() ||
		rec.Get("isSidechain").Bool() && !l.sub {
		return
	}
	if text := typed(rec.Get("message.content")); text != "" {
		f.FirstMessage = jsonl.OneLine(text)
		l.warmup = l.sub && text == "Warmup"
	}
}

// ancestry is where a file goes on from: a fork says so, and files of older versions begin with the rows of the session before.
func (l *looker) ancestry(rec gjson.Result) {
	session := jsonl.Text(rec.Get("sessionId"))
	if l.sub {
		if l.session == "" {
			l.session = session
		}
		return
	}
	if l.found.Parent != "" {
		return
	}
	for _, path := range []string{"forkedFrom.sessionId", "requestSessionId"} {
		if origin := jsonl.Text(rec.Get(path)); origin != "" && origin != l.session {
			l.found.Parent, l.found.Relation = origin, sources.Fork
			return
		}
	}
	if session != "" && session != l.session {
		l.found.Parent, l.found.Relation = session, sources.Continuation
	}
}

// any takes what may stand at either end, the later the better.
func (l *looker) any(rec gjson.Result) {
	if at := jsonl.Time(rec.Get("timestamp")); at.After(l.last) {
		l.last = at
	}
	if version := jsonl.Text(rec.Get("version")); version != "" {
		l.found.Version = version
	}
	switch rec.Get("type").Str {
	case "custom-title":
		l.custom = jsonl.OneLine(jsonl.Text(rec.Get("customTitle")))
	case "ai-title":
		l.made = jsonl.OneLine(jsonl.Text(rec.Get("aiTitle")))
	case "user":
		l.spoken = true
	case "assistant":
		l.spoken = true
		if model := jsonl.Text(rec.Get("message.model")); model != "" && model != synthetic {
			l.model = model
		}
	}
}

// rowsMost is how many of the last rows may be what another file names a session by.
const rowsMost = 16

// fromEnd takes a line from the end, the last one first: what an earlier one tells counts only where no later one did.
func (l *looker) fromEnd(line []byte) {
	if !gjson.ValidBytes(line) {
		return
	}
	rec := gjson.ParseBytes(line)
	if id := jsonl.Text(rec.Get("uuid")); id != "" && len(l.rows) < rowsMost {
		l.rows = append(l.rows, id)
	}
	end := looker{last: l.last, named: l.named}
	end.any(rec)
	l.last, l.spoken = end.last, l.spoken || end.spoken
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

// typed is the text that a person typed into a user row, empty if there is none.
func typed(content gjson.Result) string {
	if content.Type == gjson.String {
		if is, _ := injected(content.Str); is || !jsonl.Typed(content.Str) {
			return ""
		}
		return strings.TrimSpace(jsonl.Text(content))
	}
	text := ""
	content.ForEach(func(_, block gjson.Result) bool {
		if block.Get("type").Str == "text" {
			if part := jsonl.Text(block.Get("text")); jsonl.Typed(part) {
				if is, _ := injected(part); !is {
					text = strings.TrimSpace(part)
				}
			}
		}
		return text == ""
	})
	return text
}
