package library

import (
	"errors"
	"path/filepath"
	"strings"
)

// ErrNotLookedThrough is why nobody knows all sessions that stand in a file.
var ErrNotLookedThrough = errors.New("the file was not looked through yet")

// Standing says, by file, why nobody can tell whether sessions are there that were in it when an agent's were last looked for: it is there, and
// can't be read, or was not looked through yet. Some files don't say outside which sessions they hold. It stands under its own name, and under the one that copies have of it.
func (l *Library) Standing(agent string) map[string]error {
	why, waiting := map[string]error{}, l.env.Memory.Waiting()
	for _, s := range l.shelves {
		if s.source.Agent() != agent {
			continue
		}
		placed := l.placed(s)
		for _, f := range s.all() {
			for _, path := range f.Files {
				var err error
				switch {
				case f.FromCopy:
				case f.Problem != "":
					err = errors.New(strings.TrimSuffix(f.Problem, "."))
				case waiting[path]:
					err = ErrNotLookedThrough
				}
				if err == nil {
					continue
				}
				why[path] = err
				if below, ok := placed(path); ok {
					why[filepath.Join(l.env.Home, below)] = err
				}
			}
		}
	}
	return why
}

// unlooked is the file of a session that was not looked through yet and may have another one whose id goes on behind its own, empty if there is none.
func (l *Library) unlooked(s *shelf, id string) string {
	if strings.Contains(id, "@") { // a copy of an earlier state, which is in no file of an agent's
		return ""
	}
	for i := range len(id) {
		if id[i] != '.' {
			continue
		}
		if f := s.all()[id[:i]]; f != nil && !f.FromCopy && len(f.Files) > 0 && l.env.Memory.Waiting()[f.Files[0]] {
			return f.Files[0]
		}
	}
	return ""
}

// Unlooked tells of a session that is not found that it may stand in the file of another one, which was not looked through yet.
func (l *Library) Unlooked(ref Ref) bool {
	for _, s := range l.shelves {
		if s.source.Agent() == ref.Agent {
			return l.unlooked(s, ref.ID) != ""
		}
	}
	return false
}
