package gemini

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// Gemini copied the folders of projects when it gave them names instead of hashes, and left the old ones: what did not change since is
// there twice.

// once leaves out the copies. Of those that went on apart, the ones in the newer form come first.
func once(ctx context.Context, env sources.Env, sessions []sources.Found) []sources.Found {
	slices.SortStableFunc(sessions, func(a, b sources.Found) int {
		return cmp.Or(
			cmp.Compare(hashed(&a), hashed(&b)), cmp.Compare(filepath.Ext(b.Files[0]), filepath.Ext(a.Files[0])), cmp.Compare(a.Files[0], b.Files[0]),
		)
	})
	return jsonl.Once(sessions, func(longer, shorter *sources.Found) bool {
		if filepath.Base(shorter.Files[0])+"l" == filepath.Base(longer.Files[0]) {
			return takenOver(ctx, env, shorter, longer)
		}
		return copied(shorter, longer)
	})
}

// takenOver tells whether all of a session in the form of early versions is in a file of lines with its name: that is made when such a
// session is resumed, and the old file stays as it is. To read both takes time, so it is remembered: that it is so, or that it was not so
// as long as the file of lines was what it is.
func takenOver(ctx context.Context, env sources.Env, f, by *sources.Found) bool {
	old, now := f.Files[0], by.Files[0]
	asked := f.Agent + " taken over by " + now
	return len(env.Memory.Recall(asked, old, func() (sources.Told, bool) {
		told := env.Memory.Recall(fmt.Sprintf("%s %d %d", asked, by.Bytes, by.UpdatedAt.UnixNano()), old, func() (sources.Told, bool) {
			all := gjson.GetBytes(jsonl.Small(old, sources.LineMost), "messages.#.id").Array()
			if len(all) == 0 {
				return sources.Told{}, true
			}
			here := idsIn(ctx, now)
			if slices.ContainsFunc(all, func(id gjson.Result) bool { return !here[id.Str] }) {
				return sources.Told{}, ctx.Err() == nil
			}
			return sources.Told{Notes: []string{"yes"}}, true
		})
		return told, len(told.Notes) > 0
	}).Notes) > 0
}

// idsIn are those of the messages in a file of lines.
func idsIn(ctx context.Context, path string) map[string]bool {
	ids := map[string]bool{}
	file, err := jsonl.Open(path)
	if err != nil {
		return ids
	}
	defer file.Close()
	_ = jsonl.Each(ctx, file, nil, func(_ sources.Line, rec gjson.Result) error { // what was read before an error counts
		if id := jsonl.Text(rec.Get("id")); id != "" {
			ids[id] = true
		}
		return nil
	})
	return ids
}

// copiedMost is how large a file may be that is compared message by message.
const copiedMost = 16 << 20

// copied tells whether a file is what another one, of the same name in the folder of another project, once was: one that grows by lines
// begins with it, one that is written anew has all of its messages. One of another name is a copy only if it is the same.
func copied(f, from *sources.Found) bool {
	if f.Problem != "" {
		return false
	}
	if path, other := f.Files[0], from.Files[0]; filepath.Base(path) != filepath.Base(other) {
		return f.Bytes == from.Bytes && jsonl.Begins(from, f)
	}
	if jsonl.Begins(from, f) {
		return true
	}
	messages := func(of *sources.Found) []gjson.Result {
		return gjson.GetBytes(jsonl.Small(of.Files[0], copiedMost), "messages.#.id").Array()
	}
	here := map[string]bool{}
	for _, id := range messages(from) {
		here[id.Str] = true
	}
	all := messages(f)
	return len(all) > 0 && !slices.ContainsFunc(all, func(id gjson.Result) bool { return !here[id.Str] })
}

// savedOnce leaves out what was saved and is the beginning of what was saved under the same name of the same project, in the folder with
// the project's other name. What is in the folder with the newer name comes first.
func savedOnce(saved []sources.Found) []sources.Found {
	slices.SortStableFunc(saved, func(a, b sources.Found) int {
		return cmp.Compare(hashed(&a), hashed(&b))
	})
	return jsonl.Once(saved, func(longer, shorter *sources.Found) bool {
		all, begin := turnsIn(longer.Files[0]), turnsIn(shorter.Files[0])
		return shorter.Problem == "" && len(begin) > 0 && len(begin) <= len(all) && slices.Equal(all[:len(begin)], begin)
	})
}

// hashed is 1 for a file in a folder that has the hash of a directory for a name.
func hashed(f *sources.Found) int {
	if len(filepath.Base(projectOf(f.Files[0]))) == hashLength {
		return 1
	}
	return 0
}

// turnsIn is what was said in a saved conversation, turn by turn.
func turnsIn(path string) []string {
	data := jsonl.Small(path, copiedMost)
	from, listed := listAt(data)
	list := gjson.ParseBytes(data[from:])
	if !listed {
		list = list.Get("history")
	}
	var out []string
	list.ForEach(func(_, turn gjson.Result) bool {
		m := asMessage(turn, 0)
		out = append(out, m.Get("type").Raw+m.Get("content|@ugly").Raw)
		return true
	})
	return out
}
