//go:build unix

package cli

import (
	"os/signal"
	"syscall"
)

// A script makes a full disk out of `ulimit -f`. Unless it is ignored, the signal that comes with it ends a Go program.
func init() { signal.Ignore(syscall.SIGXFSZ) }
