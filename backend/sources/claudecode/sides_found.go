package claudecode

import (
	"cmp"
	"slices"
	"strings"

	"palimpsest/backend/sources"
	"palimpsest/backend/sources/jsonl"
)

// alongSides looks for subagents in a session's own file.
func alongSides(name string, notes []string) jsonl.Along {
	if isSub(name) {
		return noSides{}
	}
	return sidesOf(name, notes, true)
}

// noSides are those in a file that is a subagent's own.
type noSides struct{}

func (noSides) Line(sources.Line) bool { return true }
func (noSides) Notes() []string        { return nil }

// shownSides are those that are remembered of a file and did something: some were only started to be there.
func shownSides(name string, notes []string) []side {
	l := sidesOf(name, notes, false)
	return slices.DeleteFunc(l.all, func(s side) bool { return s.warmup })
}

// inside are the subagents in the files of sessions. Those that were copied into the file of another session, as a fork's, are that one's.
func inside(shown []sources.Found, all []told) (found []sources.Found) {
	of := map[string]*told{}
	for i := range all {
		if t := &all[i]; len(t.sides) > 1 {
			of[t.found.Files[0]] = t
		}
	}
	if len(of) == 0 {
		return nil
	}
	known := make(map[string]*sources.Found, len(shown))
	for i := range shown {
		known[shown[i].ID] = &shown[i]
	}
	var some []owned
	owners := map[string]owned{}
	for i := range shown {
		for _, one := range ownedBy(&shown[i], of[shown[i].Files[0]]) {
			some = append(some, one)
			if other, twice := owners[one.key()]; !twice || one.before(&other, known) {
				owners[one.key()] = one
			}
		}
	}
	for i := range some {
		one := &some[i]
		owner, id := owners[one.key()], one.parent.ID+sideMark+one.name
		if known[id] == nil && (owner.parent == one.parent || owner.rows < one.rows) {
			found = append(found, one.found(id))
		}
	}
	return found
}

// owned is a subagent in the file of a session.
type owned struct {
	parent *sources.Found
	*side
	copied bool
}

// ownedBy are those in the file of a session, by what that told.
func ownedBy(f *sources.Found, t *told) (all []owned) {
	if t == nil || f.Relation == sources.Subagent || f.Problem != "" {
		return nil
	}
	l := sidesOf(fileName(f.Files[0]), t.sides, false)
	for i := range l.all {
		if one := &l.all[i]; !one.warmup {
			all = append(all, owned{f, one, l.copied(one)})
		}
	}
	return all
}

// key is the same for one and its copy. Without an id nobody can tell.
func (o *owned) key() string {
	if strings.HasPrefix(o.name, unnamed) {
		return o.parent.Files[0] + o.name
	}
	return o.name
}

// copied tells of one that was said in another session: see [index.copied].
func (l *sidesLook) copied(s *side) bool {
	return s.session != "" && s.session != l.name && s.from < l.own
}

// before tells which of two that begin with the same row is not a copy of the other: that of the session that the other one's was made from, else of
// the one that was begun first.
func (o *owned) before(other *owned, known map[string]*sources.Found) bool {
	switch {
	case isAbove(o.parent, other.parent, known):
		return true
	case isAbove(other.parent, o.parent, known):
		return false
	}
	return cmp.Or(o.parent.CreatedAt.Compare(other.parent.CreatedAt), cmp.Compare(o.parent.Files[0], other.parent.Files[0])) < 0
}

// isAbove tells whether a session was made from another one, or from one that was.
func isAbove(above, f *sources.Found, known map[string]*sources.Found) bool {
	const most = 64 // damaged files may say that two were made from each other
	for range most {
		if f = known[f.Parent]; f == nil {
			return false
		}
		if f == above {
			return true
		}
	}
	return false
}

func (o *owned) found(id string) sources.Found {
	s := o.side
	return sources.Found{
		Agent: agent, ID: id, Row: fileName(o.parent.Files[0]) + sideMark + s.name, Within: s.within(o.copied), Files: o.parent.Files[:1:1],
		Parent: o.parent.ID, Relation: sources.Subagent, Call: s.call, Title: s.title, FirstMessage: s.prompt,
		Version: s.version, Cwd: s.cwd, Model: s.model, CreatedAt: s.began, UpdatedAt: s.ended, Bytes: s.bytes,
	}
}
