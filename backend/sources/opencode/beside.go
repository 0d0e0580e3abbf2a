package opencode

import (
	"context"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/glean"
)

var spilledName = regexp.MustCompile(`tool-output[/\\]+(tool_[A-Za-z0-9_-]+)`)

// Beside are the messages and parts of a session in files, and the output that these say stands in files of its own.
func (s Source) Beside(ctx context.Context, env sources.Env, found sources.Found) []string {
	tree, err := glean.OpenTree(dataDir(env))
	if err != nil {
		return nil
	}
	defer tree.Close()
	if inDatabase(&found) {
		return s.spilled(ctx, env, found, tree)
	}
	name, ok := tree.Inside(found.Files[0])
	if !ok {
		return nil
	}
	var all []string
	add := func(path string) {
		if !slices.Contains(found.Files, path) {
			all = append(all, path)
		}
	}
	from := filesOf(tree, name, found.ID)
	for _, message := range filesIn(tree, from.messageDir) {
		add(tree.Path(message))
		for _, part := range filesIn(tree, filepath.Join(from.partDir, idOf(message))) {
			add(tree.Path(part))
			data, _ := tree.ReadFile(part, sources.LineMost) // one that can't be read is told of when it is kept
			all = append(all, spilledIn(tree, data)...)
		}
	}
	return all
}

// spilledIn are the files that a part says a whole output stands in.
func spilledIn(tree *glean.Tree, data []byte) []string {
	var all []string
	for _, spilled := range spilledName.FindAllSubmatch(data, -1) {
		all = append(all, tree.Path(filepath.Join("tool-output", string(spilled[1]))))
	}
	return all
}

func filesIn(tree *glean.Tree, dir string) []string {
	entries, _ := tree.ReadDir(dir) // what was read before an error counts; missing is usual
	var names []string
	for _, entry := range entries {
		if entry.Type()&fs.ModeType == 0 && strings.HasSuffix(entry.Name(), ".json") {
			names = append(names, filepath.Join(dir, entry.Name()))
		}
	}
	return names
}
