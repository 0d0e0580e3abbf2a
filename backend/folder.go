package backend

import (
	"fmt"
	"os"
	"path/filepath"

	"palimpsest/backend/session"
)

// checkFolder says what is wrong with a folder that tools are to work in; none at all is fine. Who makes sessions for others
// may name folders that are not there yet; who chooses one here wants to know.
func checkFolder(path string) error {
	if path == "" {
		return nil
	}
	if !filepath.IsAbs(path) {
		return fmt.Errorf("%w: the folder %q must be a whole path, from the root on", session.ErrInput, path)
	}
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("%w: the folder %q can't be used: %w", session.ErrInput, path, err)
	}
	if !info.IsDir() {
		return fmt.Errorf("%w: %q is no folder", session.ErrInput, path)
	}
	return nil
}
