//go:build unix

package tools

import (
	"io/fs"
	"os"
	"syscall"

	"palimpsest/backend/agent/permission"
)

const (
	// shell is what runs commands.
	shell = permission.Bash
	// nonblocking lets a named pipe be opened without waiting for its other end.
	nonblocking = syscall.O_NONBLOCK
)

// keepOwner gives a file the owner of the one that it replaces, as far as the system lets us: only root may.
func keepOwner(f *os.File, old fs.FileInfo) {
	if stat, ok := old.Sys().(*syscall.Stat_t); ok {
		_ = f.Chown(int(stat.Uid), int(stat.Gid))
	}
}
