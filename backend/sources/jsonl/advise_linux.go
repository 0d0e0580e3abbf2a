package jsonl

import (
	"os"

	"golang.org/x/sys/unix"
)

// inParts tells the system that parts of a file are read: else it reads on behind each, far more than is wanted.
func inParts(file *os.File) {
	_ = unix.Fadvise(int(file.Fd()), 0, 0, unix.FADV_RANDOM) // it is only slower
}

// willRead has the system begin to read a part of a file.
func willRead(file *os.File, from, length int64) {
	_ = unix.Fadvise(int(file.Fd()), from, length, unix.FADV_WILLNEED) // it is only slower
}
