package opencode

import (
	"encoding/json"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// session is what opencode knows of one.
type session struct {
	id, parent, title, version, directory, model string
	created, updated, archived                   gjson.Result
	// revert is where the next prompt goes on from, if the user went back.
	revert gjson.Result
	// inFile tells that a version to 1.1 noted it, in a file.
	inFile bool
	// overlong is what is too long to be read of it.
	overlong []overlong
}

// overlong is a column, and how long it is.
type overlong struct {
	column string
	bytes  int64
}

// parseSession reads the file of a session.
func parseSession(data []byte) (session, bool) {
	info := gjson.ParseBytes(data)
	if !json.Valid(data) || !info.IsObject() {
		return session{}, false
	}
	// Copies, so that a list of sessions does not keep their files, which may have all that was edited in them.
	text := func(path string) string { return jsonl.Text(info.Get(path)) }
	return session{
		id: text("id"), parent: text("parentID"), title: text("title"), version: text("version"), directory: text("directory"),
		created: number(info.Get("time.created")), updated: number(info.Get("time.updated")),
		archived: number(info.Get("time.archived")), revert: info.Get("revert"), inFile: true,
	}, true
}

func (s session) found(path string) sources.Found {
	f := sources.Found{
		Agent: Source{}.Agent(), ID: s.id, Version: s.version, Title: jsonl.OneLine(s.title), Cwd: s.directory, Model: s.model,
		CreatedAt: jsonl.Time(s.created), UpdatedAt: jsonl.Time(s.updated), Files: []string{path},
		Archived: s.archived.Num > 0, ArchivedAt: jsonl.Time(s.archived),
	}
	if strings.HasPrefix(s.title, "New session - ") || strings.HasPrefix(s.title, "Child session - ") {
		f.Title = "" // given before there was anything to name it after
	}
	if s.parent != "" {
		f.Parent, f.Relation = s.parent, sources.Subagent
	}
	return f
}

// number is a value without the text that it stands in.
func number(value gjson.Result) gjson.Result { return gjson.Result{Type: value.Type, Num: value.Num} }
