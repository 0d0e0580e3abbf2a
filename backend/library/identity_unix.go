//go:build unix

package library

import (
	"io/fs"
	"strconv"
	"syscall"
)

// Identity is which file of its file system one is.
func Identity(info fs.FileInfo) string {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return strconv.FormatUint(stat.Ino, 36)
	}
	return ""
}
