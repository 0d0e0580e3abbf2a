package session

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/robustio"
)

// ReplaceFile writes data to a temporary file beside path, syncs it, renames it over path and syncs the directory: a
// reader sees the old file or the new one, whole. Renaming retries on Windows, where a virus scanner may hold the file
// for a moment.
func ReplaceFile(path string, data []byte) (err error) {
	temp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".tmp-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temp.Name()) // the error that matters is already on its way
		}
	}()
	_, err = temp.Write(data)
	if err == nil {
		err = temp.Sync()
	}
	if closeErr := temp.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	if err = robustio.Rename(temp.Name(), path); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// writeSynced creates a file that must not exist yet.
func writeSynced(path string, data []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}
