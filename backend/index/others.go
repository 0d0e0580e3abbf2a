package index

import (
	"context"
	"sync/atomic"
)

// others finds out whether other processes have written: then the index is at another version than this one left it at.
type others struct {
	left  int64 // guarded by what guards writing
	times atomic.Int64
}

// found notes the version that the index is at, and leave that this process leaves it at.
func (o *others) found(version int64) {
	if version != o.left {
		o.left = version
		o.times.Add(1)
	}
}

func (o *others) leave(version int64) { o.left = version }

// Others is a number that becomes another one when other processes have written.
func (x *Index) Others(ctx context.Context) (int64, error) {
	err := x.do(ctx, "reading the index", func(st *store) error {
		if !x.writing.TryLock() { // who writes has looked, and nobody else writes until then
			return nil
		}
		defer x.writing.Unlock()
		now, err := readState(ctx, st.read)
		if err == nil {
			x.others.found(now.version)
		}
		return err
	})
	return x.others.times.Load(), err
}
