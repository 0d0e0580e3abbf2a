//go:build unix

package inject

import (
	"io/fs"
	"os"
	"syscall"
)

// ours tells whether a file belongs to the user.
func ours(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return !ok || int(stat.Uid) == os.Geteuid()
}
