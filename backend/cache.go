package backend

import (
	"fmt"
	"os"
	"path/filepath"

	"palimpsest/backend/config"
	"palimpsest/backend/session"
)

// cacheIn is the directory of readings and of the index; an empty one is the user's own. Where nothing can be written to it, a
// directory of this program's own takes its place, which goes with the program: sessions are read and searched there, too, only anew
// each time.
func (b *Backend) cacheIn(dir string) string {
	if dir == "" {
		dir = filepath.Join(config.CacheHome(), "palimpsest")
	}
	if session.MayWrite(dir) {
		return dir
	}
	own, err := os.MkdirTemp("", "palimpsest-cache-")
	if err != nil {
		return dir // whoever needs it says why there is none
	}
	b.ownCache = own
	b.warn(fmt.Errorf("the cache (%s) can't be written to: what is read of other agents is kept in %s until the program ends, and read anew next time", dir, own))
	return own
}

// dropCache removes a cache of this program's own.
func (b *Backend) dropCache() {
	if b.ownCache != "" {
		_ = os.RemoveAll(b.ownCache) // what is left is in the system's directory for what is temporary
	}
}
