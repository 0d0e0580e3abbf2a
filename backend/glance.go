package backend

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"palimpsest/backend/states"
)

// glanceBytes is what is read of a log, and what a context is resolved from, before a first answer: a tenth of a second.
const glanceBytes = 8 << 20

// glance is [Backend.view] for doors that stay and listen to news: of a log that would take long it gives what can be told
// at once, and has the rest found out in the background. That is news of the session, and no position changes by it.
func (b *Backend) glance(id string) (*view, error) {
	if !b.resident {
		return b.view(id)
	}
	return b.open(id, func(c *cached, v *view, log *os.File, model string) error {
		c.mu.Lock()
		defer c.mu.Unlock()
		if _, err := c.identify(log); err != nil {
			return err
		}
		if c.states == nil || c.index.Size != v.size {
			if err := c.look(log, v.size, model); err != nil {
				return err
			}
		}
		if c.rough && c.settling == nil {
			b.views.settle(c, model, func() { b.news.publish(EventChanged, id) })
		}
		v.index, v.states, v.rough = c.index, c.states, c.rough
		return nil
	})
}

// look brings what is known of a log up to date, exactly where that is quick.
func (c *cached) look(log io.ReaderAt, size int64, model string) error {
	skims := c.index.Skimmed || size-c.index.Size > glanceBytes || size < c.index.Size
	if err := c.extend(log, size, c.end, skims); err != nil {
		return err
	}
	index := c.index
	c.rough = index.Skimmed
	account := c.account
	if c.settling != nil {
		account = new(states.Account)
	}
	if o := states.OutlookOf(&index); index.Skimmed && o.Bytes() > glanceBytes || account.Unread(&o) > glanceBytes {
		c.states, c.rough = o.Rough(), true
		return nil
	}
	var err error
	c.states, err = account.Resolve(log, &index, model)
	return err
}

// settle finds out exactly, in the background, what look could only tell roughly; told is called when it is known. The
// caller holds the lock of c.
func (v *views) settle(c *cached, model string, told func()) {
	ctx, end, ok := v.begin()
	if !ok {
		return
	}
	settling := make(chan struct{})
	c.settling = settling
	go func() {
		defer end()
		known := v.find(ctx, c, model) == nil
		c.mu.Lock()
		c.settling = nil
		c.mu.Unlock()
		close(settling)
		if known {
			told()
		}
	}()
}

// find turns a panic into an error, as requests do: nobody else is there to stop it.
func (v *views) find(ctx context.Context, c *cached, model string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("session %s: a mistake in the program: %v\n%s", c.id, r, debug.Stack())
		}
	}()
	log, err := c.store.OpenLog(c.id)
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }() // opened for reading
	info, err := log.Stat()
	if err != nil {
		return fmt.Errorf("session %s: %w", c.id, err)
	}
	c.mu.Lock()
	known, file, account, size := c.indexes, c.file, c.account, c.index.Size
	c.mu.Unlock()
	if known.index.Skimmed {
		known = indexes{}
	}
	reader := readerAt{ctx, log}
	if err := known.extend(reader, size, c.end, false); err != nil {
		return err
	}
	kept := known.index // states may keep it: an index that was handed out does not change
	table, err := account.Resolve(reader, &kept, model)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !os.SameFile(file, info) || c.file != file && !os.SameFile(c.file, info) {
		return errAnotherLog
	}
	c.indexes, c.states, c.rough = known, table, false
	return nil
}

// readerAt ends with its context.
type readerAt struct {
	ctx context.Context
	r   io.ReaderAt
}

func (r readerAt) ReadAt(p []byte, off int64) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, fmt.Errorf("reading stopped: %w", err)
	}
	return r.r.ReadAt(p, off) //nolint:wrapcheck // stands for the reader it wraps
}
