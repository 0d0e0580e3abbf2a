package pi

import (
	"context"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// Find tells of each session file. pi once left some beside the folder of sessions; those are found too.
func (s Source) Find(ctx context.Context, env sources.Env, visit func(sources.Found) error) error {
	paths := s.paths(env)
	told, err := jsonl.RecallAll(ctx, env.Memory, agent, paths, func(i int, file *jsonl.File, err error) (sources.Told, bool) {
		found := look(paths[i], file, err)
		return sources.Told{Found: found}, found.Problem == ""
	})
	if err != nil {
		return err
	}
	all := make([]sources.Found, 0, len(told))
	for i := range told {
		found := told[i].Found
		if found.ID == "" {
			continue
		}
		if given, known := titles.In(ctx, env, &told[i]); known && given[0] != nil {
			found.Title = *given[0]
		}
		all = append(all, found)
	}
	for _, found := range jsonl.Apart(all) {
		if err := visit(found); err != nil {
			return err
		}
	}
	return nil
}

// paths are the files that may be sessions. Folders may stand in each other.
func (s Source) paths(env sources.Env) (paths []string) {
	const folders = 3
	seen := map[string]bool{}
	roots := s.Roots(env)
	for i, root := range append(roots, agentDir(env)) {
		depth := folders
		if i == len(roots) {
			depth = 0
		}
		for path := range jsonl.Walk(env, root, depth, ".jsonl") {
			if !seen[path] {
				seen[path] = true
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// titles are those that sessions are given.
var titles = jsonl.Names{Agent: agent, Kinds: 1, Words: []string{`session_info"`, `"fact"`}, Of: func(line []byte) (kind int, name string, ok bool) {
	l := looker{found: &sources.Found{}, begun: true, row: new(jsonl.Fields), said: new(jsonl.Fields)}
	if l.line(line); !l.named {
		l.lanes = map[string]string{} // as of version 4
		l.line(line)
	}
	return 0, l.found.Title, l.named
}}
