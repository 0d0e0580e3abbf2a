package index

import (
	"os"

	"pgregory.net/rapid"
)

// tempDir is for a run of a property, of which there are many in a test.
func tempDir(t *rapid.T) string {
	dir, err := os.MkdirTemp("", "index-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
