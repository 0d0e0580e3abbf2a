package desktop

// Item is one of the window's menus: where it stands, counted from 0 with separators, and whether it can be used.
type Item struct {
	Menu, Item int
	On         bool
}

// SetMenu greys out the items of the window's menus that can't be used, and only those. What stands elsewhere than is said
// stays as it is; where a system's menus can't be changed item by item, all do.
func SetMenu(items []Item) { setMenu(items) }
