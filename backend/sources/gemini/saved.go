package gemini

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// A person can save a conversation under a name (/chat save). What is saved is what the model saw then, in its own form: no times, no
// models, no tokens, nothing that tells which session it was.

// savedName is the name of a saved conversation, by its file: <root>/<project>/checkpoint-<name>.json, or without a name in the first
// versions.
func savedName(root, path string) (string, bool) {
	below, err := filepath.Rel(root, path)
	parts := strings.Split(filepath.ToSlash(below), "/")
	if err != nil || len(parts) != 2 {
		return "", false
	}
	name, isJSON := strings.CutSuffix(parts[1], ".json")
	name, named := strings.CutPrefix(name, "checkpoint-")
	if !isJSON || !named && name != "checkpoint" {
		return "", false
	}
	if plain, err := url.PathUnescape(name); err == nil {
		return plain, true
	}
	return name, true
}

// hashLength is how long the names of projects' folders are that are hashes.
const hashLength = 64

// projectName is what a folder's project is called in ids: by the hash of its directory, where that is known, so that it stays what it
// is when the folder gets another name.
func projectName(folder string, known map[string]string) string {
	const short = 12
	if dir := known[folder]; dir != "" {
		folder = hashOf(dir)
	}
	if len(folder) == hashLength {
		folder = folder[:short]
	}
	return folder
}

// lookSaved tells of a saved conversation, and closes the file; not said if nothing was. What is to stand in its id of the project is not in
// the file.
func lookSaved(path, name string, file *jsonl.File, err error) (f sources.Found, said bool) {
	f = sources.Found{
		Agent: Source{}.Agent(), ID: strings.TrimSuffix(filepath.Base(path), ".json"), Files: []string{path}, Title: jsonl.OneLine(name),
	}
	if err != nil {
		f.Problem = "The file can't be read: " + err.Error()
		return f, false
	}
	defer file.Close()
	f.Bytes, f.UpdatedAt = file.Size, file.ModTime
	head := make([]byte, min(file.Size, jsonl.Edge))
	n, _ := file.ReadAt(head, 0) // what was read counts
	from, listed := listAt(head[:n])
	object := gjson.ParseBytes(head[from:n])
	if listed {
		object = gjson.Parse(`{"history":` + string(head[from:n]) + "}")
	}
	l := looker{found: &f}
	place := 0
	object.Get("history").ForEach(func(_, turn gjson.Result) bool {
		place++
		l.message(asMessage(turn, place))
		return f.FirstMessage == "" || f.Cwd == ""
	})
	if l.said = l.said || file.Size > jsonl.Edge; l.said {
		return f, true
	}
	switch {
	case !json.Valid(head[from:n]):
		if f.Problem = file.Strange(); f.Problem == "" {
			f.Problem = "The file is no JSON: half written, or damaged."
		}
	case !object.Get("history").Exists():
		f.Problem = "The file holds no conversation in a form that is known here."
	}
	return f, false
}

// listAt is where a file begins behind what is no part of it, and whether it is a list: the first versions saved nothing else.
func listAt(head []byte) (from int, listed bool) {
	from = len(head) - len(bytes.TrimLeft(jsonl.Unmarked(head), " \t\r\n"))
	return from, from < len(head) && head[from] == '['
}

// savedAt reads the file of a saved conversation.
func (r *reader) savedAt(found sources.Found) error {
	file, err := jsonl.OpenSession(found)
	if err != nil {
		return err
	}
	defer file.Close()
	if err = r.openSpilled(file.Path, false); err == nil {
		err = r.saved(file)
	}
	log := r.log
	r.close()
	if err != nil {
		return fmt.Errorf("reading %s: %w", file.Path, err)
	}
	return log.Err()
}

// saved reads a saved conversation.
func (r *reader) saved(file io.ReaderAt) error {
	r.asSent = true
	object, err := jsonl.OpenList(file, "history")
	if err != nil {
		return err
	}
	r.log.Note(sources.Note{Meta: sources.Meta{Entry: "header"}, Namespace: "gemini.saved", Data: without(object.Result, "history")})
	place := 0
	return object.Each(r.log, func(turn gjson.Result) error {
		place++
		m := asMessage(turn, place)
		if m.Get("type").Str != "user" {
			r.answered.Clear() // calls of early versions have no ids but the names of their tools, and each is answered once
		}
		r.add(m)
		return r.log.Err()
	})
}

// asMessage is what the API takes in the form of a message of a session.
func asMessage(turn gjson.Result, place int) gjson.Result {
	id := fmt.Sprintf("#%d", place)
	if content := turn.Get("content"); content.IsObject() { // some versions give each a name
		if name := jsonl.Text(turn.Get("id")); name != "" {
			id = name
		}
		turn = content
	}
	content := glean.Raw(turn.Get("parts"))
	if content == nil {
		content = json.RawMessage("null")
	}
	return gjson.Parse(fmt.Sprintf(`{"id":%s,"type":%s,"content":%s}`, glean.Quote(id), glean.Quote(jsonl.Text(turn.Get("role"))), content))
}

// parentOf is the session that a conversation was saved from: the one of the same project that begins with the same prompt, if that is
// one alone.
func parentOf(saved *sources.Found, sessions []sources.Found, known map[string]string) string {
	project := func(f *sources.Found) string { return projectName(filepath.Base(projectOf(f.Files[0])), known) }
	var same []string
	for i := range sessions {
		s := &sessions[i]
		if saved.FirstMessage != "" && s.FirstMessage == saved.FirstMessage && s.Relation == "" && s.Problem == "" &&
			project(s) == project(saved) && !s.CreatedAt.After(saved.UpdatedAt) && !slices.Contains(same, s.ID) {
			same = append(same, s.ID)
		}
	}
	if len(same) != 1 {
		return ""
	}
	return same[0]
}
