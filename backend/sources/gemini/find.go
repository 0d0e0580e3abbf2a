package gemini

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// Find tells of each session once. Several files may have one session: what was said in it is in one of them, the others are what
// resuming it left. What a person saved of one is told of as a session of its own.
func (s Source) Find(ctx context.Context, env sources.Env, visit func(sources.Found) error) error {
	for _, root := range s.Roots(env) {
		known := projects(root)
		var order []string
		all := map[string][]sources.Found{}
		var saved []sources.Found
		for path := range jsonl.Walk(root, 3, ".json", ".jsonl") {
			if err := ctx.Err(); err != nil {
				return err
			}
			name, isSaved := savedName(root, path)
			var f sources.Found
			var said bool
			switch {
			case isSaved:
				f, said = lookSaved(path, name, known)
			case inChats(root, path):
				f, said = look(ctx, path)
			}
			if !said && f.Problem == "" {
				continue
			}
			if f.Cwd == "" {
				f.Cwd = known[filepath.Base(projectOf(path))]
			}
			if isSaved {
				saved = append(saved, f)
				continue
			}
			if len(all[f.ID]) == 0 {
				order = append(order, f.ID)
			}
			all[f.ID] = append(all[f.ID], f)
		}
		var sessions []sources.Found
		for _, id := range order {
			sessions = append(sessions, all[id]...)
			if err := tell(all[id], visit); err != nil {
				return err
			}
		}
		saved = savedOnce(saved)
		for i := range saved {
			if parent := parentOf(&saved[i], sessions, known); parent != "" {
				saved[i].Parent, saved[i].Relation = parent, sources.Fork
			}
			if err := visit(saved[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// tell tells of the files with something said in one session: as a rule there is one. Gemini copied the folders of projects when it gave
// them names: what has not changed since is there once.
func tell(files []sources.Found, visit func(sources.Found) error) error {
	slices.SortStableFunc(files, func(a, b sources.Found) int {
		return cmp.Or(cmp.Compare(len(a.Problem), len(b.Problem)), b.UpdatedAt.Compare(a.UpdatedAt), cmp.Compare(b.Bytes, a.Bytes))
	})
	var apart []sources.Found
	for i, f := range files {
		if !slices.ContainsFunc(files[:i], func(other sources.Found) bool { return copied(&f, &other) }) {
			apart = append(apart, f)
		}
	}
	// Which of them was written to last does not matter, so that an id means the same tomorrow; those in the newer form come first.
	slices.SortStableFunc(apart, func(a, b sources.Found) int {
		return cmp.Or(
			min(len(a.Problem), 1)-min(len(b.Problem), 1), hashed(&a)-hashed(&b),
			cmp.Compare(filepath.Ext(b.Files[0]), filepath.Ext(a.Files[0])), cmp.Compare(a.Files[0], b.Files[0]),
		)
	})
	seen := map[string]bool{}
	for i, f := range apart {
		if i > 0 { // the same session in two files goes on from the same beginning in both
			f.Row = f.ID
			f.ID += "@" + strings.TrimSuffix(filepath.Base(f.Files[0]), filepath.Ext(f.Files[0]))
		}
		if seen[f.ID] { // files of one name, in several projects
			f.ID += "~" + jsonl.Sum(f.Files[0])
		}
		seen[f.ID] = true
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}

// inChats tells whether a file is <root>/<project>/chats/<name>, or one folder below that, where a session's subagents are.
func inChats(root, path string) bool {
	name, err := filepath.Rel(root, path)
	if err != nil {
		return false
	}
	parts := strings.Split(filepath.ToSlash(name), "/")
	return len(parts) >= 3 && len(parts) <= 4 && parts[1] == "chats"
}
