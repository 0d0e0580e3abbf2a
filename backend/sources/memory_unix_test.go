//go:build unix

package sources

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"palimpsest/backend/inode"
)

// TestMemoryOfAnEditedFile: one that was given back its size and its time is looked at again.
func TestMemoryOfAnEditedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session")
	m := OpenMemory(filepath.Join(t.TempDir(), "found"), "v1")
	write := func(text string) int64 {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return inode.Changed(info)
	}
	ask := func() string {
		return m.Recall("a", path, func() (Told, bool) {
			text, err := os.ReadFile(path)
			return Told{Found: Found{Title: string(text)}}, err == nil
		}).Found.Title
	}
	before := write("one")
	if told := ask(); told != "one" {
		t.Errorf("it tells %q", told)
	}
	after := write("two")
	for after == before { // clocks of file systems are coarse
		after = write("two")
	}
	if told := ask(); told != "two" {
		t.Errorf("it still tells %q", told)
	}
}
