package library

import (
	"os"
	"path/filepath"
	"testing"

	"palimpsest/backend/sources"
)

// TestNothingStaysOpen of a file that was appended to, whatever its size.
func TestNothingStaysOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "one")
	for _, size := range []int{10, compareFrom} {
		must(t, os.WriteFile(path, make([]byte, size), 0o600))
		is, err := os.Stat(path)
		must(t, err)
		tail := Tail{path: path, is: is}
		tail.edge(&sources.Found{Files: []string{path}, Bytes: int64(size)})
		const open = "/proc/self/fd"
		all, err := os.ReadDir(open)
		must(t, err)
		for _, one := range all {
			if to, err := os.Readlink(filepath.Join(open, one.Name())); err == nil && to == path {
				t.Errorf("one of %d bytes is", size)
			}
		}
	}
}
