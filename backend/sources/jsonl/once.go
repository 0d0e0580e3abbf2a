package jsonl

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/backend/sources"
)

// Once leaves out of sessions that have one id those with which another one begins, and gives those that went on apart ids of their own:
// the first keeps the id, the others get the name of their folder or file behind an @ and, where several have that, a sum of their path.
// What can be read comes first. Which was written to last does not matter, so that an id means the same tomorrow.
func Once(all []sources.Found, begins func(longer, shorter *sources.Found) bool) []sources.Found {
	slices.SortStableFunc(all, func(a, b sources.Found) int { return min(len(a.Problem), 1) - min(len(b.Problem), 1) })
	if !repeated(all) {
		return all
	}
	groups := map[string][]sources.Found{}
	var order []string
	for _, f := range all {
		if len(groups[f.ID]) == 0 {
			order = append(order, f.ID)
		}
		groups[f.ID] = append(groups[f.ID], f)
	}
	out := all[:0]
	seen := map[string]bool{}
	for _, id := range order {
		shown := longest(groups[id], begins)
		for i := range shown {
			if f := &shown[i]; i > 0 {
				f.Row, f.ID = cmp.Or(f.Row, id), f.ID+"@"+label(shown[0].Files[0], f.Files[0])
				if seen[f.ID] {
					f.ID += "~" + Sum(f.Files[0])
				}
			}
			seen[shown[i].ID] = true
		}
		out = append(out, shown...)
	}
	return out
}

// repeated tells whether several sessions have one id, as few have.
func repeated(all []sources.Found) bool {
	seen := make(map[string]bool, len(all))
	for i := range all {
		if seen[all[i].ID] {
			return true
		}
		seen[all[i].ID] = true
	}
	return false
}

// longest are those that no other begins with. One that stands for an earlier one has its place.
func longest(group []sources.Found, begins func(longer, shorter *sources.Found) bool) (shown []sources.Found) {
	if len(group) == 1 {
		return group
	}
	for i := range group {
		f := &group[i]
		if slices.ContainsFunc(shown, func(other sources.Found) bool { return begins(&other, f) }) {
			continue
		}
		at := len(shown)
		for j := len(shown) - 1; j >= 0; j-- {
			if begins(f, &shown[j]) {
				shown, at = slices.Delete(shown, j, j+1), j
			}
		}
		shown = slices.Insert(shown, at, *f)
	}
	return shown
}

// label is what tells a path from that of the first, in a word.
func label(first, path string) string {
	const most = 24
	name := strings.TrimPrefix(filepath.Ext(path), ".")
	if filepath.Dir(path) != filepath.Dir(first) || name == "" || filepath.Ext(path) == filepath.Ext(first) {
		name = strings.TrimPrefix(place(first, path), ".")
	}
	if name == "" || len(name) > most {
		return Sum(path)
	}
	return name
}
