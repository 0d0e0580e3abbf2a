package notify

import (
	"errors"
	"syscall"
)

// Limit says that the system watches no more, and what to do about that, if an error of [New] or of Add is for that; else it is empty.
func Limit(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return limitOfFolders()
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return limitOfFiles()
	}
	return ""
}
