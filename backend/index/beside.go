package index

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// leftBeside is an [ErrLeft]: another version of the program has an index of its own in the same folder, which this one can't write to.
type leftBeside struct{ files []string }

func (e *leftBeside) Error() string {
	return fmt.Sprintf("what was forgotten is found by nobody any more here, but another version of the program may have it in an index of its own: forget it there, too, or delete %s",
		strings.Join(e.files, " and "))
}

func (e *leftBeside) Is(target error) bool { return target == ErrLeft }

// beside is that error where there is such an index; nil if there is none.
func (x *Index) beside(own *store) error {
	files, err := filepath.Glob(filepath.Join(x.dir, strings.Replace(besideName, "%d", "*", 1)))
	if err != nil {
		return fmt.Errorf("looking for other indexes: %w", err)
	}
	if first := filepath.Join(x.dir, fileName); isNewer(first) {
		files = append(files, first)
	}
	files = slices.DeleteFunc(files, func(path string) bool { return path == own.path })
	if len(files) == 0 {
		return nil
	}
	return &leftBeside{files}
}
