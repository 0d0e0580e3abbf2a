package session

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"palimpsest/backend/record"
)

// Writer is a session's one writer for longer than a batch: for a turn. Names and archiving don't wait for it; whatever
// else writes to the session does.
type Writer struct {
	store   *Store
	id      string
	release func()

	mu     sync.Mutex // between an append and a change of metadata
	closed bool
}

// writers are those of this process that are open.
type writers struct {
	mu   sync.Mutex
	byID map[string]*Writer
}

func (w *writers) put(id string, open *Writer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.byID == nil {
		w.byID = map[string]*Writer{}
	}
	w.byID[id] = open
}

func (w *writers) remove(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.byID, id)
}

func (w *writers) of(id string) *Writer {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.byID[id]
}

// Writer makes the caller the session's one writer until it closes it. It waits as [Store.Lock] does.
func (s *Store) Writer(ctx context.Context, id string) (*Writer, error) {
	release, err := s.Lock(ctx, id)
	if err != nil {
		return nil, err
	}
	w := &Writer{store: s, id: id, release: release}
	s.writers.put(id, w)
	return w, nil
}

// Append writes a batch of records as [Store.Append] does.
func (w *Writer) Append(batch []record.Draft) ([]int64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, fmt.Errorf("session %s: %w", w.id, errClosed)
	}
	return w.store.appendLocked(w.id, batch)
}

var errClosed = errors.New("writing to it has ended")

// Close lets others write. Closing again does nothing.
func (w *Writer) Close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	w.closed = true
	w.store.writers.remove(w.id)
	w.release()
}

// hold takes a session's lock for a change of metadata. Where a writer of this process has it, it is shared between two
// of its appends, so that a session can be renamed while it is talked to.
func (s *Store) hold(ctx context.Context, id string) (release func(), err error) {
	if w := s.writers.of(id); w != nil {
		w.mu.Lock()
		if !w.closed {
			return w.mu.Unlock, nil
		}
		w.mu.Unlock()
	}
	return s.Lock(ctx, id)
}
