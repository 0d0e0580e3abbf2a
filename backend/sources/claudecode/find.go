package claudecode

import (
	"context"
	"maps"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// Find tells of each session, and of each subagent that has a file of its own. Files in which nothing was said are passed over.
func (s Source) Find(ctx context.Context, env sources.Env, visit func(sources.Found) error) error {
	each, spills, err := recall(ctx, env, s.Roots(env))
	if err != nil {
		return err
	}
	all := make([]told, 0, len(each))
	// Older versions named a session in the file of the next one, by the last row of it.
	named := map[string]string{}
	for i := range each {
		t := toldOf(&each[i])
		maps.Copy(named, t.named)
		t.lookedThrough(ctx, env)
		if t.found.ID != "" {
			all = append(all, t)
		}
	}
	nest(env, all)
	goOn(all)
	forks(ctx, env, all)
	list := make([]sources.Found, 0, len(all))
	for i := range all {
		found := all[i].found
		found.Beside = spills.of(&found)
		for _, row := range all[i].rows {
			if found.Title == "" {
				found.Title = named[row]
			}
		}
		list = append(list, found)
	}
	shown := jsonl.Apart(withoutCopies(list))
	shown = append(shown, inside(shown, all)...)
	for i := range shown {
		if err := visit(shown[i]); err != nil {
			return err
		}
	}
	return nil
}

// lookedThrough takes what the whole of a long file tells: what the session is called by a person, else by Claude Code, and which subagents are in it.
func (t *told) lookedThrough(ctx context.Context, env sources.Env) {
	given, sides, known := titles.With(ctx, env, t.from)
	if known {
		t.sides = sides
	}
	for _, title := range given {
		if title != nil {
			t.found.Title = *title
			return
		}
	}
}

// titles are those that a person gave, and those that Claude Code did; none takes another one away.
var titles = jsonl.Names{Agent: agent, Kinds: 2, Words: []string{`-title"`}, Of: func(line []byte) (kind int, name string, ok bool) {
	row, ok := briefly(line, new(jsonl.Fields))
	if row.kind == "ai-title" {
		kind = 1
	}
	return kind, row.title, ok && row.title != "" && (kind == 1 || row.kind == "custom-title")
}, Along: alongSides}

// goOn finds the sessions that go on in another file without a copy of a row: the first of theirs hangs below one that another ends with.
func goOn(all []told) {
	ends := map[string]string{}
	for i := range all {
		if f := &all[i].found; f.Relation != sources.Subagent {
			for _, row := range all[i].rows {
				ends[row] = f.ID
			}
		}
	}
	for i := range all {
		f := &all[i].found
		if from := ends[all[i].after]; all[i].after != "" && from != "" && from != f.ID && f.Parent == "" && f.Relation == "" {
			f.Parent, f.Relation = from, sources.Continuation
		}
	}
}

// withoutCopies leaves out the files that have another name than the session in them and nothing that this one has not: somebody copied it.
func withoutCopies(list []sources.Found) []sources.Found {
	at := make(map[string]int, len(list))
	for i := range list {
		at[list[i].ID] = i
	}
	copied := make([]bool, len(list))
	for i := range list {
		f := &list[i]
		of, there := at[f.Parent]
		copied[i] = there && f.Relation == sources.Continuation && list[of].Parent != f.ID && jsonl.Begins(&list[of], f)
	}
	out := list[:0]
	for i := range list {
		if !copied[i] {
			out = append(out, list[i])
		}
	}
	return out
}
