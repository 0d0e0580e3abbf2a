package opencode

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
)

// findFiles tells of the sessions in files that are not known from a database.
func findFiles(ctx context.Context, tree *glean.Tree, env sources.Env, known func(id string) bool, visit func(sources.Found) error) error {
	var names, paths []string
	for _, dir := range sessionDirs(env, tree) {
		files, err := tree.Names(dir) // one project that can't be read is not the end of the others
		deny(env, tree, dir, err)
		for _, file := range files {
			name := filepath.Join(dir, file)
			if strings.HasSuffix(name, ".json") && !known(idOf(name)) {
				names, paths = append(names, name), append(paths, tree.Path(name))
			}
		}
	}
	told, err := env.Memory.RecallAll(ctx, Source{}.Agent(), paths, func(i int) (sources.Told, bool) {
		f := findFile(tree, names[i])
		return sources.Told{Found: f}, f.Problem == "" && f.FirstMessage != "" && f.Model != "" // else it may not have been written yet
	})
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, i := range ownNamesFirst(told, names) {
		f := told[i].Found
		if f.ID == "" || seen[idOf(names[i])] || known(f.ID) || seen[f.ID] {
			continue
		}
		seen[f.ID] = true
		f.Files = append(slices.Clip(f.Files), growing(tree, names[i])...) // what is remembered stays as it is
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}

// ownNamesFirst is the order of files in which those come first that are called as their session is: another one is a copy.
func ownNamesFirst(told []sources.Told, names []string) []int {
	var first, then []int
	for i := range told {
		if told[i].Found.ID == idOf(names[i]) {
			first = append(first, i)
		} else {
			then = append(then, i)
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

func readSession(tree *glean.Tree, name string) (data []byte, err error) {
	data, err = readText(tree, name, sessionFileLong)
	if _, tooLarge := errors.AsType[*glean.LargeError](err); tooLarge {
		long.Do(func() { data, err = readText(tree, name, sessionFileMost) })
	}
	return data, err
}

// findFile reads the file of a session and its beginning; the id of what is no file stays empty.
func findFile(tree *glean.Tree, name string) sources.Found {
	data, err := readSession(tree, name)
	f := sources.Found{Agent: Source{}.Agent(), ID: idOf(name), Files: []string{tree.Path(name)}}
	if errors.Is(err, glean.ErrNoFile) && !tree.IsLink(name) {
		return sources.Found{}
	}
	if err != nil {
		f.Problem = "The file can't be read: " + err.Error()
		return f
	}
	one, ok := parseSession(data)
	if !ok {
		f.Problem = "The file is no JSON: half written, or damaged."
		return f
	}
	if one.id == "" {
		one.id = f.ID
	}
	f = one.found(f.Files[0])
	peekFiles(filesOf(tree, name, f.ID), &f)
	return f
}

// peekFiles reads the beginning of a session: what was asked first, and of which model.
func peekFiles(from files, f *sources.Found) {
	const beginning, most = 6, 256 << 10
	messages, err := from.tree.Sub(from.messageDir)
	if err != nil {
		return // a session without messages
	}
	defer messages.Close()
	names, err := messages.Names(".")
	if err != nil {
		return
	}
	for i, name := range names {
		if i == beginning || f.FirstMessage != "" && f.Model != "" {
			return
		}
		data, err := readText(messages, name, most)
		if err != nil {
			continue
		}
		info := gjson.ParseBytes(data)
		peekModel(info, f)
		if info.Get("role").Str != "user" || f.FirstMessage != "" {
			continue
		}
		for _, part := range inline(info) {
			peekText(part.data, f)
		}
		if parts, err := from.tree.Sub(filepath.Join(from.partDir, idOf(name))); err == nil {
			peekParts(parts, most, f)
			_ = parts.Close() // it was only read
		}
	}
}

func peekParts(parts *glean.Tree, most int64, f *sources.Found) {
	const beginning = 20
	names, err := parts.Names(".")
	if err != nil {
		return
	}
	for _, name := range names[:min(len(names), beginning)] {
		if data, err := readText(parts, name, most); err == nil {
			peekText(data, f)
		}
	}
}
