package backend

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/robustio"

	"palimpsest/backend/forgets"
	"palimpsest/backend/session"
)

const (
	// lastRows is how many rows of a list are kept: more than any window shows at first.
	lastRows = 200
	// lastWait bounds the last look at all sessions: a program that is to end does, also where a folder does not answer.
	lastWait = time.Second
)

// lastList is the beginning of the list of all sessions as it was told last. It is kept beside the index, for the next window that opens:
// to look for all sessions takes longer than the first of them should be waited for. Whatever takes a session away removes it.
type lastList struct {
	path string // empty keeps none
	// mu is held while the file is written, and read to find out whether it has to be.
	mu   sync.Mutex
	work sync.WaitGroup
	// told is when the list was begun that was told last, nil if none was.
	told *listMoment
	// forgets is counted up by whatever program takes something away.
	forgets forgets.Count
	ended   sync.Once
}

// listMoment is when a list was begun: behind how many news, and how often something had been taken away.
type listMoment struct{ news, forgets int64 }

// lastListFile is what the file holds, as this version of the program wrote it.
type lastListFile struct {
	Version string    `json:"version"`
	Total   int       `json:"total"`
	Rows    []Session `json:"rows"`
}

// LastList is the beginning of the list of all sessions, archived ones too, as it was when somebody asked for it last, and how many there
// were: something to look at while it is read. Of a short list, and where none was kept, there is nothing.
func (b *Backend) LastList() (rows []Session, total int) {
	if b.lastList.path == "" {
		return nil, 0
	}
	var kept lastListFile
	data, err := os.ReadFile(b.lastList.path)
	if err != nil || json.Unmarshal(data, &kept) != nil || kept.Version != Version {
		return nil, 0 // who asks does without
	}
	return kept.Rows, kept.Total
}

// isWhole tells whether a list is that of all sessions.
func (o *ListOptions) isWhole() bool {
	return o.Archived && !o.Trash && !o.Subagents && !o.Filters() && o.Query == "" && o.Limit == 0
}

// listMoment is now.
func (b *Backend) listMoment() listMoment {
	return listMoment{b.news.count(), b.lastList.forgets.Now()}
}

// keep keeps the beginning of a list in the background.
func (l *lastList) keep(list []Session, began listMoment, warn func(error)) {
	if l.path == "" {
		return
	}
	kept := lastListFile{Version, len(list), slices.Clone(list[:min(len(list), lastRows)])}
	l.work.Go(func() {
		if err := l.write(&kept, began); err != nil {
			warn(fmt.Errorf("keeping the beginning of the list: %w", err))
		}
	})
}

// write writes the file, and removes it again if it may have what was taken away meanwhile, by whatever program.
func (l *lastList) write(kept *lastListFile, began listMoment) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.told = &began
	err := l.replace(kept)
	if l.forgets.Now() != began.forgets {
		return l.remove()
	}
	return err
}

// replace writes the file if it is another one; none for a list that is read at once. The caller holds mu.
func (l *lastList) replace(kept *lastListFile) error {
	if kept.Total <= lastRows {
		return l.remove()
	}
	data, err := json.Marshal(kept)
	if err != nil {
		return err //nolint:wrapcheck // its caller's caller does
	}
	if before, err := os.ReadFile(l.path); err == nil && bytes.Equal(before, data) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return err
	}
	if err := session.ReplaceFile(l.path, data); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil // another program removed it while it was written
}

// drop removes the file: it tells of sessions that are to be told of no more.
func (l *lastList) drop(ids ...string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return errors.Join(l.forgets.Add(ids...), l.remove())
}

// remove removes the file, and what another program writes that is to be the next one, or was when it was killed. The caller holds mu.
func (l *lastList) remove() error {
	if l.path == "" {
		return nil
	}
	dir, name := filepath.Split(l.path)
	some, err := fs.Glob(os.DirFS(dir), name+"*")
	errs := []error{err}
	for _, one := range some {
		errs = append(errs, robustio.RemoveAll(filepath.Join(dir, one)))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("removing the beginning of the list as it was last: %w", err)
	}
	return nil
}

// isOld tells whether anything has happened since the list was begun that was told last.
func (l *lastList) isOld(now listMoment) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.told != nil && *l.told != now
}

// closeList keeps the list as it is in the end, if it is not as it was told last.
//
//nolint:contextcheck,nolintlint // its callers need not pass a context: the program ends, and waits for it so long
func (b *Backend) closeList() {
	b.lastList.ended.Do(func() { // the index is closed behind it
		b.lastList.work.Wait() // what is told last is known then
		if b.lastList.isOld(b.listMoment()) {
			ctx, cancel := context.WithTimeout(context.Background(), lastWait)
			defer cancel()
			_, _ = b.List(ctx, ListOptions{Archived: true, Quick: true}) // else the next window has the one that was told last, or none
			b.lastList.work.Wait()
		}
	})
}
