package inode

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestAt: of a file that is read, an edit that gives it back its size and its time shows, whatever the system, while its owner has it open.
func TestAt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	write := func(path, text string) (number string, changed int64) {
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
		return At(path, info)
	}
	number, before := write(path, "aa")
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	again, after := write(path, "bb")
	for range 1000 { // clocks of file systems are coarse
		if after != before {
			break
		}
		again, after = write(path, "bb")
	}
	if number == "" || again != number || before == 0 || after <= before {
		t.Errorf("file %q changed at %d, then %q at %d", number, before, again, after)
	}
	if other, _ := write(path+"2", "aa"); other == number {
		t.Errorf("another file is %q, too", other)
	}
	if info, err := os.Stat(path + "2"); err != nil {
		t.Error(err)
	} else if number, changed := At(path+"3", info); number != Number(info) || changed != Changed(info) {
		t.Errorf("of a file that is gone %q and %d are told", number, changed)
	}
}
