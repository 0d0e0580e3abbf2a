//go:build unix && !darwin && !freebsd && !netbsd

package inode

import "syscall"

func changedAt(stat *syscall.Stat_t) int64 { return syscall.TimespecToNsec(stat.Ctim) }
