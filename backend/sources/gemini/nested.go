package gemini

import (
	"bytes"
	"context"
	"path/filepath"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// nested puts subagents that others have started below those. The folder with all of them is that of the session in which the first was
// started; the calls in their own files tell which started which.
func nested(ctx context.Context, env sources.Env, sessions []sources.Found) {
	folders := map[string][]*sources.Found{}
	for i := range sessions {
		if f := &sessions[i]; f.Relation == sources.Subagent && f.Key != "" && f.Problem == "" {
			dir := filepath.Dir(f.Files[0])
			folders[dir] = append(folders[dir], f)
		}
	}
	for _, all := range folders {
		if len(all) > 1 {
			nest(ctx, env, all)
		}
	}
}

// nest tells of those in one folder.
func nest(ctx context.Context, env sources.Env, all []*sources.Found) {
	byKey := map[string]*sources.Found{}
	for _, f := range all {
		byKey[f.Key] = f
	}
	above := map[*sources.Found]*sources.Found{}
	below := func(f, other *sources.Found) bool {
		for ; f != nil; f = above[f] {
			if f == other {
				return true
			}
		}
		return false
	}
	for _, f := range all {
		for _, key := range startedIn(ctx, env, f) {
			if started := byKey[key]; started != nil && above[started] == nil && !below(f, started) {
				above[started], started.Parent = f, f.ID
			}
		}
	}
}

// startedIn are the keys of the subagents that the calls in a file have started.
func startedIn(ctx context.Context, env sources.Env, f *sources.Found) []string {
	path := f.Files[0]
	return env.Memory.Recall(f.Agent+" started", path, func() (sources.Told, bool) {
		file, err := jsonl.Open(path)
		if err != nil {
			return sources.Told{}, false
		}
		defer file.Close()
		var told sources.Told
		known := map[string]bool{}
		take := func(_, call gjson.Result) bool {
			if key := jsonl.Text(call.Get("agentId")); key != "" && !known[key] {
				known[key] = true
				told.Notes = append(told.Notes, key)
			}
			return true
		}
		if oneObject(path, file) {
			gjson.GetBytes(jsonl.Small(path, sources.LineMost), "messages").ForEach(func(_, m gjson.Result) bool {
				m.Get("toolCalls").ForEach(take)
				return true
			})
			return told, true
		}
		err = sources.Lines(ctx, file, func(line sources.Line) error {
			if !bytes.Contains(line.Text, []byte(`"agentId"`)) {
				return nil
			}
			rec := gjson.ParseBytes(line.Text)
			rec.Get("toolCalls").ForEach(take)
			rec.Get("$set.messages").ForEach(func(_, m gjson.Result) bool {
				m.Get("toolCalls").ForEach(take)
				return true
			})
			return nil
		})
		return told, err == nil
	}).Notes
}
