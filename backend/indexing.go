package backend

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"palimpsest/backend/index"
	"palimpsest/backend/library"
	"palimpsest/backend/scan"
)

// errIndexOff says that this program was opened without an index.
var errIndexOff = errors.New("this program was opened without an index")

// indexing is the index of what sessions hold, and what keeps it in step. The index is opened when it is first asked for.
type indexing struct {
	// dir is where it is, empty for none.
	dir string

	mu      sync.Mutex
	closed  bool
	index   *index.Index
	scanner *scan.Scanner
	stock   *stock
	// relisted has a sign in it when there is a new listing.
	relisted chan struct{}
	// stop ends what keeps the index in step; nil as long as nothing does. watch is what it hears of other programs by.
	stop  func()
	watch *indexWatch
	told  time.Time
	wait  *time.Timer
	// progress is told how far a scan is that somebody waits for.
	progress atomic.Pointer[func(scan.State)]
	telling  sync.Mutex // it is told by one at a time
}

// scanWorkers is how many sessions are read at once: the program has other things to do.
const scanWorkers = 2

// Directories of locks beside the index: that of the process that keeps it in step, and that of the one that reads into it.
const (
	lockKeep = "scan"
	lockTurn = "turn"
)

// indexDir is the directory of the index of a home: two homes have two.
func indexDir(cache, home string) string {
	if absolute, err := filepath.Abs(home); err == nil {
		home = absolute
	}
	const enough = 6
	sum := sha256.Sum256([]byte(home))
	return filepath.Join(cache, "index", hex.EncodeToString(sum[:enough]))
}

// openIndex opens the index, once.
//
//nolint:contextcheck,nolintlint // it stays open, whoever asked first
func (b *Backend) openIndex() (*index.Index, error) {
	x := &b.indexing
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.index != nil || x.closed || x.dir == "" {
		if x.index == nil {
			return nil, errIndexOff
		}
		return x.index, nil
	}
	for _, name := range []string{lockKeep, lockTurn} {
		if err := os.MkdirAll(filepath.Join(x.dir, name), 0o700); err != nil {
			return nil, fmt.Errorf("making room for the index: %w", err)
		}
	}
	b.copyIndex()
	opened, err := index.Open(x.dir, index.OpenOptions{Warn: b.warn})
	if err != nil {
		return nil, err
	}
	x.index = opened
	mark := &turnMark{dir: filepath.Join(x.dir, lockTurn)}
	x.stock = &stock{
		b: b, index: opened, went: map[string]int64{}, large: make(chan struct{}, 1), turn: mark,
		second: second{dir: filepath.Join(x.dir, secondName), warn: b.warn, most: secondMost},
	}
	x.scanner = scan.New(scan.Options{
		Catalog: x.stock, Workers: scanWorkers, Changed: b.tellIndex, Begin: leanly,
		Lock: func() (func(), bool, error) { return x.stock.keep(filepath.Join(x.dir, lockKeep)) }, Turn: mark.take,
		Others: func(ctx context.Context) (int64, error) { return mark.others(ctx, opened) },
		Watch:  func(on bool) <-chan struct{} { return x.watch.set(on) },
		Read:   b.tellRead,
	})
	return opened, nil
}

// startIndexing keeps the index in step from now on, in doors that stay.
//
//nolint:contextcheck,nolintlint // it works until the program ends, whoever asked first
func (b *Backend) startIndexing() {
	if !b.resident {
		return
	}
	if _, err := b.openIndex(); err != nil {
		if !errors.Is(err, errIndexOff) {
			b.warn(err)
		}
		return
	}
	x := &b.indexing
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.stop != nil || x.closed {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	var work sync.WaitGroup
	scanner, stock := x.scanner, x.stock
	x.watch = newIndexWatch(x.dir, filepath.Join(x.dir, lockKeep))
	work.Go(func() { scanner.Keep(ctx) })
	work.Go(func() { b.foresees(ctx, stock.index, scanner.Want) })
	work.Go(func() { stock.keepChecked(ctx, checkAfter, scanner.Busy, scanner.Want) })
	x.stop = func() {
		cancel()
		work.Wait()
		x.watch.close()
	}
}

// wantScan has the index brought in step, if something keeps it so.
func (b *Backend) wantScan() {
	if s := b.keeper(); s != nil {
		s.Want()
	}
}

// hintScan has it look at sessions that changed.
func (b *Backend) hintScan(ids ...string) {
	if s := b.keeper(); s != nil && len(ids) > 0 {
		s.Hint(ids...)
	}
}

// keeper keeps the index in step; nil if nothing does.
func (b *Backend) keeper() *scan.Scanner {
	b.indexing.mu.Lock()
	defer b.indexing.mu.Unlock()
	if b.indexing.stop == nil {
		return nil
	}
	return b.indexing.scanner
}

// closeIndex ends the scan and lets go of the index.
func (b *Backend) closeIndex() {
	x := &b.indexing
	x.mu.Lock()
	x.closed = true
	stop, opened := x.stop, x.index
	if x.wait != nil {
		x.wait.Stop()
	}
	x.mu.Unlock()
	if stop != nil {
		stop()
	}
	if opened != nil {
		if err := errors.Join(opened.Close(), x.stock.second.close()); err != nil {
			b.warn(fmt.Errorf("closing the index: %w", err))
		}
	}
}

// tellMost is about how many sessions news is told at once.
const tellMost = 20

// tellRead is news of sessions of other agents that the index has read: only now it is known how much is in them. Where they are many, who listens
// asks for all anew.
func (b *Backend) tellRead(ids []string) {
	if len(ids) > tellMost {
		b.news.miss()
		return
	}
	for _, id := range ids {
		if library.IsRef(id) {
			b.news.publish(EventChanged, id)
		}
	}
}

// tellIndex is news of the scan, at most twice a second.
func (b *Backend) tellIndex() {
	const every = time.Second / 2
	x := &b.indexing
	if progress := x.progress.Load(); progress != nil {
		x.telling.Lock()
		defer x.telling.Unlock()
		(*progress)(x.scanner.State())
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.wait != nil || x.closed {
		return
	}
	left := every - time.Since(x.told)
	x.wait = time.AfterFunc(max(left, 0), func() {
		x.mu.Lock()
		x.wait, x.told = nil, time.Now()
		closed := x.closed
		x.mu.Unlock()
		if !closed {
			b.news.publish(EventIndex, "")
		}
	})
}
