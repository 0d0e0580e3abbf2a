package scratch

import (
	"io"
	"os"
	"testing"
)

// TestFile: it can be written and read, and nobody else finds it.
func TestFile(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir) // Windows
	file, err := File()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteAt([]byte("later"), 5); err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(io.NewSectionReader(file, 5, 5))
	if string(text) != "later" || err != nil {
		t.Fatalf("%q, %v", text, err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if len(left) > 0 || err != nil {
		t.Fatalf("left behind: %v, %v", left, err)
	}
}
