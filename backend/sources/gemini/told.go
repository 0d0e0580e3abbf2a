package gemini

import (
	"context"
	"path/filepath"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// told are the sessions that the files below a root tell of, and what a person saved of some. Known are the directories of projects, which no
// file says by itself.
func (s Source) told(ctx context.Context, env sources.Env, root string, known map[string]string) (sessions, saved []sources.Found, err error) {
	var chats, checkpoints []string
	for path := range jsonl.Walk(env, root, 3, ".json", ".jsonl") {
		if _, is := savedName(root, path); is {
			checkpoints = append(checkpoints, path)
		} else if inChats(root, path) {
			chats = append(chats, path)
		}
	}
	all, err := jsonl.RecallAll(ctx, env.Memory, s.Agent(), chats, func(i int, file *jsonl.File, err error) (sources.Told, bool) {
		return remembered(look(ctx, chats[i], file, err))
	})
	if err != nil {
		return nil, nil, err
	}
	for i := range all {
		if given, known := titles.In(ctx, env, &all[i]); known && given[0] != nil {
			all[i].Found.Title = *given[0]
		}
	}
	sessions = inProjects(all, known)
	all, err = jsonl.RecallAll(ctx, env.Memory, s.Agent()+" saved", checkpoints, func(i int, file *jsonl.File, err error) (sources.Told, bool) {
		name, _ := savedName(root, checkpoints[i])
		return remembered(lookSaved(checkpoints[i], name, file, err))
	})
	saved = inProjects(all, known)
	for i := range saved {
		saved[i].ID += "@" + projectName(filepath.Base(filepath.Dir(saved[i].Files[0])), known)
	}
	return sessions, saved, err
}

// remembered is what a file told in the form that is remembered. A note says that something was said in it.
func remembered(f sources.Found, said bool) (told sources.Told, whole bool) {
	told.Found = f
	if said {
		told.Notes = []string{"said"}
	}
	return told, f.Problem == ""
}

// inProjects are those in which something was said, or that have a problem, in the directories of their projects. What one tells of its own
// is known then.
func inProjects(all []sources.Told, known map[string]string) (out []sources.Found) {
	for i := range all {
		if f := &all[i].Found; f.Cwd != "" {
			known[hashOf(f.Cwd)] = f.Cwd
		}
	}
	for i := range all {
		f := all[i].Found
		if len(all[i].Notes) == 0 && f.Problem == "" {
			continue
		}
		if f.Cwd == "" {
			f.Cwd = known[filepath.Base(projectOf(f.Files[0]))]
		}
		out = append(out, f)
	}
	return out
}

// titles are what sessions are called; none takes another one away.
var titles = jsonl.Names{Agent: Source{}.Agent(), Kinds: 1, Words: []string{`"summary"`}, Of: func(line []byte) (kind int, name string, ok bool) {
	l := looker{found: &sources.Found{}}
	ok = l.called(line, false)
	return 0, l.found.Title, ok
}}
