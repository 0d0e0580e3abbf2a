package backend

import (
	"slices"
	"sync"

	"palimpsest/backend/library"
)

// readings are the sessions of other agents that were looked at last.
type readings struct {
	mu  sync.Mutex
	all []library.Ref
	// others has a sign when another one is looked at.
	others signs
}

// use notes that one is looked at.
func (r *readings) use(ref library.Ref) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.Contains(r.all, ref) {
		r.others.give()
	}
	r.all = slices.DeleteFunc(r.all, func(other library.Ref) bool { return other == ref })
	r.all = append(r.all, ref)
	if len(r.all) > maxViews {
		r.all = slices.Clone(r.all[len(r.all)-maxViews:])
	}
}

func (r *readings) recent() []library.Ref {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.all)
}
