package crabtalk

import (
	"context"
	"slices"
	"strings"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// once leaves out the sessions that another one with their id begins with: CrabTalk has had two names, and in each several forms, and left
// what it brought over where it was. But it also began to count anew, so that one id may be two conversations.
func (s Source) once(ctx context.Context, env sources.Env, all []sources.Found) []sources.Found {
	slices.SortStableFunc(all, func(a, b sources.Found) int { return min(len(a.Problem), 1) - min(len(b.Problem), 1) })
	known := map[string][]string{}
	said := func(f *sources.Found) []string {
		key := f.Files[0] + "\x00" + f.Row
		if _, there := known[key]; !there {
			known[key], _ = sources.Said(ctx, s, env, *f) // what was read before an error counts
		}
		return known[key]
	}
	return jsonl.Once(all, func(longer, shorter *sources.Found) bool {
		lines := strings.HasSuffix(shorter.Files[0], ".jsonl")
		switch {
		case lines && shorter.Bytes == 0:
			return true
		case longer.Problem != "" || shorter.Problem != "":
			return false
		case lines && strings.HasSuffix(longer.Files[0], ".jsonl") && jsonl.Begins(longer, shorter):
			return true
		}
		begin, whole := said(shorter), said(longer)
		return len(begin) <= len(whole) && slices.Equal(begin, whole[:len(begin)])
	})
}
