package session

import (
	"os"
	"path/filepath"
)

// Holder is who holds a session's lock, as far as it says so: it is for people to read.
type Holder struct {
	PID   int    `json:"pid"`
	Host  string `json:"host"`
	Since string `json:"since"`
}

// HeldBy tells which other process is writing to a session, nil if none is. It neither waits nor keeps anybody waiting: the
// lock is tried only where another process has left its name, which one that was killed does too.
func (s *Store) HeldBy(id string) (*Holder, error) {
	dir, err := s.existing(id)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "lock")
	named := readHolder(path)
	if named.PID == 0 || named.PID == os.Getpid() {
		return nil, nil //nolint:nilnil // nobody is an answer
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, nil //nolint:nilnil // let go meanwhile
	}
	defer closeQuietly(file)
	free, err := tryLock(file, dir)
	if err != nil || free {
		return nil, nil //nolint:nilnil // where locks can't be told, it will show when something is written
	}
	return &Holder{PID: named.PID, Host: named.Host, Since: named.Since}, nil
}

// Writable tells whether this process may write to a session.
func (s *Store) Writable(id string) (bool, error) {
	dir, err := s.existing(id)
	if err != nil {
		return false, err
	}
	return mayWrite(dir) && mayWrite(s.LogPath(id)), nil
}

// MayWrite tells whether this process may write below a directory, or make it.
func MayWrite(dir string) bool {
	dir = Nearest(dir)
	info, err := os.Stat(dir)
	return err == nil && info.IsDir() && mayWrite(dir)
}

// Nearest is a directory, or as long as it is not there the nearest above it that is.
func Nearest(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil || filepath.Dir(dir) == dir {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}
