//go:build !windows

package desktop

// Complain has nothing to add to what the program says on its terminal.
func Complain(error) {}
