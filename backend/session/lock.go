package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Locking has two levels, both first come, first served. Within this process a session has a queue: a channel of one
// place, whose waiters Go serves in order. Against other processes there is an advisory lock on the file `lock`, taken
// with a blocking call: a polled lock starves against a writer that comes back at once.
//
// Blocking alone does not make it fair: a process that releases and asks again is usually running already when the
// waiter is woken, and wins. So there is a gate before the lock. Who waits for the lock holds the gate; who comes back
// has to wait at the gate until the waiter has got in.

func (h Holder) String() string {
	if h.PID == 0 {
		return "another process"
	}
	return fmt.Sprintf("process %d on %s, since %s", h.PID, h.Host, h.Since)
}

// queues gives each session of this process its place in line.
type queues struct {
	mu   sync.Mutex
	byID map[string]chan struct{}
}

func (q *queues) of(id string) chan struct{} {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.byID == nil {
		q.byID = map[string]chan struct{}{}
	}
	if q.byID[id] == nil {
		q.byID[id] = make(chan struct{}, 1)
	}
	return q.byID[id]
}

// Lock makes the caller the session's one writer until it calls release. It waits as long as the store's Wait allows
// or ctx does, then returns [ErrBusy] naming the holder.
func (s *Store) Lock(ctx context.Context, id string) (release func(), err error) {
	dir, err := s.existing(id)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(s.LogPath(id)); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("session %s has no log: %w", id, ErrNotFound)
	}
	queue := s.queues.of(id)
	limited, cancel := context.WithTimeout(ctx, s.wait)
	defer cancel()
	if err := enter(limited, queue); err != nil {
		return nil, whyNot(ctx, "session "+id, fmt.Errorf("session %s is %w: a turn or another task of this program is writing to it", id, ErrBusy))
	}
	unlock, err := lockDir(limited, dir)
	if err != nil {
		<-queue
		return nil, whyNot(ctx, "session "+id, fmt.Errorf("session %s: %w", id, err))
	}
	return func() {
		unlock()
		<-queue
	}, nil
}

// LockImports makes the caller the only one that imports: two that bring the same session would each make a copy of it.
func (s *Store) LockImports(ctx context.Context) (release func(), err error) {
	return s.lockShared(ctx, s.home, "importing")
}

// lockShared takes the lock of a directory that is no session's, and is made for it.
func (s *Store) lockShared(ctx context.Context, dir, what string) (release func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making %s (nothing was changed): %w", dir, err)
	}
	queue := s.queues.of(dir) // which is no id
	limited, cancel := context.WithTimeout(ctx, s.wait)
	defer cancel()
	if err := enter(limited, queue); err != nil {
		return nil, whyNot(ctx, what, fmt.Errorf("%s: %w: another task of this program is at it", what, ErrBusy))
	}
	unlock, err := lockDir(limited, dir)
	if err != nil {
		<-queue
		return nil, whyNot(ctx, what, fmt.Errorf("%s: %w", what, err))
	}
	return func() {
		unlock()
		<-queue
	}, nil
}

// enter takes the place in line: at once if it is free, even if there is no time left to wait.
func enter(ctx context.Context, queue chan struct{}) error {
	select {
	case queue <- struct{}{}:
		return nil
	default:
	}
	select {
	case queue <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// whyNot is the caller's own reason for giving up, if it has one, else err.
func whyNot(ctx context.Context, what string, err error) error {
	if ctx.Err() != nil && errors.Is(err, ErrBusy) {
		return fmt.Errorf("%s: waiting for its lock: %w", what, ctx.Err())
	}
	return err
}

// lockDir takes the lock of a session directory against other processes.
func lockDir(ctx context.Context, dir string) (unlock func(), err error) {
	file, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("its directory has vanished: %w", ErrNotFound)
		}
		return nil, fmt.Errorf("taking its lock (nothing was changed): %w", err)
	}
	if err := acquire(ctx, file, dir); err != nil {
		return nil, err
	}
	if !sameFile(file, filepath.Join(dir, "lock")) {
		release(file)
		return nil, fmt.Errorf("its directory has vanished: %w", ErrNotFound)
	}
	sign(file)
	return func() { release(file) }, nil
}

// acquire waits for the lock. The blocking call can't be called off, so on a timeout it is left to a goroutine that
// gives the lock back as soon as it comes; it ends when the holder lets go, or with this process.
func acquire(ctx context.Context, file *os.File, dir string) error {
	if ok, err := tryLock(file, dir); ok || err != nil {
		if err != nil {
			closeQuietly(file)
			return fmt.Errorf("taking its lock (nothing was changed): %w", err)
		}
		return nil
	}
	// Unbuffered: the lock is handed over or, once abandoned, given back; it can't get lost in between.
	got := make(chan error)
	abandoned := make(chan struct{})
	go func() {
		err := lockThroughGate(file, dir)
		select {
		case got <- err:
		case <-abandoned:
			if err == nil {
				release(file)
				return
			}
			closeQuietly(file)
		}
	}()
	select {
	case err := <-got:
		if err != nil {
			closeQuietly(file)
			return fmt.Errorf("taking its lock (nothing was changed): %w", err)
		}
		return nil
	case <-ctx.Done():
		close(abandoned)
		return fmt.Errorf("%w: %s is writing to it", ErrBusy, readHolder(filepath.Join(dir, "lock")))
	}
}

// sign writes who holds the lock. Failing to is no reason not to work: the name is for messages only.
func sign(file *os.File) {
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	text, err := json.Marshal(Holder{PID: os.Getpid(), Host: host, Since: time.Now().UTC().Format(time.RFC3339)})
	if err != nil {
		return
	}
	if _, err := file.WriteAt(append(text, '\n'), 0); err == nil {
		_ = file.Truncate(int64(len(text) + 1)) // see above
	}
}

// unsign takes the name away, so that another program that locks the file without signing is not taken for us.
func unsign(file *os.File) {
	_ = file.Truncate(0) // the name is for messages only
}

func readHolder(path string) Holder {
	var h Holder
	text, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(text, &h) != nil {
		return Holder{}
	}
	return h
}

// sameFile tells whether the open file is still the one at path: a session may have been moved to the trash, and
// another made in its place, while its lock was waited for.
func sameFile(file *os.File, path string) bool {
	open, err := file.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(open, there)
}

// TryLock takes the lock on a directory that is not a session's, if nobody has it: not ok if somebody does. The directory is made if it
// is not there.
func TryLock(dir string) (unlock func(), ok bool, err error) {
	var file *os.File
	if err = os.MkdirAll(dir, 0o700); err == nil {
		file, err = os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	}
	if err != nil {
		return nil, false, fmt.Errorf("taking the lock of %s: %w", dir, err)
	}
	if ok, err = tryLock(file, dir); !ok || err != nil {
		closeQuietly(file)
		return nil, false, err
	}
	sign(file)
	return func() { release(file) }, true, nil
}
