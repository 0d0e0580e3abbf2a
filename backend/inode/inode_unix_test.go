//go:build unix

package inode

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestChanged: an edit that gives a file back its size and its time shows, and a name of its own is the same file.
func TestChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write := func(text string) os.FileInfo {
		t.Helper()
		at := time.Unix(1_700_000_000, 0)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	before := write("aa")
	after := write("bb")
	for Changed(after) == Changed(before) { // clocks of file systems are coarse
		after = write("bb")
	}
	if !after.ModTime().Equal(before.ModTime()) || Changed(after) < Changed(before) || Changed(before) == 0 {
		t.Errorf("changed at %d, then at %d", Changed(before), Changed(after))
	}
	if Number(before) != Number(after) || Number(before) == "" {
		t.Errorf("file %q, then %q", Number(before), Number(after))
	}
	if err := os.WriteFile(path+"2", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if other, err := os.Stat(path + "2"); err != nil || Number(other) == Number(after) {
		t.Errorf("another file is %q, too: %v", Number(after), err)
	}
}
