package library

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	// unused is how long a reading stays that nobody asks for, and bytesMost how much all of them take.
	unused    = 30 * 24 * time.Hour
	bytesMost = 4 << 30
	// sweepEvery is how often they are looked through.
	sweepEvery = 24 * time.Hour
	// usedEvery is how exactly it is known when a reading was used.
	usedEvery = time.Hour
)

// use notes that a reading is used.
func (l *Library) use(id string) {
	path := filepath.Join(l.dir(id), slipName)
	if info, err := os.Stat(path); err == nil && since(info.ModTime()) > usedEvery {
		now := time.Now()
		l.warnIf(os.Chtimes(path, now, now))
	}
}

// forget removes the readings of a session that are of what it was before. Whoever has one open keeps it.
func (l *Library) forget(id string) {
	for _, other := range l.kinOf(id) {
		if other != id {
			_ = os.RemoveAll(l.dir(other)) // where a file that is open can't be removed, the sweep does it later
		}
	}
}

// sweep removes what nobody uses, once in the life of a library and at most once a day.
func (l *Library) sweep() {
	l.swept.Do(func() {
		marker := filepath.Join(l.store.Home(), "swept")
		if info, err := os.Stat(marker); err == nil && since(info.ModTime()) < sweepEvery {
			return
		}
		if os.WriteFile(marker, nil, 0o600) != nil {
			return
		}
		if end, ok := l.begin(); ok {
			go func() {
				defer end()
				l.warnIf(l.sweepOnce(time.Now(), bytesMost))
			}()
		}
	})
}

// kept is a reading that is looked at by the sweep.
type kept struct {
	dir   string
	used  time.Time
	bytes int64
}

// sweepOnce removes readings that were not used for long, then the ones used least lately until the rest is within its bound.
func (l *Library) sweepOnce(now time.Time, most int64) error {
	root := filepath.Join(l.store.Home(), "sessions")
	entries, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var all []kept
	for _, entry := range entries {
		if l.ctx.Err() != nil || strings.HasPrefix(entry.Name(), ".") {
			continue // those in the making have a sweep of their own
		}
		all = append(all, sizeOf(filepath.Join(root, entry.Name())))
	}
	slices.SortFunc(all, func(a, b kept) int { return b.used.Compare(a.used) })
	var errs []error
	total := int64(0)
	for _, r := range all {
		total += r.bytes
		if l.ctx.Err() == nil && (total > most || now.Sub(r.used) > unused) {
			errs = append(errs, os.RemoveAll(r.dir))
		}
	}
	return errors.Join(append(errs, l.sweepCopies(now))...)
}

// sweepCopies removes copies of databases that a killed process left.
func (l *Library) sweepCopies(now time.Time) error {
	entries, err := os.ReadDir(l.env.Temp)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	errs := []error{err}
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && now.Sub(info.ModTime()) > sweepEvery {
			errs = append(errs, os.RemoveAll(filepath.Join(l.env.Temp, entry.Name())))
		}
	}
	return errors.Join(errs...)
}

func sizeOf(dir string) kept {
	r := kept{dir: dir}
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil //nolint:nilerr // what can't be looked at takes no room that could be told
		}
		info, err := entry.Info()
		if err != nil {
			return nil //nolint:nilerr // as above
		}
		if entry.Name() == slipName {
			r.used = info.ModTime()
		}
		r.bytes += info.Size()
		return nil
	})
	return r
}
