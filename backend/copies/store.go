package copies

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/lockedfile"
	"github.com/rogpeppe/go-internal/robustio"

	"palimpsest/backend/session"
)

// Store is a directory of copies. Several processes may use it.
type Store struct{ dir string }

// Open returns the store in a directory, which is made when something is kept.
func Open(dir string) *Store { return &Store{dir} }

func (s *Store) list(agent, id string) string {
	sum := sha256.Sum256([]byte(agent + ":" + id))
	return filepath.Join(s.dir, "sessions", agent, hex.EncodeToString(sum[:16])+".json")
}

func (s *Store) object(sha string) string { return filepath.Join(s.dir, "objects", sha[:2], sha) }

// lock is held by who adds or removes.
func (s *Store) lock() (func(), error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, fmt.Errorf("making room for copies: %w", err)
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(s.dir, "lock")).Lock()
	if err != nil {
		return nil, fmt.Errorf("locking the copies: %w", err)
	}
	return unlock, nil
}

// Original is a file to be kept: where it is, and where it stands below a home directory.
type Original struct {
	Path, Below string
	// Lacks tells whether a main file, now, lacks something that the one kept before has; of files of lines it may be nil.
	Lacks comparer
	// Said tells what is said in the session, where nothing else can be compared.
	Said Saying
}

// Keep makes a copy of the files of a session, the main one first. A file that has gone meanwhile is left out, unless it is the main one.
// A copy that was kept before and has something else, too, is set aside, and so is a list that can't be read.
func (s *Store) Keep(ctx context.Context, c Copy, originals []Original) (_ Copy, err error) {
	unlock, err := s.lock()
	if err != nil {
		return c, err
	}
	defer unlock()
	before, err := s.Copy(c.Agent, c.ID)
	if errors.Is(err, errNewer) {
		return c, fmt.Errorf("%w; nothing was changed", err)
	}
	unread := errors.Is(err, ErrDamaged)
	if err != nil && !unread && !errors.Is(err, ErrNone) {
		return c, err
	}
	defer func() {
		if err != nil { // what was added for nothing goes
			err = errors.Join(err, s.sweep(c.Files))
		}
	}()
	for i, original := range originals {
		file, err := s.add(ctx, original)
		if i > 0 && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return c, fmt.Errorf("keeping %s (nothing was changed): %w", original.Path, err)
		}
		c.Files = append(c.Files, file)
	}
	switch {
	case unread:
		if err := s.aside(c); err != nil {
			return c, err
		}
	case len(before.Files) > 0:
		less, err := s.less(ctx, c.Files, before.Files, &originals[0])
		if err != nil {
			return c, err
		}
		if less {
			if err := s.enlist(before.earlier()); err != nil {
				return c, err
			}
		}
	}
	if err := s.enlist(c); err != nil {
		return c, err
	}
	return c, errors.Join(s.settle(ctx, c, &originals[0]), s.sweep(before.Files))
}

// settle removes the states set aside of which a copy has everything.
func (s *Store) settle(ctx context.Context, c Copy, by *Original) error {
	all, _ := s.All(c.Agent) // what can't be read stays
	for i := range all {
		earlier := &all[i]
		if earlier.Of != c.ID {
			continue
		}
		less, err := s.less(ctx, c.Files, earlier.Files, by)
		if err != nil {
			return err
		}
		if !less {
			if err := errors.Join(s.unlist(earlier.Copy), s.sweep(earlier.Files)); err != nil {
				return err
			}
		}
	}
	return nil
}

// enlist writes the list of a copy.
func (s *Store) enlist(c Copy) error {
	text, _ := json.MarshalIndent(c, "", "  ") // texts, numbers and times always can be encoded
	list := s.list(c.Agent, c.ID)
	if err := os.MkdirAll(filepath.Dir(list), 0o700); err != nil {
		return fmt.Errorf("keeping a copy: %w", err)
	}
	if err := session.ReplaceFile(list, append(text, '\n')); err != nil {
		return fmt.Errorf("keeping a copy: %w", err)
	}
	return nil
}

// aside lays a list that can't be read beside its place.
func (s *Store) aside(c Copy) error {
	list := s.list(c.Agent, c.ID)
	if err := robustio.Rename(list, list+".damaged"); err != nil {
		return fmt.Errorf("setting aside the list of a copy that can't be read: %w", err)
	}
	return nil
}

func (s *Store) unlist(c Copy) error {
	if err := os.Remove(s.list(c.Agent, c.ID)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing a copy: %w", err)
	}
	return nil
}

// Copy returns the copy of a session, or [ErrNone].
func (s *Store) Copy(agent, id string) (Copy, error) {
	c, err := read(s.list(agent, id))
	if errors.Is(err, fs.ErrNotExist) {
		return c, ErrNone
	}
	return c, err
}

func read(path string) (Copy, error) {
	var c Copy
	text, err := os.ReadFile(path)
	if err != nil {
		return c, fmt.Errorf("reading a copy: %w", err)
	}
	err = json.Unmarshal(text, &c)
	if c.SchemaVersion > schemaVersion {
		return Copy{}, fmt.Errorf("%s: %w", path, errNewer)
	}
	if err != nil || len(c.Files) == 0 || c.ID == "" || c.Agent == "" {
		return Copy{}, fmt.Errorf("%s: %w", path, ErrDamaged)
	}
	for _, file := range c.Files {
		if sha, err := hex.DecodeString(file.SHA256); err != nil || len(sha) != sha256.Size || !filepath.IsLocal(filepath.FromSlash(file.Path)) {
			return Copy{}, fmt.Errorf("%s: %w: %q", path, ErrDamaged, file.Path)
		}
	}
	return c, nil
}

// Listed is a copy with the file that lists it.
type Listed struct {
	Copy
	List string
}

// All returns the copies of an agent's sessions, of every agent's if it is empty. What can't be read keeps no other from being told.
func (s *Store) All(agent string) ([]Listed, error) {
	if agent == "" {
		agent = "*"
	}
	names, err := fs.Glob(os.DirFS(s.dir), path.Join("sessions", agent, "*.json")) // where they are kept is no part of the pattern
	var all []Listed
	for _, name := range names {
		path := filepath.Join(s.dir, filepath.FromSlash(name))
		c, readErr := read(path)
		if readErr != nil {
			err = errors.Join(err, readErr)
			continue
		}
		all = append(all, Listed{c, path})
	}
	return all, err
}

// Remove forgets the copy of a session, and what no other copy has.
func (s *Store) Remove(agent, id string) error {
	unlock, err := s.lock()
	if err != nil {
		return err
	}
	defer unlock()
	c, err := s.Copy(agent, id)
	if err != nil {
		return err
	}
	if err := s.unlist(c); err != nil {
		return err
	}
	return s.sweep(c.Files)
}

// sweep removes the objects of these files that no copy has any more. While one copy can't be read, everything stays.
func (s *Store) sweep(files []File) error {
	if len(files) == 0 {
		return nil
	}
	all, err := s.All("")
	if err != nil {
		return nil //nolint:nilerr // nothing is lost by what stays
	}
	used := map[string]bool{}
	for _, c := range all {
		for _, file := range c.Files {
			used[file.SHA256] = true
		}
	}
	for _, file := range files {
		if used[file.SHA256] || strings.Contains(file.SHA256, "/") {
			continue
		}
		if err := os.Remove(s.object(file.SHA256)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("removing what no copy has any more: %w", err)
		}
	}
	return nil
}
