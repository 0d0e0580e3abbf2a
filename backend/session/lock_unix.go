//go:build unix

package session

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// The lock is flock(2) on the file `lock`, the gate flock(2) on the session's directory.

// tryLock takes the lock if nobody has it and nobody waits at the gate.
func tryLock(file *os.File, dir string) (bool, error) {
	gate, err := os.Open(dir)
	if err != nil {
		return false, err
	}
	defer closeQuietly(gate)
	if ok, err := tryFlock(gate); !ok && err == nil {
		return false, nil
	}
	return tryFlock(file)
}

func tryFlock(file *os.File) (bool, error) {
	err := flock(file, unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// lockThroughGate waits for the gate, and holding it for the lock.
func lockThroughGate(file *os.File, dir string) error {
	gate, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer closeQuietly(gate)
	// Filesystems that can't lock directories do without the gate: then the lock is safe, only not fair.
	if err := flock(gate, unix.LOCK_EX); err != nil && !errors.Is(err, unix.EBADF) && !errors.Is(err, unix.ENOTSUP) {
		return err
	}
	return flock(file, unix.LOCK_EX)
}

func flock(file *os.File, how int) error {
	for {
		err := unix.Flock(int(file.Fd()), how)
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// release gives the lock back by closing the file, without its holder's name.
func release(file *os.File) {
	unsign(file)
	closeQuietly(file)
}

// closeQuietly closes a file that nothing was written to that matters.
func closeQuietly(file *os.File) {
	_ = file.Close() // a lock file or a directory: there is nothing to lose
}
