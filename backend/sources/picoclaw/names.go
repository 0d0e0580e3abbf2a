package picoclaw

import (
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// fileName is a key as early versions named its file.
func fileName(key string) string {
	return strings.NewReplacer(":", "_", "/", "_", `\`, "_").Replace(key)
}

// stemOf is what a file in the form of early versions is called.
func stemOf(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, ".migrated"), ".json")
}

// names are those that the sessions of a folder have had, as files are called.
type names struct {
	of map[string][]owner
	// kept are the ids that sessions go on having, by their files.
	kept map[string]string
}

// owner is the file of a session, with its id and a name that it has had, which may be that.
type owner struct{ path, id, name string }

func (n names) add(name string, o owner) {
	n.of[fileName(name)] = append(n.of[fileName(name)], o)
}

// over tells whether the session in a file that is called so was taken over into another one. That has its id from then on: it is the same session,
// and what is known of it is known by that. Where several could be the same, none is.
func (n names) over(file string, earlier *sources.Found) bool {
	var now []owner
	for _, o := range n.of[file] {
		if o.id != o.name {
			now = append(now, o)
		}
	}
	if len(now) == 1 && n.kept[now[0].path] == "" && (now[0].name == earlier.ID || earlier.Problem != "") {
		n.kept[now[0].path] = now[0].name
	}
	return len(n.of[file]) > 0
}

// once leaves out what was taken over into the session that it is another name of, and stays as it was.
func (n names) once(all []sources.Found) []sources.Found {
	for i := len(all) - 1; i >= 0; i-- {
		file := strings.TrimSuffix(filepath.Base(all[i].Files[0]), ".jsonl")
		if n.over(file, &all[i]) && slices.ContainsFunc(all, func(other sources.Found) bool {
			owns := func(o owner) bool { return o.path == other.Files[0] }
			return other.ID != all[i].ID && slices.ContainsFunc(n.of[file], owns) && jsonl.Begins(&other, &all[i])
		}) {
			all = slices.Delete(all, i, i+1)
		}
	}
	return all
}

// asBefore gives sessions the ids that they go on having. They come first, as what they were taken over from may have the same and have gone on apart.
func (n names) asBefore(all []sources.Found) []sources.Found {
	for i := range all {
		if id := n.kept[all[i].Files[0]]; id != "" {
			all[i].ID, all[i].Row = id, all[i].ID
		}
	}
	slices.SortStableFunc(all, func(a, b sources.Found) int { return min(len(b.Row), 1) - min(len(a.Row), 1) })
	return all
}
