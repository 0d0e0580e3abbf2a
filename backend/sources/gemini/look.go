package gemini

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// look reads the ends of a file, closes it, and tells whether anything was said in it.
func look(ctx context.Context, path string, file *jsonl.File, err error) (f sources.Found, said bool) {
	f = sources.Found{Agent: Source{}.Agent(), ID: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), Files: []string{path}}
	if err != nil {
		f.Problem = "The file can't be read: " + err.Error()
		return f, false
	}
	defer file.Close()
	f.Bytes, f.UpdatedAt = file.Size, file.ModTime
	l := looker{found: &f, tried: map[string]bool{}}
	if name := filepath.Base(projectOf(path)); len(name) == hashLength {
		l.hash = name
	}
	if oneObject(path, file) {
		l.object(file)
	} else {
		for line := range file.Forward() {
			if l.line(line); file.Size <= jsonl.Edge { // else what was said last is not in the beginning
				l.spokeIn(line)
				f.Model = cmp.Or(answererIn(line), f.Model)
			}
		}
		if file.Size > jsonl.Edge {
			named, dated, model := false, false, ""
			for line := range file.Backward() {
				if model == "" {
					model = answererIn(line)
				}
				if l.spoke.IsZero() {
					l.spokeIn(line)
				}
				at := lastIn(line)
				if dated = dated || !at.IsZero(); at.After(f.UpdatedAt) {
					f.UpdatedAt = at
				}
				named = l.called(line, named)
			}
			if !dated { // what is known is of the beginning
				f.UpdatedAt = cmp.Or(file.TimeBeyond(lastIn), file.ModTime)
			}
			if !l.said {
				l.search(ctx, file)
			}
			f.Model = model // that of the beginning may not be the last
		}
	}
	f.UpdatedAt = cmp.Or(l.spoke, f.UpdatedAt) // a name may be given later
	if f.FirstMessage == "" && f.CreatedAt.IsZero() && f.Problem == "" {
		f.Problem = file.Strange()
	}
	if dir := filepath.Base(filepath.Dir(path)); dir != "chats" {
		f.Parent, f.Relation = dir, sources.Subagent
		f.Key = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		if f.ID == dir { // the id of the session that started it, which has it already
			f.ID, f.Row = f.Key, f.ID
		}
	} else if stem := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)); l.kind == "subagent" && f.ID != stem {
		f.ID, f.Row, f.Parent, f.Relation = stem, f.ID, f.ID, sources.Subagent
	}
	return f, l.said
}

// search goes through a file whose beginning has nothing but the context, or one long line, until something is said.
func (l *looker) search(ctx context.Context, file *jsonl.File) {
	errSaid := errors.New("said")
	err := sources.Lines(ctx, io.NewSectionReader(file, 0, file.Size), func(line sources.Line) error {
		if l.line(line.Text); l.said {
			return errSaid
		}
		return nil
	})
	if err != nil && !errors.Is(err, errSaid) {
		l.found.Problem = "The file can't be read: " + err.Error()
	}
}

type looker struct {
	found *sources.Found
	said  bool
	// spoke is when a person or the model said something last, as far as that was looked at.
	spoke time.Time
	// kind is main or subagent, where a version says it.
	kind string
	// hash is that of the project's directory, where its folder is called so, and tried are the directories that have another.
	hash  string
	tried map[string]bool
}

// object looks at the beginning of the one object of early versions. What is cut off is passed over.
func (l *looker) object(file *jsonl.File) {
	head := make([]byte, min(file.Size, jsonl.Edge))
	n, _ := file.ReadAt(head, 0) // what was read counts
	head = jsonl.Unmarked(head[:n])
	object := gjson.ParseBytes(jsonl.Closed(head))
	l.header(object)
	object.Get("messages").ForEach(func(_, message gjson.Result) bool {
		l.message(message)
		return l.found.FirstMessage == "" || l.hash != "" && l.found.Cwd == ""
	})
	if file.Size > jsonl.Edge {
		l.said = true
		l.header(behindMessages(file))
		l.spoke, l.found.Model = saidAtEnd(file)
	} else {
		l.spokeIn(head)
		l.found.Model = answererIn(head)
	}
	if !l.said && !json.Valid(head) { // else what is whole of it is read
		l.found.Problem = "The file is no JSON: half written, or damaged."
	}
}

// behindMessages is what a long object has behind its messages, as a name that it was given later. Its writer puts each member on a line,
// indented, and no string has a line's end in it.
func behindMessages(file *jsonl.File) gjson.Result {
	const few = 4 << 10
	tail := make([]byte, few)
	n, _ := file.ReadAt(tail, file.Size-few) // what was read counts
	_, rest, _ := bytes.Cut(tail[:n], []byte("\n  ],"))
	return gjson.ParseBytes(append([]byte("{"), rest...))
}

func (l *looker) line(line []byte) {
	rec := gjson.ParseBytes(line)
	switch kindOf(rec) {
	case ofRewind, ofPatch:
	case ofChange:
		set := rec.Get("$set")
		l.header(set)
		l.messages(set)
	case ofMessage:
		l.message(rec)
	case ofHeader, ofNothing:
		l.header(rec)
		l.messages(rec)
	}
}

// messages looks at those of a list, as far as is needed.
func (l *looker) messages(of gjson.Result) {
	of.Get("messages").ForEach(func(_, message gjson.Result) bool {
		l.message(message)
		return l.found.FirstMessage == ""
	})
}

func (l *looker) header(rec gjson.Result) {
	if id := jsonl.Text(rec.Get("sessionId")); id != "" {
		l.found.ID = id
	}
	if kind := jsonl.Text(rec.Get("kind")); kind != "" {
		l.kind = kind
	}
	if at := jsonl.Time(rec.Get("startTime")); !at.IsZero() && l.found.CreatedAt.IsZero() {
		l.found.CreatedAt, l.found.UpdatedAt = at, at
	}
	if at := jsonl.Time(rec.Get("lastUpdated")); at.After(l.found.UpdatedAt) || !at.IsZero() && l.found.CreatedAt.IsZero() {
		l.found.UpdatedAt = at
	}
	if summary := jsonl.OneLine(jsonl.Text(rec.Get("summary"))); summary != "" {
		l.found.Title = summary
	}
}

var workspace = regexp.MustCompile(`(?:Workspace Directories:\*\*\s*\n\s*- |I'm currently working in the directory: )([^\n]+)`)

func (l *looker) message(m gjson.Result) {
	if at := jsonl.Time(m.Get("timestamp")); at.After(l.found.UpdatedAt) {
		l.found.UpdatedAt = at
	}
	kind, text := m.Get("type").Str, plain(spoken(m))
	if kind == "user" && isContext(text) {
		if at := workspace.FindStringSubmatch(text); at != nil && l.found.Cwd == "" {
			l.found.Cwd = strings.TrimSpace(at[1])
		}
		return
	}
	l.said = l.said || kind == "user" || kind == "gemini"
	m.Get("toolCalls.#.args").ForEach(func(_, args gjson.Result) bool {
		args.ForEach(func(_, value gjson.Result) bool {
			l.above(jsonl.Text(value))
			return l.found.Cwd == ""
		})
		return l.found.Cwd == ""
	})
	if kind == "user" && l.found.FirstMessage == "" {
		typed := strings.Join(slices.DeleteFunc(texts(spoken(m)), isContext), "\n")
		if jsonl.Typed(typed) && !strings.Contains(typed, "<state_snapshot>") {
			l.found.FirstMessage = jsonl.OneLine(typed)
		}
	}
}

// above finds the project's directory among those that a file which a tool was called with is in.
func (l *looker) above(file string) {
	const longest, most = 4096, 1000
	if l.hash == "" || l.found.Cwd != "" || len(file) > longest || !filepath.IsAbs(file) {
		return
	}
	for dir := filepath.Clean(file); !l.tried[dir] && len(l.tried) < most; dir = filepath.Dir(dir) {
		if l.tried[dir] = true; hashOf(dir) == l.hash {
			l.found.Cwd = dir
		}
	}
}

// isContext tells whether a text is what a session begins with, in the words of later and of early versions, or what a hook put there.
func isContext(text string) bool {
	text = strings.TrimSpace(text)
	return strings.HasPrefix(text, "<session_context>") || strings.HasPrefix(text, "<hook_context>") || strings.HasPrefix(text, "This is the Gemini CLI. We are setting up the context")
}

// spoken is what a person typed, or the content of a message.
func spoken(m gjson.Result) gjson.Result {
	if shown := m.Get("displayContent"); plain(shown) != "" {
		return shown
	}
	return m.Get("content")
}

// plain is the text of a content, which may be a string, a part or parts.
func plain(content gjson.Result) string {
	switch {
	case content.Type == gjson.String:
		return content.Str
	case content.IsObject():
		return jsonl.Text(content.Get("text"))
	}
	var texts []string
	for _, part := range content.Array() {
		if part.Type == gjson.String {
			texts = append(texts, part.Str)
		} else if text := part.Get("text"); text.Type == gjson.String && !part.Get("thought").Bool() {
			texts = append(texts, text.Str)
		}
	}
	return strings.Join(texts, "\n")
}
