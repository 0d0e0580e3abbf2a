package opencode

import (
	"context"
	"fmt"
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
		env.Unseen(err)
		return nil
	}
	defer tree.Close()
	if inDatabase(&found) {
		return s.besideDatabase(ctx, env, found, tree)
	}
	name, ok := tree.Inside(found.Files[0])
	if !ok {
		return nil
	}
	all := filesOf(tree, name, found.ID).all(env)
	return slices.DeleteFunc(all, func(path string) bool { return slices.Contains(found.Files, path) })
}

// all are the messages and parts, and the output that these say stands in files of its own.
func (f files) all(env sources.Env) (all []string) {
	messages, err := filesIn(f.tree, f.messageDir)
	env.Unseen(err)
	for _, message := range messages {
		all = append(all, f.tree.Path(message))
		parts, err := filesIn(f.tree, filepath.Join(f.partDir, idOf(message)))
		env.Unseen(err)
		for _, part := range parts {
			all = append(all, f.tree.Path(part))
			data, _ := f.tree.ReadFile(part, sources.LineMost) // one that can't be read is told of when it is kept
			all = append(all, spilledIn(f.tree, data)...)
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

// filesIn are the records in a directory. What was read before an error counts, and that it is missing is usual.
func filesIn(tree *glean.Tree, dir string) (names []string, err error) {
	entries, err := tree.ReadDir(dir)
	if err != nil {
		err = fmt.Errorf("looking into %s: %w", tree.Path(dir), err)
	}
	for _, entry := range entries {
		if entry.Type()&fs.ModeType == 0 && strings.HasSuffix(entry.Name(), ".json") {
			names = append(names, filepath.Join(dir, entry.Name()))
		}
	}
	return names, err
}
