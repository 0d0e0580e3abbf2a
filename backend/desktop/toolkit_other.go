//go:build !linux || !cgo || headless

package desktop

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// look asks Wails what it knows of the window: not where the displays are, and not where the window is in a way that it
// could be put there again, so that its place is left to the system.
func look(ctx context.Context) (view, bool) {
	width, height := runtime.WindowGetSize(ctx)
	return view{
		place: place{Width: width, Height: height, Maximised: runtime.WindowIsMaximised(ctx)},
		away:  runtime.WindowIsMinimised(ctx) || runtime.WindowIsFullscreen(ctx),
	}, true
}

// put brings a window to the size that it goes back to; Wails has opened it like that, but for this.
func put(ctx context.Context, p place) {
	if p.Maximised {
		runtime.WindowMaximise(ctx)
	}
}

// setDark has nothing to do: the page asks the system itself.
func setDark(bool) {}
