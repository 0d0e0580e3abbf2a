//go:build unix

package session

import (
	"os"

	"golang.org/x/sys/unix"
)

// Room is how many bytes may still be written to the disk of a directory; not known of a file system that does not count them.
func Room(dir string) (bytes uint64, known bool) {
	var stat unix.Statfs_t
	if err := unix.Statfs(dir, &stat); err != nil || stat.Blocks == 0 {
		return 0, false
	}
	free := stat.Bavail
	if os.Geteuid() == 0 { // what is kept for the system is for this one
		free = stat.Bfree
	}
	return free * uint64(stat.Bsize), true //nolint:gosec,nolintlint // no size is less than nothing
}
