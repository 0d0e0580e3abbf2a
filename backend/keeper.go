package backend

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"palimpsest/backend/session"
	"palimpsest/backend/sources"
)

// keeperName is the file beside the lock of who keeps the index in step, in which that one says how it reads.
const keeperName = "reads"

var errKeptOtherwise = errors.New("another program that is open keeps the index, and reads sessions in another way: it is of another " +
	"version, or in another time zone. What waits is searched as that one read it, and is read again once it is closed")

// keep takes the lock of who keeps the index in step, if nobody has it.
func (c *stock) keep(dir string) (unlock func(), ok bool, err error) {
	unlock, ok, err = session.TryLock(dir)
	if ok {
		if err := session.ReplaceFile(filepath.Join(dir, keeperName), []byte(c.reads())); err != nil {
			c.b.warn(fmt.Errorf("noting how the index is kept: %w", err))
		}
	}
	return unlock, ok, err
}

// keptOtherwise tells whether who keeps the index in step makes others of it than this program would.
func (c *stock) keptOtherwise(dir string) bool {
	text, err := os.ReadFile(filepath.Join(dir, keeperName))
	return err == nil && string(text) != c.reads()
}

// reads says how this program reads.
func (c *stock) reads() string { return c.mark(sources.Code()) }
