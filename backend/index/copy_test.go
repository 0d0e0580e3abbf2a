package index

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestCopy: all that was written is in a copy, be the index in use, with a log of writes, closed or in a folder where nothing may be made beside
// it; nothing of it is changed by that.
func TestCopy(t *testing.T) {
	for _, how := range []string{"in use", "closed", "no room beside it"} {
		t.Run(how, func(t *testing.T) {
			dir, to := t.TempDir(), filepath.Join(t.TempDir(), "copy")
			filled(t, dir)
			beside := filepath.Join(dir, fileName+"-shm")
			switch how {
			case "in use":
				x := openAt(t, dir, tiny)
				if err := x.Put(t.Context(), sample(12), texts(sampleTexts(12)...)); err != nil {
					t.Fatal(err)
				}
			case "no room beside it":
				if err := os.Mkdir(beside, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			before, err := os.ReadFile(filepath.Join(dir, fileName))
			if err != nil {
				t.Fatal(err)
			}
			if err := Copy(t.Context(), dir, to); err != nil {
				t.Fatal(err)
			}
			if after, err := os.ReadFile(filepath.Join(dir, fileName)); err != nil || string(after) != string(before) {
				t.Error("the index is another one now", err)
			}
			x := openAt(t, to, tiny)
			for i := range 13 {
				if i == 12 && how != "in use" {
					break
				}
				if got := textsOf(t, x, fmt.Sprint("session", i)); len(got) != 6 {
					t.Errorf("session %d has %d texts", i, len(got))
				}
			}
		})
	}
}

// TestCopyOfNone: where there is no index, or none that can be read, nothing is left of a copy.
func TestCopyOfNone(t *testing.T) {
	dir, to := t.TempDir(), t.TempDir()
	if err := Copy(t.Context(), dir, to); err == nil {
		t.Error("there is none")
	}
	if err := os.WriteFile(filepath.Join(dir, fileName), []byte("this is no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Copy(t.Context(), dir, to); err == nil {
		t.Error("it can't be read")
	}
	if left, err := os.ReadDir(to); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// TestUnwritable: a disk that is full is told from damage, and what was there before it was is there still.
func TestUnwritable(t *testing.T) {
	dir := t.TempDir()
	filled(t, dir)
	x := openAt(t, dir, tiny)
	var pages int
	if err := x.store.write.QueryRowContext(t.Context(), "PRAGMA max_page_count = 1").Scan(&pages); err != nil { // as many as there are
		t.Fatal(err)
	}
	var err error
	for i := 12; err == nil && i < 1000; i++ {
		err = x.Put(t.Context(), sample(i), texts(sampleTexts(i)...))
	}
	if !Unwritable(err) {
		t.Error(err)
	}
	if got := textsOf(t, x, "session3"); len(got) != 6 {
		t.Error(got)
	}
	if Unwritable(nil) || Unwritable(errDamaged) || Unwritable(ErrChanged) {
		t.Error("that is something else")
	}
}
