package picoclaw

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// Find tells of each session, those in the form of early versions only if they were not taken over into the later one.
func (s Source) Find(ctx context.Context, env sources.Env, visit func(sources.Found) error) error {
	var all []sources.Found
	changes := s.changes(ctx, env)
	for _, root := range s.Roots(env) {
		seen, taken := map[string]bool{}, names{of: map[string][]owner{}, kept: map[string]string{}}
		var there []sources.Found
		for _, suffix := range []string{".jsonl", ".json", ".json.migrated"} {
			var here []sources.Found
			for path := range jsonl.Walk(env, root, 0, suffix) {
				if err := ctx.Err(); err != nil {
					return err
				}
				f, ok := look(path, taken, changes)
				if !ok || seen[f.ID] {
					continue
				}
				here = append(here, f)
			}
			here = taken.once(here)
			for i := range here { // what is in a later form hides the earlier ones, and not another file of its own
				seen[here[i].ID] = true
			}
			there = append(there, here...)
		}
		all = append(all, taken.asBefore(there)...)
	}
	for _, f := range jsonl.Apart(all) { // two workspaces may have the same conversation, and two files
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}

// look reads the ends of a file. Names that a file has the session of are put into taken; changes are numbers by names.
func look(path string, taken names, changes map[string]int64) (sources.Found, bool) {
	name := filepath.Base(path)
	f := sources.Found{Agent: Source{}.Agent(), Files: []string{path}}
	stem, lines := strings.CutSuffix(name, ".jsonl")
	if f.ID = stem; !lines {
		f.ID = stemOf(name)
		if strings.HasSuffix(name, ".meta.json") {
			return f, false
		}
	}
	file, err := jsonl.Open(path)
	if err != nil {
		f.Problem = "The file can't be read: " + err.Error()
		return f, lines || !taken.over(f.ID, &f)
	}
	defer file.Close()
	f.Bytes, f.UpdatedAt = file.Size, file.ModTime
	if lines {
		m := readMeta(path)
		m.add(&f)
		for _, alias := range append(m.aliases, m.key) {
			taken.add(alias, owner{path, f.ID, alias})
		}
		for _, name := range namesOf(&f, m) {
			f.Writes += changes[name]
		}
		if last := lookAtLines(file, &f); !last.IsZero() { // a summary is written later
			f.UpdatedAt = last
		}
		if f.FirstMessage == "" {
			f.Problem = problem(file, m)
		}
		return f, true
	}
	ok := lookAtObject(file, &f)
	// It may be called as another was: whose it is its key says.
	return f, ok && !(len(taken.of[fileName(f.ID)]) > 0 && taken.over(stemOf(name), &f))
}

// problem says why nothing of a session can be read. Where there is a summary, the model has that, whatever became of the messages, and a first
// line that is still being written is no damage.
func problem(file *jsonl.File, m meta) string {
	if m.unread == nil && (m.summary != "" || m.key != "" && beginning(file)) {
		return ""
	}
	return file.Strange()
}

// beginning tells of a file that has no more than a part of its first line.
func beginning(file *jsonl.File) bool {
	head := make([]byte, min(file.Size, jsonl.Edge))
	n, _ := file.ReadAt(head, 0) // what was read counts
	head = jsonl.Unmarked(head[:n])
	return int64(n) == file.Size && bytes.HasPrefix(head, []byte("{")) && bytes.IndexByte(head, '\n') < 0
}

func (m meta) add(f *sources.Found) {
	if m.key != "" {
		f.ID = m.key
	}
	f.Title, f.Beside = jsonl.OneLine(m.title), m.says()
	f.CreatedAt = jsonl.Time(gjson.Result{Type: gjson.String, Str: m.created})
	if at := m.lastAt(); !at.IsZero() {
		f.UpdatedAt = at
	}
}

func (m meta) lastAt() time.Time {
	return jsonl.Time(gjson.Result{Type: gjson.String, Str: m.updated})
}

// lookAtLines also tells when the last message was written, the zero time if none says so.
func lookAtLines(file *jsonl.File, f *sources.Found) (last time.Time) {
	count := 0
	for line := range file.Forward() {
		value, whole := jsonl.Whole(line)
		if !whole {
			continue
		}
		rec := jsonl.View(value)
		if roleOf(rec) != "" {
			count++
		}
		peek(rec, f)
		if at := jsonl.Time(rec.Get("created_at")); at.After(last) {
			last = at
		}
	}
	if file.Size <= jsonl.Edge {
		f.Messages = &count
		return last
	}
	if f.FirstMessage == "" {
		peek(gjson.ParseBytes(file.Cut()), f)
	}
	return fromEnd(file, f)
}

func lineTime(line []byte) time.Time { return jsonl.Time(jsonl.First(line, "created_at")) }

// fromEnd takes the model from the end of a long file, and tells when the last message was written. Where nothing said when the session
// began, as its first line is longer than is read, the earliest of these is nearest to that.
func fromEnd(file *jsonl.File, f *sources.Found) (last time.Time) {
	model := ""
	var earliest time.Time
	for line := range file.Backward() {
		if model == "" {
			model = jsonl.Text(jsonl.First(line, "model_name"))
		}
		if at := lineTime(line); !at.IsZero() {
			last, earliest = cmp.Or(last, at), at
		}
		if model != "" && !last.IsZero() && !f.CreatedAt.IsZero() {
			break
		}
	}
	f.Model = model // that of the beginning may not be the last
	if last.IsZero() {
		last = file.TimeBeyond(lineTime)
	}
	f.CreatedAt = cmp.Or(f.CreatedAt, earliest)
	return last
}

// lookAtObject looks at the beginning of an object; not ok if it is none of PicoClaw's.
func lookAtObject(file *jsonl.File, f *sources.Found) bool {
	head := make([]byte, min(file.Size, jsonl.Edge))
	n, _ := file.ReadAt(head, 0) // what was read counts
	text := jsonl.Unmarked(head[:n])
	object := gjson.ParseBytes(jsonl.Closed(text))
	if key := jsonl.Text(object.Get("key")); key != "" {
		f.ID, f.Title = key, jsonl.OneLine(key)
	}
	f.CreatedAt = jsonl.Time(object.Get("created"))
	if at := jsonl.Time(object.Get("updated")); !at.IsZero() {
		f.UpdatedAt = at
	}
	messages := object.Get("messages")
	messages.ForEach(func(_, message gjson.Result) bool {
		peek(message, f)
		return true
	})
	if file.Size > jsonl.Edge {
		f.Model = "" // what is known is of the beginning
	}
	if !messages.Exists() && int64(n) == file.Size && !json.Valid(text) { // else what is whole of it is read
		f.Problem = "The file is no JSON: half written, or damaged."
		return true
	}
	return messages.Exists()
}

func peek(message gjson.Result, f *sources.Found) {
	if f.CreatedAt.IsZero() { // nothing beside the messages says when it began
		f.CreatedAt = jsonl.Time(message.Get("created_at"))
	}
	if model := jsonl.Text(message.Get("model_name")); model != "" {
		f.Model = model
	}
	if text := jsonl.Text(message.Get("content")); f.FirstMessage == "" && message.Get("role").Str == "user" && jsonl.Typed(text) {
		f.FirstMessage = jsonl.OneLine(text)
	}
}
