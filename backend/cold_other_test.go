//go:build !linux

package backend

import "testing"

// forgetFiles would take files out of the system's memory.
func forgetFiles(b *testing.B, _ ...string) {
	b.Helper()
	b.Skip("only on Linux a program can have the system forget files")
}
