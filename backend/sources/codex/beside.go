package codex

import (
	"context"

	"palimpsest/backend/sources"
)

// Beside are the files of the threads that a session was forked from, as far as its history stands there.
func (Source) Beside(ctx context.Context, env sources.Env, found sources.Found) []string {
	t := thread{ctx: ctx, env: env, visiting: map[string]bool{}}
	var all []string
	for _, path := range found.Files {
		h, err := headOf(path)
		if err != nil || h.base == h.id { // that is among the files
			continue
		}
		for h.base != "" && len(all) < generations {
			base, next, ok := t.base(h)
			if !ok {
				break
			}
			t.visiting[base] = true
			all = append(all, base)
			h = next
		}
	}
	return all
}
