//go:build unix

package session

import "os"

// SyncDir makes the entries of a directory durable: a file that was created or renamed is only safe with it.
func SyncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	err = dir.Sync()
	if closeErr := dir.Close(); err == nil {
		err = closeErr
	}
	return err
}
