//go:build unix

package session

import "golang.org/x/sys/unix"

// mayWrite asks the system; it says no on file systems that are mounted read-only, too.
func mayWrite(path string) bool { return unix.Access(path, unix.W_OK) == nil }
