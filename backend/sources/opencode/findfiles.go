package opencode

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
	"palimpsest/backend/sources/jsonl"
)

// noted is the file of a session: its name in the folder that it stands in, and what the files of its layout are reached through.
type noted struct {
	in   *glean.Folder
	base *glean.Tree
	old  bool
	file string
}

// files are the records of a session with an id.
func (n noted) files(id string) files { return layout{old: n.old}.files(n.base, id) }

// foldersMost is how many folders of sessions are open at once. Each is opened once: a file that is named from where the data begin has
// all folders above it opened for it. Each takes two of the files that a program may have open, of which there may be 256.
const foldersMost = 32

// findFiles tells of the sessions in files that are not known from a database.
func findFiles(ctx context.Context, tree *glean.Tree, env sources.Env, known func(id string) bool, visit func(sources.Found) error) error {
	var all []sources.Found
	for some := range slices.Chunk(sessionDirs(env, tree), foldersMost) {
		found, err := findFilesIn(ctx, tree, some, env, known)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	seen := map[string]bool{}
	for _, f := range ownNamesFirst(all) {
		name := idOf(f.Files[0])
		if seen[name] || known(f.ID) || seen[f.ID] {
			continue
		}
		seen[f.ID] = true
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}

// findFilesIn are those in some folders.
func findFilesIn(ctx context.Context, tree *glean.Tree, dirs []string, env sources.Env, known func(id string) bool) ([]sources.Found, error) {
	var all []noted
	var paths []string
	bases := map[string]*glean.Tree{}
	for _, dir := range dirs {
		at := layoutOf(filepath.Join(dir, "any"))
		base, here := bases[at.base], (*glean.Folder)(nil)
		var err error
		if base == nil {
			if base, err = tree.Sub(at.base); err == nil {
				defer base.Close()
				bases[at.base] = base
			}
		}
		var in *glean.Tree
		if err == nil {
			in, err = tree.Sub(dir) // to look at a file of it without going there each time
		}
		if err == nil {
			defer in.Close()
			if here, err = in.Folder("."); err == nil {
				defer here.Close()
			}
		}
		var files []string
		if err == nil {
			files, err = here.Names()
		}
		deny(env, tree, dir, err) // one project that can't be read is not the end of the others
		for _, file := range files {
			if strings.HasSuffix(file, ".json") && !known(idOf(file)) {
				all, paths = append(all, noted{here, base, at.old, file}), append(paths, here.Path(file))
			}
		}
	}
	told, now := make([]sources.Found, len(all)), time.Now()
	err := sources.SideBySide(ctx, len(all), func(i int) { told[i] = recallFile(env, all[i], paths[i], now) })
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(told, func(f sources.Found) bool { return f.ID == "" }), nil
}

// recallFile is findFile where neither the file of a session nor its messages are as they were, with what tells that it has changed since: its
// newest message is none of the files that it is found by, and of the others not even names are.
func recallFile(env sources.Env, at noted, path string, now time.Time) sources.Found {
	more, state := growing(at)
	told := env.Memory.RecallIn(state, &sources.Told{}, Source{}.Agent(), path, func() (sources.Told, bool) {
		f, noted := findFile(at)
		return sources.Told{Found: f, Notes: []string{noted.Format(time.RFC3339Nano)}}, f.Problem == "" && f.FirstMessage != "" && f.Model != "" // else it may not have been written yet
	})
	noted, _ := time.Parse(time.RFC3339Nano, told.Notes[1]) // as it was written
	f := told.Found
	if f.Writes = partsWritten(at, noted, now); more != nil {
		f.Files, f.Beside = append(slices.Clip(f.Files), more...), state // what is remembered stays as it is
	}
	return f
}

// ownNamesFirst is the order in which those come first whose files are called as they are: another one is a copy.
func ownNamesFirst(all []sources.Found) []sources.Found {
	var first, then []sources.Found
	for _, f := range all {
		if f.ID == idOf(f.Files[0]) {
			first = append(first, f)
		} else {
			then = append(then, f)
		}
	}
	return append(first, then...)
}

// sessionDirs are the directories with files of sessions, the newer layout first.
func sessionDirs(env sources.Env, tree *glean.Tree) []string {
	var out []string
	for _, below := range []struct{ base, inner string }{{filepath.Join("storage", "session"), ""}, {"project", filepath.Join("storage", "session", "info")}} {
		entries, err := tree.ReadDir(below.base) // it is not there, as a rule
		deny(env, tree, below.base, err)
		for _, entry := range entries {
			out = append(out, filepath.Join(below.base, entry.Name(), below.inner))
		}
	}
	return out
}

// deny tells of a folder that may not be looked into, by its whole path.
func deny(env sources.Env, tree *glean.Tree, dir string, err error) {
	if err != nil {
		env.Deny(fmt.Errorf("%s: %w", tree.Path(dir), err))
	}
}

// sessionFileMost is how long the file of a session may be; those with the differences of a session's edits are long, and few of them are
// read at once.
const (
	sessionFileMost = 16 << 20
	sessionFileLong = 1 << 20
)

var long sources.Few

func readSession(in *glean.Folder, name string) (data []byte, err error) {
	data, err = readText(in, name, sessionFileLong)
	if _, tooLarge := errors.AsType[*glean.LargeError](err); tooLarge {
		long.Do(func() { data, err = readText(in, name, sessionFileMost) })
	}
	return data, err
}

// findFile reads the file of a session and its beginning, and tells when it says that it changed; the id of what is no file stays empty.
func findFile(at noted) (f sources.Found, changed time.Time) {
	data, err := readSession(at.in, at.file)
	f = sources.Found{Agent: Source{}.Agent(), ID: idOf(at.file), Files: []string{at.in.Path(at.file)}}
	if errors.Is(err, glean.ErrNoFile) && !at.in.IsLink(at.file) {
		return sources.Found{}, changed
	}
	if err != nil {
		f.Problem = "The file can't be read: " + err.Error()
		return f, changed
	}
	one, ok := parseSession(data)
	if !ok && !at.files(f.ID).any() {
		f.Problem = "The file is no JSON: half written, or damaged."
		return f, changed
	}
	if one.id == "" {
		one.id = f.ID
	}
	f = one.found(f.Files[0])
	changed = f.UpdatedAt
	peekFiles(at, &f)
	return f, changed
}

// peekFiles reads the beginning of a session: what was asked first, and its last messages: when something was said, and which model answered last.
func peekFiles(at noted, f *sources.Found) {
	const beginning, most = 6, 256 << 10
	from := at.files(idOf(at.file))
	messages, err := at.base.Folder(from.messageDir)
	if err != nil && filepath.Base(f.ID) == f.ID { // the file may have another name
		from = at.files(f.ID)
		messages, err = at.base.Folder(from.messageDir)
	}
	if err != nil {
		return // a session without messages
	}
	defer messages.Close()
	names, err := messages.Names()
	if err != nil {
		return
	}
	said, model := spoke(messages, names)
	f.UpdatedAt, f.Model = cmp.Or(said, f.UpdatedAt), cmp.Or(f.Model, model) // a name may be given later
	for i, name := range names {
		if i == beginning || f.FirstMessage != "" {
			return
		}
		data, err := readText(messages, name, most)
		if err != nil {
			continue
		}
		info := gjson.ParseBytes(data)
		f.Cwd = cmp.Or(f.Cwd, jsonl.Text(info.Get("path.cwd")))
		if info.Get("role").Str != "user" || f.FirstMessage != "" {
			continue
		}
		for _, part := range inline(info) {
			peekText(part.data, f)
		}
		if parts, err := at.base.Folder(filepath.Join(from.partDir, idOf(name))); err == nil {
			peekParts(parts, most, f)
			_ = parts.Close() // it was only read
		}
	}
}

// spoke is when the last message was said that can be read, and which model answered last, or was asked if none did: of the last few messages,
// the zero time or empty if none of these tells.
func spoke(messages *glean.Folder, names []string) (at time.Time, model string) {
	const last, most = 3, 256 << 10
	asked := ""
	for _, name := range slices.Backward(names[max(len(names)-last, 0):]) {
		data, err := readText(messages, name, most)
		if err != nil {
			continue
		}
		info := gjson.ParseBytes(data)
		at = cmp.Or(at, jsonl.Time(info.Get("time.completed")), jsonl.Time(info.Get("time.created")))
		model, asked = cmp.Or(model, answeredBy(info)), cmp.Or(asked, jsonl.Text(info.Get("model.modelID")))
		if !at.IsZero() && model != "" {
			break
		}
	}
	return at, cmp.Or(model, asked)
}

func peekParts(parts *glean.Folder, most int64, f *sources.Found) {
	const beginning = 20
	names, err := parts.Names()
	if err != nil {
		return
	}
	for _, name := range names[:min(len(names), beginning)] {
		if f.FirstMessage != "" {
			return
		}
		if data, err := readText(parts, name, most); err == nil {
			peekText(data, f)
		}
	}
}
