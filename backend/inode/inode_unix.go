//go:build unix

package inode

import (
	"io/fs"
	"strconv"
	"syscall"
)

func of(info fs.FileInfo) (number string, changed int64) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", 0
	}
	return strconv.FormatUint(stat.Ino, 36), changedAt(stat)
}

func at(_ string, info fs.FileInfo) (number string, changed int64) { return of(info) }
