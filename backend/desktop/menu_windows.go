package desktop

import "golang.org/x/sys/windows"

// How an item stands, in the numbers of Windows.
const (
	byPosition = 0x400
	grayed     = 0x1
)

var (
	getMenu    = user32.NewProc("GetMenu")
	getSubMenu = user32.NewProc("GetSubMenu")
	enableItem = user32.NewProc("EnableMenuItem")
)

func setMenu(items []Item) { setMenuOf(theWindow(), items) }

// setMenuOf may be called on any thread: the menus of a process are all of its threads'.
func setMenuOf(window windows.HWND, items []Item) {
	bar, _, _ := getMenu.Call(uintptr(window))
	if bar == 0 {
		return
	}
	for _, item := range items {
		how := uintptr(byPosition)
		if !item.On {
			how |= grayed
		}
		if menu, _, _ := getSubMenu.Call(bar, uintptr(item.Menu)); menu != 0 {
			_, _, _ = enableItem.Call(menu, uintptr(item.Item), how) // it tells how the item was before
		}
	}
}
