package session

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Windows locks are mandatory, so the lock and the gate are one byte each far behind anything the file holds, and the
// holder's name stays readable.
const (
	lockByte = 1 << 30
	gateByte = lockByte + 1
)

// tryLock takes the lock if nobody has it and nobody waits at the gate.
func tryLock(file *os.File, _ string) (bool, error) {
	const now = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := lockAt(file, gateByte, now)
	if err == nil {
		defer unlockAt(file, gateByte)
		err = lockAt(file, lockByte, now)
	}
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}

// lockThroughGate waits for the gate, and holding it for the lock.
func lockThroughGate(file *os.File, _ string) error {
	if err := lockAt(file, gateByte, windows.LOCKFILE_EXCLUSIVE_LOCK); err != nil {
		return err
	}
	defer unlockAt(file, gateByte)
	return lockAt(file, lockByte, windows.LOCKFILE_EXCLUSIVE_LOCK)
}

func lockAt(file *os.File, offset uint32, flags uint32) error {
	return windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, &windows.Overlapped{Offset: offset})
}

func unlockAt(file *os.File, offset uint32) {
	// Closing the file unlocks as well; here it only comes earlier.
	_ = windows.UnlockFileEx(windows.Handle(file.Fd()), 0, 1, 0, &windows.Overlapped{Offset: offset})
}

// release gives the lock back.
func release(file *os.File) {
	unsign(file)
	unlockAt(file, lockByte)
	closeQuietly(file)
}

// closeQuietly closes a file that nothing was written to that matters.
func closeQuietly(file *os.File) {
	_ = file.Close() // a lock file: there is nothing to lose
}
