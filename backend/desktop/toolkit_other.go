//go:build !windows && (!linux || !cgo || headless)

package desktop

import (
	"context"

	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// configure has Wails open a window maximised that was.
func configure(o *options.App, p place) {
	if p.Maximised {
		o.WindowStartState = options.Maximised
	}
}

// look asks Wails what it knows of the window: not where on the desktop it is, only where on its display, so that its
// place is left to the system.
func look(ctx context.Context) (view, bool) {
	width, height := runtime.WindowGetSize(ctx)
	return view{
		place: place{Width: width, Height: height, Maximised: runtime.WindowIsMaximised(ctx)},
		away:  runtime.WindowIsMinimised(ctx) || runtime.WindowIsFullscreen(ctx),
	}, true
}

// put has nothing to do: Wails has opened the window like that.
func put(context.Context, place) {}

// setDark has nothing to do: the page asks the system itself.
func setDark(bool) {}
