package backend

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"palimpsest/backend/index"
	"palimpsest/backend/session"
)

// turnMark tells other programs that the one whose turn it is to read into the index gets further, also while it writes nothing: a session
// may take long of which nothing goes into the index yet, such as one of images. It is a file, which is written anew.
type turnMark struct {
	dir string
	// through becomes another number whenever something was read.
	through atomic.Int64
	// signed is the number when the mark was set last.
	signed atomic.Int64
}

// markEvery is how often the mark is set: well within the time after which nobody waits any more.
const markEvery = 5 * time.Second

func (m *turnMark) path() string { return filepath.Join(m.dir, "mark") }

// take takes the turn, if nobody has it.
func (m *turnMark) take() (end func(), ok bool, err error) {
	unlock, ok, err := session.TryLock(m.dir)
	if !ok || err != nil {
		return nil, ok, err
	}
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(markEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				m.sign()
			case <-ended:
				return
			}
		}
	}()
	return func() {
		close(ended)
		<-done
		unlock()
	}, true, nil
}

// taken tells whether it is anybody's turn.
func (m *turnMark) taken() bool {
	unlock, ok, err := session.TryLock(m.dir)
	if ok {
		unlock()
	}
	return !ok && err == nil
}

// sign sets the mark if something was read since it was set last.
func (m *turnMark) sign() {
	if now := m.through.Load(); m.signed.Swap(now) != now {
		_ = os.WriteFile(m.path(), fmt.Append(nil, os.Getpid(), now), 0o600) // then it is taken for one that gets no further
	}
}

// others is a number that becomes another one when other programs have written to the index, or set the mark.
func (m *turnMark) others(ctx context.Context, x *index.Index) (int64, error) {
	written, err := x.Others(ctx)
	if info, statErr := os.Stat(m.path()); statErr == nil {
		written += info.ModTime().UnixNano()
	}
	return written, err
}
