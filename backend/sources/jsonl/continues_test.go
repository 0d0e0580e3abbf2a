package jsonl

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/sources"
)

// TestContinuesOnceItCanBeOpened: that a file could not be opened says nothing of what is in it, and is not remembered; what is in it is.
func TestContinuesOnceItCanBeOpened(t *testing.T) {
	dir := t.TempDir()
	env := sources.Env{Memory: sources.OpenMemory(filepath.Join(dir, "memory"), "1")}
	shorter, longer := filepath.Join(dir, "a.jsonl.zst"), filepath.Join(dir, "b.jsonl")
	for _, path := range []string{shorter, longer} {
		if err := os.WriteFile(path, []byte("kept somehow"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var refused string
	opened := 0
	open := func(path string) (io.ReadCloser, error) {
		opened++
		if path == refused {
			return nil, errors.New("too many open files")
		}
		return io.NopCloser(strings.NewReader("one")), nil
	}
	for _, refused = range []string{longer, shorter, "", ""} {
		if got := Continues(env, "one", longer, shorter, open); got != (refused == "") {
			t.Errorf("%t where %q can't be opened", got, refused)
		}
	}
	if opened != 1+2+2 {
		t.Errorf("opened %d times", opened)
	}
}
