package index

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestForgetBesideAnother: what is forgotten is out of this index, and that one of another version may still have it is said, with its file.
func TestForgetBesideAnother(t *testing.T) {
	dir := t.TempDir()
	filled(t, dir)
	newer := filepath.Join(dir, fileName)
	as(t, dir, 99)
	x := openAt(t, dir, tiny)
	checkWrites(t, x)
	rows, err := x.Stamps(t.Context())
	if err != nil || len(rows) == 0 {
		t.Fatal(rows, err)
	}
	for id := range rows {
		err := x.Forget(t.Context(), id)
		if !errors.Is(err, ErrLeft) || !strings.Contains(err.Error(), newer) {
			t.Errorf("%v", err)
		}
		if _, there, err := x.Session(t.Context(), id); there || err != nil {
			t.Errorf("it is still there: %v", err)
		}
		if _, err := os.Lstat(filepath.Join(dir, forgettingName)); err == nil {
			t.Error("it is to be scrubbed again, for nothing")
		}
		if err := os.Remove(newer); err != nil {
			t.Fatal(err)
		}
		if err := x.Forget(t.Context(), id); err != nil {
			t.Errorf("without another one: %v", err)
		}
		break
	}
}
