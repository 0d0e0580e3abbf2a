package library

import (
	"errors"
	"path/filepath"
	"strings"
)

// Standing says, by file, why nobody can tell whether sessions are there that were in it when an agent's were last looked for: it is there, and
// can't be read. Some files don't say outside which sessions they hold. It stands under its own name, and under the one that copies have of it.
func (l *Library) Standing(agent string) map[string]error {
	why := map[string]error{}
	for _, s := range l.shelves {
		if s.source.Agent() != agent {
			continue
		}
		for _, f := range s.all() {
			if f.Problem == "" || f.FromCopy {
				continue
			}
			placed := l.placed(s)
			for _, path := range f.Files {
				err := errors.New(strings.TrimSuffix(f.Problem, "."))
				why[path] = err
				if below, ok := placed(path); ok {
					why[filepath.Join(l.env.Home, below)] = err
				}
			}
		}
	}
	return why
}
