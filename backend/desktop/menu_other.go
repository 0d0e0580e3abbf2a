//go:build !windows && (!linux || !cgo || headless)

package desktop

// setMenu has nothing to do: here menus can only be built anew, which would close one that is open.
func setMenu([]Item) {}
