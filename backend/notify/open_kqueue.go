//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package notify

import (
	"math"

	"golang.org/x/sys/unix"
)

// open bounds the files of all watchers of this program: half of those that it may open, since it has other work to do.
var open = &descriptors{most: halfOfFiles()}

func halfOfFiles() int {
	const enough = 128 // where nobody says how many there may be
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return enough
	}
	return int(min(uint64(limit.Cur)/2, math.MaxInt32)) //nolint:unconvert,nolintlint // it is another type on other systems
}
