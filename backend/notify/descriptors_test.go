package notify

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// TestOpenFilesAreBounded: where each entry of a folder takes an open file, no more folders are watched than may be, that is said as of any
// other limit, and what is not watched any more counts no more.
func TestOpenFilesAreBounded(t *testing.T) {
	folder := func(files int) string {
		dir := t.TempDir()
		for i := range files {
			if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i)), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	bound := &descriptors{most: 10}
	watcher := func() *Watcher {
		w, err := New()
		if err != nil {
			t.Skip(err)
		}
		w.open = bound
		return w
	}
	one, other := watcher(), watcher()
	defer other.Close()
	may := func(w *Watcher, dir string, want bool, used int) {
		t.Helper()
		if err := w.Add(dir); (err == nil) != want || (Limit(err) == "") != want || bound.used != used {
			t.Errorf("%v, %d in use", err, bound.used)
		}
	}
	few, some, many := folder(2), folder(5), folder(20)
	may(one, many, false, 0)
	may(one, few, true, 3)
	may(one, few, true, 3) // it is watched already
	may(one, some, true, 9)
	may(other, few, false, 9)
	if err := one.Remove(some); err != nil || bound.used != 3 {
		t.Errorf("%v, %d in use", err, bound.used)
	}
	may(other, few, true, 6)
	if err := other.Add(filepath.Join(few, "none")); !errors.Is(err, fs.ErrNotExist) || bound.used != 6 {
		t.Errorf("%v, %d in use", err, bound.used)
	}
	one.Close()
	if bound.used != 3 {
		t.Errorf("%d in use when one has ended", bound.used)
	}
}
