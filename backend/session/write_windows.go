package session

import "os"

// mayWrite knows of files that are marked read-only. What else may be in the way shows when something is written.
func mayWrite(path string) bool {
	info, err := os.Stat(path)
	return err == nil && (info.IsDir() || info.Mode().Perm()&0o200 != 0)
}
