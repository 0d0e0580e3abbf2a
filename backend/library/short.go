package library

import "slices"

// Shorts are the beginnings of the ids of all sessions that were found, each as long as it takes for no other session of its agent to
// begin so, and not shorter than a person would take for an id. [Library.Complete] completes them.
func (l *Library) Shorts() map[Ref]string {
	shorts := map[Ref]string{}
	for _, s := range l.shelves {
		all := s.all()
		ids := make([]string, 0, len(all))
		for id := range all {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		for i, id := range ids {
			shared := 0
			if i > 0 {
				shared = common(ids[i-1], id)
			}
			if i+1 < len(ids) {
				shared = max(shared, common(id, ids[i+1]))
			}
			shorts[Ref{s.source.Agent(), id}] = beginning(id, max(shared+1, shortest))
		}
	}
	return shorts
}

// shortest is how much of an id is shown at least: more than [Library.Complete] needs.
const shortest = 8

// common is how many bytes two ids begin with that are the same.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// beginning is the first bytes of an id, and all of it if they would cut a character.
func beginning(id string, bytes int) string {
	if bytes >= len(id) || id[bytes]&0xC0 == 0x80 {
		return id
	}
	return id[:bytes]
}
