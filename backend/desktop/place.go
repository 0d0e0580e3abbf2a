package desktop

// The window's sizes: the one it has at first, and the least that its layout can do with.
const (
	firstWidth, firstHeight = 1440, 900
	minWidth, minHeight     = 700, 480
)

// place is where the window is and how large, when it is neither maximised nor minimised; Maximised says what it was in
// the end. Without Placed the desktop puts it where it likes: Wayland neither tells nor asks.
type place struct {
	Width     int  `json:"width"`
	Height    int  `json:"height"`
	X         int  `json:"x"`
	Y         int  `json:"y"`
	Placed    bool `json:"placed"`
	Maximised bool `json:"maximised"`
}

// display is the part of the desktop that one screen shows.
type display struct{ X, Y, Width, Height int }

// view is the window as the desktop has it at one moment. A window that is away (minimised, full screen or not shown)
// has a size and place that say nothing.
type view struct {
	place
	away     bool
	displays []display
}

// sensible says whether a window of this size and place can have been on some desktop. Windows puts minimised windows
// at -32000.
func (p place) sensible() bool {
	const far = 1 << 14
	within := func(v, from int) bool { return v >= from && v < far }
	return within(p.Width, minWidth) && within(p.Height, minHeight) &&
		(!p.Placed || within(p.X, -far) && within(p.Y, -far))
}

// begun is the place to open at, given what was kept.
func begun(kept place) place {
	if !kept.sensible() {
		return place{Width: firstWidth, Height: firstHeight}
	}
	return kept
}

// next is the place to keep once the window is seen as v. A maximised window keeps the size it goes back to.
func (p place) next(v view) place {
	switch {
	case v.away:
		return p
	case v.Maximised:
		p.Maximised = true
		return p
	case !v.sensible():
		return p
	}
	return v.place
}

// fit makes p one that can be seen and reached on these displays: no larger than the one it is on, and left to the
// desktop where its upper edge, by which a window is moved, is on none.
func (p place) fit(displays []display) place {
	if len(displays) == 0 {
		return p
	}
	on, reachable := displays[0], false
	for _, d := range displays {
		if p.reachable(d) {
			on, reachable = d, true
			break
		}
	}
	p.Placed = p.Placed && reachable
	p.Width = max(minWidth, min(p.Width, on.Width))
	p.Height = max(minHeight, min(p.Height, on.Height))
	return p
}

// reachable says whether enough of the upper edge is on d for a hand to take it.
func (p place) reachable(d display) bool {
	const width, height = 96, 24
	across := min(p.X+p.Width, d.X+d.Width) - max(p.X, d.X)
	return across >= width && p.Y >= d.Y && p.Y+height <= d.Y+d.Height
}
