// Package forgets counts, for all programs that share a cache, how often something was taken away of which that has a trace, and knows of
// what. Who began to read or to list before may bring it back, and so asks when that is written. It is counted before anything is removed: who
// has written and is told of nothing since can be sure that what is removed goes behind that.
package forgets

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// Count is the file that counts: it has a sum of the id for each time. An empty path counts nothing. One that has become long is begun anew:
// who began before is told that it may have been anything.
type Count string

const (
	// each is how long a sum is. Two ids that have the same only have somebody look once in vain.
	each = 8
	// most is how long the file becomes.
	most = 1 << 20
)

type sum [each]byte

func sumOf(id string) sum {
	whole := sha256.Sum256([]byte(id))
	return sum(whole[:each])
}

// Now is how often it was until now.
func (c Count) Now() int64 {
	info, err := os.Stat(string(c))
	if err != nil {
		return 0
	}
	return info.Size() / each // one may be on its way
}

// Since tells whether the session with an id may have been taken away since it was n times.
func (c Count) Since(n int64, id string) bool {
	now := c.Now()
	if now <= n {
		return now < n
	}
	file, err := os.Open(string(c))
	if err != nil {
		return true
	}
	defer func() { _ = file.Close() }() // opened for reading
	all := make([]byte, (now-n)*each)
	if _, err := file.ReadAt(all, n*each); err != nil {
		return true
	}
	wanted := sumOf(id)
	for ; len(all) > 0; all = all[each:] {
		if sum(all[:each]) == wanted {
			return true
		}
	}
	return false
}

// Add counts one more for each of these sessions, all at once.
func (c Count) Add(ids ...string) error {
	if c == "" {
		return nil
	}
	err := os.MkdirAll(filepath.Dir(string(c)), 0o700)
	if err == nil {
		err = c.add(ids)
	}
	if err != nil {
		return fmt.Errorf("noting that something is taken away: %w", err)
	}
	return nil
}

func (c Count) add(ids []string) (err error) {
	unlock, err := lockedfile.MutexAt(string(c) + ".lock").Lock()
	if err != nil {
		return err //nolint:wrapcheck // its caller does
	}
	defer unlock()
	file, err := os.OpenFile(string(c), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if closed := file.Close(); err == nil {
			err = closed
		}
	}()
	end, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if end -= end % each; end >= most { // of one that was killed in the middle, nothing counts
		end = 0
		if err = file.Truncate(0); err != nil {
			return err
		}
	}
	all := make([]byte, 0, len(ids)*each)
	for _, id := range ids {
		one := sumOf(id)
		all = append(all, one[:]...)
	}
	_, err = file.WriteAt(all, end)
	return err
}
