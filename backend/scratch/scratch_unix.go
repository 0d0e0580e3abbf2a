//go:build unix

package scratch

import (
	"errors"
	"os"
)

// dirs are where a file may stand, as SQLite has them: the folder that the user says, then that for what may be large, and at last the
// system's, which often is memory.
func dirs() []string {
	dirs := []string{"/var/tmp", os.TempDir()}
	if named := os.Getenv("TMPDIR"); named != "" {
		dirs[0], dirs[1] = named, dirs[0]
	}
	return dirs
}

func unnamed(dir string) (*os.File, error) {
	file, err := os.CreateTemp(dir, "palimpsest-scratch-")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}
