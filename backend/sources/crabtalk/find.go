package crabtalk

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// Find tells of the sessions in all forms, the newest first. One that is in several is told of once, unless it went on in them.
func (s Source) Find(ctx context.Context, env sources.Env, visit func(sources.Found) error) error {
	var all []sources.Found
	tell := func(f sources.Found) { all = append(all, f) }
	for _, root := range s.Roots(env) {
		sessions := filepath.Join(root, "sessions")
		for _, dir := range folderRoots(root) {
			findFolders(filepath.Join(dir, "sessions"), tell)
		}
		for _, path := range storesIn(env, root) {
			for _, f := range storeSessions(path) {
				tell(f)
			}
		}
		for _, path := range databasesIn(env, root) {
			s.findTables(ctx, env, path, tell)
		}
		findSteps(sessions, tell)
		const folders = 3 // by date, as some said it would be
		var paths []string
		for path := range jsonl.Walk(env, sessions, folders, ".jsonl") {
			if !inFolder(path) || filepath.Dir(path) == sessions {
				paths = append(paths, path)
			}
		}
		slices.SortStableFunc(paths, byCopy)
		for _, path := range paths {
			if err := ctx.Err(); err != nil {
				return err
			}
			tell(look(path))
		}
	}
	for _, f := range s.once(ctx, env, all) {
		if err := visit(f); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// byCopy sorts files so that what a copy was made of comes first, which keeps the id: in one folder its name is shorter. That one of another
// folder gets a title changes nothing.
func byCopy(a, b string) int {
	return cmp.Or(
		isCopy(filepath.Base(a))-isCopy(filepath.Base(b)), cmp.Compare(filepath.Dir(a), filepath.Dir(b)),
		cmp.Compare(len(filepath.Base(a)), len(filepath.Base(b))),
	)
}

// look reads the ends of a file.
func look(path string) sources.Found {
	id, slug := split(strings.TrimSuffix(filepath.Base(path), ".jsonl"))
	f := sources.Found{Agent: Source{}.Agent(), ID: id, Title: slug, Files: []string{path}}
	file, err := jsonl.Open(path)
	if err != nil {
		f.Problem = "The file can't be read: " + err.Error()
		return f
	}
	defer file.Close()
	f.Bytes, f.UpdatedAt = file.Size, file.ModTime
	first := true
	var last time.Time
	for line := range file.Forward() {
		rec := gjson.ParseBytes(line)
		if peek(rec, first, &f); !first {
			last, _ = spoke(rec, last)
		}
		first = false
	}
	if f.FirstMessage == "" {
		peek(gjson.ParseBytes(file.Cut()), first, &f)
		f.Problem = file.Strange()
	}
	if at := begun(id, f.UpdatedAt); !at.IsZero() && (f.CreatedAt.IsZero() || at.Before(f.CreatedAt)) {
		f.CreatedAt = at
	}
	if file.Size > jsonl.Edge {
		last = fromEnd(file, &f)
	}
	f.UpdatedAt = cmp.Or(last, f.UpdatedAt)
	return f
}

// fromEnd takes the model from the end of a long file, and tells when something was said last, the zero time if that is not told.
func fromEnd(file *jsonl.File, f *sources.Found) (last time.Time) {
	model, told := "", false
	for line := range file.Backward() {
		rec := gjson.ParseBytes(line)
		if !told {
			last, told = spoke(rec, last)
		}
		if model = cmp.Or(model, jsonl.Text(rec.Get("model"))); model != "" && told {
			break
		}
	}
	f.Model = model // that of the beginning may not be the last
	return last
}

// spoke is when something was said last, behind what was said before: a message tells none, as a rule, and what is told of its run does. It tells
// whether this is about that.
func spoke(rec gjson.Result, before time.Time) (last time.Time, told bool) {
	switch kindOf(rec, false) {
	case message:
		return jsonl.Time(unwrap(rec).Get("timestamp")), true
	case event:
		if at := jsonl.Time(rec.Get("ts")); !at.IsZero() {
			return at, true
		}
	case compaction, metadata, other:
	}
	return before, false
}

// findSteps tells of the sessions that have a folder.
func findSteps(dir string, tell func(sources.Found)) {
	entries, _ := os.ReadDir(dir) // what was read before an error counts; missing is usual
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		if !entry.IsDir() {
			continue
		}
		names, _ := stepNames(path) // folders that may not be looked into are told of with the files
		if len(names) == 0 {
			continue
		}
		id, slug := split(entry.Name())
		f := sources.Found{Agent: Source{}.Agent(), ID: id, Title: slug, Files: []string{filepath.Join(path, names[0])}}
		if last := names[len(names)-1]; last != names[0] { // it changes with each that is added
			f.Files = append(f.Files, filepath.Join(path, last))
		}
		const few = 12
		for i, name := range names[:min(len(names), few)] {
			peek(gjson.ParseBytes(beginning(filepath.Join(path, name))), i == 0 && name == "meta", &f)
		}
		for _, file := range f.Files {
			if info, err := os.Stat(file); err == nil && info.ModTime().After(f.UpdatedAt) {
				f.UpdatedAt = info.ModTime()
			}
		}
		for _, name := range slices.Backward(names[max(len(names)-few, 0):]) {
			if at, told := spoke(gjson.ParseBytes(beginning(filepath.Join(path, name))), time.Time{}); told {
				f.UpdatedAt = cmp.Or(at, f.UpdatedAt)
				break
			}
		}
		tell(f)
	}
}

// beginning is that of a file's text, if it is a file, with what is open at its end closed.
func beginning(path string) []byte {
	const most = 256 << 10
	file, err := jsonl.Open(path)
	if err != nil {
		return nil // less is known
	}
	defer file.Close()
	text := make([]byte, min(file.Size, most))
	n, _ := file.ReadAt(text, 0) // what was read counts
	return jsonl.Closed(jsonl.Unmarked(text[:n]))
}

func peek(rec gjson.Result, first bool, f *sources.Found) {
	switch kindOf(rec, first) {
	case metadata:
		for _, name := range []string{"topic", "title"} { // some versions keep only what has a topic
			if title := jsonl.OneLine(jsonl.Text(rec.Get(name))); title != "" {
				f.Title = title
			}
		}
		if at := jsonl.Time(rec.Get("updated_at")); !at.IsZero() {
			f.UpdatedAt = at
		}
		f.CreatedAt = jsonl.Time(rec.Get("created_at")) // or when this was written last, which some versions put there
		f.Cwd = jsonl.Text(rec.Get("root"))
	case event:
		if model := jsonl.Text(rec.Get("model")); model != "" {
			f.Model = model
		}
	case message:
		m := unwrap(rec)
		if text := plain(m.Get("content")); f.FirstMessage == "" && m.Get("role").Str == "user" && jsonl.Typed(text) && !m.Get("auto_injected").Bool() {
			f.FirstMessage = jsonl.OneLine(text)
		}
	case compaction, other:
	}
}
