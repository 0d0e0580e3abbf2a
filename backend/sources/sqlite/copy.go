package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"palimpsest/backend/borrow"
)

// tries is how often a copy is begun again if the database changed under it, and pause how long to wait before.
const (
	tries = 8
	pause = 30 * time.Millisecond
)

// ErrBusy is returned if a database changes faster than it can be copied.
var ErrBusy = errors.New("the database is being written too fast to be copied")

// private is a copy of a database in a directory of its own.
type private struct {
	dir   string
	state state     // of what was copied
	at    time.Time // when the copy began
}

const copyName = "copy.db"

func (p private) path() string { return filepath.Join(p.dir, copyName) }

func (p private) remove() error { return os.RemoveAll(p.dir) }

// take copies the database at path into a new directory below temp. The main file of an earlier copy is used again if the source's
// has not changed since.
func take(ctx context.Context, temp, path string, earlier *private) (private, error) {
	dir, err := os.MkdirTemp(temp, "database-")
	if err != nil {
		return private{}, fmt.Errorf("making a place for a copy of %s: %w", path, err)
	}
	p := private{dir: dir}
	for try := 0; ; try++ {
		var whole bool
		if whole, err = p.try(ctx, path, earlier); err != nil || whole {
			break
		}
		if try == tries {
			err = ErrBusy
			break
		}
		select {
		case <-ctx.Done():
			err = ctx.Err()
		case <-time.After(pause << min(try, 4)):
		}
		if err != nil {
			break
		}
	}
	if err != nil {
		return private{}, errors.Join(err, p.remove())
	}
	return p, nil
}

// try copies once, and tells whether that gave one state of the database.
func (p *private) try(ctx context.Context, path string, earlier *private) (bool, error) {
	p.at = time.Now()
	before, err := look(path)
	if err != nil {
		return false, err
	}
	p.state = before
	for _, suffix := range []string{walSuffix, journalSuffix} {
		if err := os.Remove(p.path() + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
	}
	if err := p.copyMain(ctx, path, before, earlier); err != nil {
		return false, err
	}
	// The log after the main file: it then has all that was moved into the main file while that was copied.
	if before.wal.size > 0 {
		if err := copyFile(ctx, path+walSuffix, p.path()+walSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
	}
	if before.journal.size > 0 {
		if err := copyFile(ctx, path+journalSuffix, p.path()+journalSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
	}
	_, whole := before.stands(path, before.generation != "")
	return whole, nil
}

func (p *private) copyMain(ctx context.Context, path string, now state, earlier *private) error {
	if err := os.Remove(p.path()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if earlier != nil && now.main.showing(earlier.at) && earlier.state.main == now.main && earlier.state.journal.size == 0 {
		if os.Link(earlier.path(), p.path()) == nil { // nobody writes to either
			return nil
		}
	}
	return copyFile(ctx, path, p.path())
}

func copyFile(ctx context.Context, from, to string) error {
	in, err := borrow.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	const part = 64 << 20 // the system copies faster in large parts, and may share the blocks
	for err == nil && ctx.Err() == nil {
		_, err = io.CopyN(out, in, part)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if err = errors.Join(err, ctx.Err(), out.Close()); err != nil {
		return fmt.Errorf("copying %s: %w", from, err)
	}
	return nil
}
