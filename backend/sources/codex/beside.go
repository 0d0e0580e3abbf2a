package codex

import (
	"context"

	"palimpsest/backend/sources"
)

// Beside are the files of the threads that a session was forked from, as far as its history stands there.
func (Source) Beside(ctx context.Context, env sources.Env, found sources.Found) []string {
	look, unseen := env, []error(nil)
	look.Denied = func(err error) { unseen = append(unseen, err) }
	t := thread{ctx: ctx, env: look, visiting: map[string]bool{}}
	var all []string
	for _, path := range found.Files {
		h, err := headOf(path)
		if err != nil || h.base == h.id { // that is among the files
			continue
		}
		for h.base != "" && len(all) < generations {
			base, next, ok := t.base(h)
			t.unread(env, h.base)
			if !ok {
				for _, err := range unseen { // it may be there
					env.Unseen(err)
				}
				break
			}
			t.visiting[base] = true
			all = append(all, base)
			h = next
		}
	}
	return all
}

// unread tells of files of a thread that can't be read.
func (t *thread) unread(env sources.Env, id string) {
	for _, file := range t.listed {
		if file.thread == id {
			_, err := t.headOf(file.path)
			env.Unseen(err)
		}
	}
}
