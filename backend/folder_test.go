package backend

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/backend/session"
)

func TestFoldersThatCanBeChosen(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	newsMust(t, os.WriteFile(file, nil, 0o600))
	for path, want := range map[string]string{
		"": "", dir: "", dir + string(filepath.Separator): "",
		file:                       "is no folder",
		filepath.Join(dir, "gone"): "can't be used",
		"work":                     "must be a whole path",
		"~/work":                   "must be a whole path",
	} {
		err := checkFolder(path)
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || !errors.Is(err, session.ErrInput)) {
			t.Errorf("%q: %v", path, err)
		}
	}
}
