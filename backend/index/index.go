package index

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// Index is an open index. It may be used by several goroutines, and by several processes at once. Between calls it does nothing.
type Index struct {
	dir   string
	warn  func(error)
	shape shape

	mu     sync.RWMutex // held for reading by calls, so that the store is not changed under them
	store  *store       // nil if it could not be opened again
	closed bool

	writing  sync.Mutex      // one transaction of this process at a time
	going    map[int64]going // pending writes of this process, while it has writing
	others   others
	builders sync.Pool

	opened atomic.Int64 // how often
	anew   atomic.Bool  // it was begun anew, and no call has failed for that

	seeing sync.Mutex
	view   *view
	texts  *cache

	patience time.Duration // [visitTime], but in tests
}

// Open opens the index in a directory of its own. What is not there is made. What can't be read, or is of an older version, is set aside for
// [Index.Salvage], and made anew, empty; what is of a newer version stays as it is.
func Open(dir string, opts OpenOptions) (*Index, error) { return open(dir, opts, usual) }

func open(dir string, opts OpenOptions, s shape) (*Index, error) {
	x := &Index{dir: dir, warn: opts.Warn, shape: s, texts: newCache(cacheMost), going: map[int64]going{}, patience: visitTime}
	x.builders.New = func() any { return newBuilder(s) }
	if x.warn == nil {
		x.warn = func(error) {}
	}
	if err := x.reopen(context.Background(), nil); err != nil {
		return nil, explained("opening the index in "+dir, err)
	}
	return x, nil
}

// Close ends the use of the index. It waits for calls that are under way.
func (x *Index) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return nil
	}
	x.closed = true
	return x.drop()
}

// Opened is how often the index was opened: again where its file was damaged, or is another one now. Then it may lack what it had.
func (x *Index) Opened(ctx context.Context) (int64, error) {
	err := x.do(ctx, "looking at the index", func(*store) error { return nil })
	return x.opened.Load(), err
}

// BegunAnew tells, once, that the index was found damaged, or of an older version, as it was opened: it is empty then, and to be filled as after
// [ErrRebuilt], though no call has failed.
func (x *Index) BegunAnew() bool { return x.anew.Swap(false) }

// drop closes the store and forgets what was read from it.
func (x *Index) drop() error {
	x.seeing.Lock()
	x.view = nil
	x.seeing.Unlock()
	x.texts.clear()
	if x.store == nil {
		return nil
	}
	before := x.store
	x.store = nil
	return before.close()
}

// reopen opens the store; bad is the file to be deleted, if one was found damaged.
func (x *Index) reopen(ctx context.Context, bad os.FileInfo) error {
	store, why, err := openStore(ctx, x.dir, bad)
	if err != nil {
		return err
	}
	x.store = store
	x.opened.Add(1)
	switch {
	case errors.Is(why, errNewer):
		x.warn(fmt.Errorf("%s: %w; another one stands beside it, and fills as sessions are read", x.dir, why))
	case why != nil:
		x.anew.Store(bad == nil)
		x.warn(fmt.Errorf("the index in %s was begun anew; what can be read of the one before is put back, and sessions are read again: %w", x.dir, why))
	}
	return nil
}

// do calls f with the store as it is on disk now. If that turns out to be damaged, it is begun anew for the next call.
func (x *Index) do(ctx context.Context, doing string, f func(*store) error) error {
	for {
		used, err := x.try(f)
		switch {
		case errors.Is(err, errReopen):
			if err := x.renewStore(ctx, used, nil); err != nil {
				return explained(doing, err)
			}
		case err != nil && damaged(err):
			if again := x.renewStore(context.WithoutCancel(ctx), used, used.file); again != nil {
				return explained(doing, errors.Join(err, again))
			}
			return fmt.Errorf("%s: %w: %w", doing, ErrRebuilt, err)
		case err != nil:
			return explained(doing, err)
		default:
			return nil
		}
	}
}

// errReopen says that the store is not the file at its path any more.
var errReopen = errors.New("the index was moved")

func (x *Index) try(f func(*store) error) (*store, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	if x.closed {
		return nil, ErrClosed
	}
	if x.store == nil || x.store.moved() {
		return x.store, errReopen
	}
	return x.store, f(x.store)
}

// renewStore opens the store again, unless another call has done so.
func (x *Index) renewStore(ctx context.Context, used *store, bad os.FileInfo) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.closed {
		return ErrClosed
	}
	if x.store != used {
		return nil
	}
	_ = x.drop() // a damaged or deleted database may well not close
	return x.reopen(ctx, bad)
}
