package backend

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// forgetFiles takes files out of the system's memory, so that they are read from the disk the next time. Who may has the system forget
// folders, too, and where files are; else only what is in the files is forgotten.
func forgetFiles(b *testing.B, roots ...string) {
	b.Helper()
	unix.Sync() // what is not on the disk yet is not forgotten
	const all = "3"
	if os.WriteFile("/proc/sys/vm/drop_caches", []byte(all), 0) == nil {
		return
	}
	b.Log("only what is in the files is forgotten: to have the system forget folders takes root")
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			return forgetFile(path)
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

func forgetFile(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // opened for reading
	return unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_DONTNEED)
}
