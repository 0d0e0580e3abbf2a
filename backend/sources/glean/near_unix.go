//go:build unix

package glean

import (
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// near reads a file that stands in an open directory, with as few of the system's calls as that takes: a list reads thousands. Not ok is
// whatever is not that plain: a link, a name that leads elsewhere, what is no file or too long, and what changes meanwhile.
func near(dir *os.File, name string, most int64) (data []byte, ok bool) {
	if strings.ContainsRune(name, os.PathSeparator) {
		return nil, false
	}
	at := int(dir.Fd())
	var stat unix.Stat_t
	if err := unix.Fstatat(at, name, &stat, unix.AT_SYMLINK_NOFOLLOW); err != nil || stat.Mode&unix.S_IFMT != unix.S_IFREG || stat.Size > most {
		return nil, false
	}
	const plainly = unix.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC // it may be a pipe by now
	file, err := unix.Openat(at, name, plainly, 0)
	if err != nil {
		return nil, false
	}
	defer func() { _ = unix.Close(file) }() // opened for reading
	data = make([]byte, stat.Size+1)        // room to see that there is no more
	n, err := unix.Read(file, data)
	return data[:max(n, 0)], err == nil && int64(n) == stat.Size
}
