// Package scratch gives files for what a reader remembers of every line of a file that has a million, so that memory need not hold it. They
// have no name that others see, are readable by nobody else, and are gone with who holds them, also if the program is killed.
package scratch

import (
	"errors"
	"fmt"
	"os"
)

// File is a new one, empty. It is closed when nobody holds it any more, as every [os.File] is.
func File() (*os.File, error) {
	var errs []error
	for _, dir := range dirs() {
		file, err := unnamed(dir)
		if err == nil {
			return file, nil
		}
		errs = append(errs, err)
	}
	return nil, fmt.Errorf("making room beside memory: %w", errors.Join(errs...))
}
