package gemini

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/tidwall/gjson"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// Gemini copied the folders of projects when it gave them names instead of hashes, and left the old ones: what did not change since is
// there twice.

// copiedMost is how large a file may be that is compared message by message.
const copiedMost = 16 << 20

// copied tells whether a file is what another one, of the same name in the folder of another project, once was: one that grows by lines
// begins with it, one that is written anew has all of its messages.
func copied(f, from *sources.Found) bool {
	if path, other := f.Files[0], from.Files[0]; filepath.Base(path) != filepath.Base(other) || f.Problem != "" {
		return false
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
// the project's other name. What was saved anew in one of them and is another conversation has an id of its own.
func savedOnce(saved []sources.Found) []sources.Found {
	groups := map[string][]sources.Found{}
	var order []string
	for _, f := range saved {
		if len(groups[f.ID]) == 0 {
			order = append(order, f.ID)
		}
		groups[f.ID] = append(groups[f.ID], f)
	}
	var out []sources.Found
	for _, id := range order {
		group := groups[id]
		if len(group) > 1 {
			group = savedApart(group)
		}
		out = append(out, group...)
	}
	return out
}

// savedApart is savedOnce for one id. That in the folder with the newer name keeps it, whatever is saved next,
// unless it can't be read.
func savedApart(group []sources.Found) []sources.Found {
	turns := make([][]string, len(group))
	order := make([]int, len(group))
	for i := range group {
		turns[i], order[i] = turnsIn(group[i].Files[0]), i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(len(turns[b]), len(turns[a])), cmp.Compare(hashed(&group[a]), hashed(&group[b])))
	})
	var shown []int
	for _, i := range order {
		if !slices.ContainsFunc(shown, func(longer int) bool {
			return group[i].Problem == "" && len(turns[i]) > 0 && slices.Equal(turns[longer][:len(turns[i])], turns[i])
		}) {
			shown = append(shown, i)
		}
	}
	slices.SortStableFunc(shown, func(a, b int) int {
		return cmp.Or(cmp.Compare(len(group[a].Problem), len(group[b].Problem)), cmp.Compare(hashed(&group[a]), hashed(&group[b])))
	})
	out := make([]sources.Found, len(shown))
	for n, i := range shown {
		if out[n] = group[i]; n > 0 {
			out[n].ID += "@" + jsonl.Sum(out[n].Files[0])
		}
	}
	return out
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
