//go:build !windows

package borrow

import (
	"errors"
	"os"
	"syscall"
)

// ReadFile reads a regular file with half of the calls that [os.ReadFile] takes, and waits for none that is a pipe: a list reads thousands.
// So it does without an [os.File], which costs another call and as much memory as such a file has text.
func ReadFile(path string) ([]byte, error) {
	fd, err := patient(func() (int, error) { return syscall.Open(path, ReadOnly|syscall.O_CLOEXEC, 0) })
	if errors.Is(err, syscall.EAGAIN) { // who has a lease on it is waited for
		fd, err = patient(func() (int, error) { return syscall.Open(path, os.O_RDONLY|syscall.O_CLOEXEC, 0) })
	}
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer func() { _ = syscall.Close(fd) }() // opened for reading
	var stat syscall.Stat_t
	if _, err := patient(func() (int, error) { return 0, syscall.Fstat(fd, &stat) }); err != nil {
		return nil, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	if stat.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return nil, irregular(path)
	}
	data := make([]byte, 0, stat.Size+1) // room to see that there is no more
	for {
		n, err := patient(func() (int, error) { return syscall.Read(fd, data[len(data):cap(data)]) })
		if err != nil {
			return nil, &os.PathError{Op: "read", Path: path, Err: err}
		}
		data = data[:len(data)+n]
		if n == 0 || int64(len(data)) == stat.Size {
			return data, nil
		}
		if len(data) == cap(data) { // it has grown
			data = append(data, 0)[:len(data)]
		}
	}
}

// patient makes a call again that a signal has ended.
func patient(call func() (int, error)) (n int, err error) {
	for {
		if n, err = call(); !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
