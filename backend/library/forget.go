package library

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"palimpsest/backend/sources"
)

// Forget removes what is left of a session whose files are gone: its readings, and what was remembered of its files.
func (l *Library) Forget(ref Ref) error {
	const named, behind = 10, kin // the part of an id that is made of the session's name
	id := idOf(&sources.Found{Agent: ref.Agent, ID: ref.ID}, stamp{})
	root := filepath.Join(l.store.Home(), "sessions")
	readings, err := fs.Glob(os.DirFS(root), "??????????"+id[named:behind]+"*")
	errs := []error{err}
	for _, reading := range readings {
		errs = append(errs, os.RemoveAll(filepath.Join(root, reading)))
	}
	l.growing.keep(grower{ref: ref})
	l.env.Memory.Forget(ref.Agent, func(id string) bool { return tame(id) == ref.ID }) // its source may call it something else
	return errors.Join(append(errs, l.env.Memory.Save())...)
}
