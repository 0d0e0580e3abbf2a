package backend

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"palimpsest/backend/config"
	"palimpsest/backend/index"
	"palimpsest/backend/session"
)

// roomLeast is what an index takes that is only opened. With less than that on its disk, a cache is of no use to anybody.
const roomLeast = 1 << 20

// roomIn is how much may still be written to the disk of a directory that is there.
var roomIn = session.Room

// cacheIn is the directory of readings and of the index; an empty one is the user's own. Where nothing can be written to it, be it that its
// disk is full, a directory of this program's own takes its place, which goes with the program: sessions are read and searched there, too,
// only what is not in the user's index anew each time. fails is why nothing could be written when that was tried, if it was.
func (b *Backend) cacheIn(dir string, fails error) string {
	if dir == "" {
		dir = filepath.Join(config.CacheHome(), "palimpsest")
	}
	why := whyNoCache(dir)
	switch {
	case why == "" && fails == nil:
		return dir
	case why == "":
		why = fmt.Sprintf("nothing more can be written to the cache (%s): %v", dir, fails)
	}
	if isFull(os.TempDir()) {
		return dir // there is no better place, and whoever needs it says why there is none
	}
	own, err := os.MkdirTemp("", "palimpsest-cache-")
	if err != nil {
		return dir // likewise
	}
	b.ownCache, b.noCache = own, dir
	b.warn(fmt.Errorf("%s: what is read of other agents is kept in %s until the program ends, and read anew next time", why, own))
	return own
}

// whyNoCache says why nothing can be kept in a directory, which need not be there yet; empty if something can.
func whyNoCache(dir string) string {
	if !session.MayWrite(dir) {
		return fmt.Sprintf("the cache (%s) can't be written to", dir)
	}
	if isFull(session.Nearest(dir)) {
		return fmt.Sprintf("the disk of the cache (%s) is full", dir)
	}
	return ""
}

// isFull is not told of a disk that does not count what is left.
func isFull(dir string) bool {
	room, known := roomIn(dir)
	return known && room < roomLeast
}

// copyIndex begins the index of a cache of this program's own with what the user's has: only what that lacks is read then, and what has no
// files any more is found, too. What can't be copied is read anew.
func (b *Backend) copyIndex() {
	if b.ownCache != "" {
		_ = index.Copy(context.Background(), indexDir(b.noCache, b.home), b.indexing.dir)
	}
}

// dropCache removes a cache of this program's own.
func (b *Backend) dropCache() {
	if b.ownCache != "" {
		_ = os.RemoveAll(b.ownCache) // what is left is in the system's directory for what is temporary
	}
}
