//go:build unix

package backend

import (
	"errors"
	"os"
	"sync"
	"syscall"
	"testing"

	"palimpsest/backend/library"
	"palimpsest/backend/sources/pi"
	"palimpsest/backend/sources/sourcetest"
)

// TestAPipeInItsPlace: a session that was read, and in whose place there is a pipe now, is not waited for.
func TestAPipeInItsPlace(t *testing.T) {
	home := t.TempDir()
	path := sourcetest.Write(t, home, piPlace, piSession())
	b := staying(t, home, pi.Source{})
	ref := library.Ref{Agent: "pi", ID: "s1"}
	_, err := b.library.Read(t.Context(), ref)
	newsMust(t, err)
	newsMust(t, errors.Join(os.Remove(path), syscall.Mkfifo(path, 0o600)))
	var wg sync.WaitGroup
	var mu sync.Mutex
	over := false
	wg.Go(func() { // who reads it gets nothing, and is told of
		pipe, err := os.OpenFile(path, os.O_WRONLY, 0)
		mu.Lock()
		defer mu.Unlock()
		if err == nil && !over {
			t.Error("it was opened")
		}
		_ = pipe.Close() // nothing was written
	})
	if _, err = b.library.Read(t.Context(), ref); err == nil {
		t.Error("a pipe is a session")
	}
	mu.Lock()
	over = true
	mu.Unlock()
	pipe, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	newsMust(t, err)
	wg.Wait()
	newsMust(t, pipe.Close())
}
