package sourcetest

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// Traces is what could tell that somebody was in a directory: a line for each file below it, with its mode, length and time.
func Traces(t testing.TB, dir string) string {
	t.Helper()
	var out strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return fmt.Errorf("looking at %s: %w", path, err)
		}
		fmt.Fprintf(&out, "%s %s %d %s\n", path, info.Mode(), info.Size(), info.ModTime())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}
