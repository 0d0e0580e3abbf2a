package library

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"palimpsest/backend/borrow"
	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// unread is which files of sessions readings could not read, and told of: nothing that a list looks at tells that these can be read again. It stands
// in a file that the programs share which do the cache: what one of them reads another one need not read again.
type unread struct {
	path string
	mu   sync.Mutex
}

// all are the files, by sessions.
func (u *unread) all() map[string][]string {
	all := map[string][]string{}
	if u == nil {
		return all
	}
	if text, err := os.ReadFile(u.path); err == nil {
		_ = json.Unmarshal(text, &all) // what nobody can read is noted again when a session is read
	}
	return all
}

// note adds files that a session could not be read from. They stay noted once they can be read: what was read without them has another stamp, then,
// than what is read with them.
func (u *unread) note(found *sources.Found, files []string) error {
	if len(files) == 0 || found.FromCopy {
		return nil
	}
	return u.change(func(all map[string][]string) {
		ref := Ref{found.Agent, found.ID}.String()
		for _, file := range files {
			if !slices.Contains(all[ref], file) {
				all[ref] = append(all[ref], file)
			}
		}
	})
}

func (u *unread) forget(ref Ref) error {
	return u.change(func(all map[string][]string) { delete(all, ref.String()) })
}

// change writes the file if it changes: of two programs that do that in one moment, one has to note again what it did.
func (u *unread) change(change func(all map[string][]string)) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	all := u.all()
	before := maps.Clone(all)
	change(all)
	if maps.EqualFunc(before, all, slices.Equal) {
		return nil
	}
	text, err := json.Marshal(all)
	if err == nil {
		err = session.ReplaceFile(u.path, text)
	}
	if err != nil && !errors.Is(err, fs.ErrPermission) { // a cache that nobody may write to keeps nothing
		return fmt.Errorf("noting which files can't be read: %w", err)
	}
	return nil
}

// now says which files can be read.
func now(files []string) string {
	var can strings.Builder
	for _, path := range files {
		file, err := os.OpenFile(path, borrow.ReadOnly, 0)
		if err == nil {
			_ = file.Close() // opened for reading
		}
		fmt.Fprintf(&can, "%q %t ", path, err == nil)
	}
	return can.String()
}
