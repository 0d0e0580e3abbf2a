package scratch

import (
	"crypto/rand"
	"os"
	"path/filepath"

	"golang.org/x/sys/windows"
)

func dirs() []string { return []string{os.TempDir()} }

func unnamed(dir string) (*os.File, error) {
	name := filepath.Join(dir, "palimpsest-scratch-"+rand.Text())
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL|windows.O_FILE_FLAG_DELETE_ON_CLOSE, 0o600)
}
