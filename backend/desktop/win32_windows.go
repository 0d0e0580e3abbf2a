package desktop

import (
	"context"
	"os"
	"unsafe"

	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/runtime"
	"golang.org/x/sys/windows"
)

// windowClass is the one that Wails gives its windows.
const windowClass = "wailsWindow"

// Ways to show a window, in the numbers of Windows.
const (
	swHide          = 0
	swShowNormal    = 1
	swShowMinimised = 2
	swShowMaximised = 3
)

// placement is WINDOWPLACEMENT. Its normal rectangle is where a window goes back to, in the same coordinates whether
// it is asked for or given.
type placement struct {
	length, flags, show uint32
	minimised, maximum  [2]int32
	normal              windows.Rect
}

var (
	user32       = windows.NewLazySystemDLL("user32.dll")
	getPlacement = user32.NewProc("GetWindowPlacement")
	setPlacement = user32.NewProc("SetWindowPlacement")
)

// isOurs looks for the program's window; a callback is never given back, so there is one for all.
var isOurs = windows.NewCallback(func(window windows.HWND, found *windows.HWND) uintptr {
	var process uint32
	var name [len(windowClass) + 2]uint16
	// What can't be told stays zero, and matches nothing.
	_, _ = windows.GetWindowThreadProcessId(window, &process)
	_, _ = windows.GetClassName(window, &name[0], int32(len(name)))
	if process != uint32(os.Getpid()) || windows.UTF16ToString(name[:]) != windowClass {
		return 1 // go on
	}
	*found = window
	return 0
})

func theWindow() (window windows.HWND) {
	_ = windows.EnumWindows(isOurs, unsafe.Pointer(&window)) // it calls being stopped an error
	return window
}

// configure has Wails show a window maximised that was.
func configure(o *options.App, p place) {
	if p.Maximised {
		o.WindowStartState = options.Maximised
	}
}

// look asks Windows, since Wails' positions can't be given back as they were taken.
func look(ctx context.Context) (view, bool) {
	seen, ok := placed(theWindow())
	seen.away = seen.away || ok && runtime.WindowIsFullscreen(ctx)
	return seen, ok
}

func placed(window windows.HWND) (view, bool) {
	p := placement{length: uint32(unsafe.Sizeof(placement{}))}
	if ok, _, _ := getPlacement.Call(uintptr(window), uintptr(unsafe.Pointer(&p))); ok == 0 {
		return view{}, false
	}
	return view{
		place: place{
			Width: int(p.normal.Right - p.normal.Left), Height: int(p.normal.Bottom - p.normal.Top),
			X: int(p.normal.Left), Y: int(p.normal.Top), Placed: true, Maximised: p.show == swShowMaximised,
		},
		away: p.show == swShowMinimised || p.show == swHide,
	}, true
}

// put brings the window where it was. Windows itself sees to it that it can be seen.
func put(_ context.Context, p place) { putWindow(theWindow(), p) }

func putWindow(window windows.HWND, p place) {
	if !p.Placed {
		return
	}
	to := placement{length: uint32(unsafe.Sizeof(placement{})), show: swHide} // Wails shows it when there is a page
	if windows.IsWindowVisible(window) {
		to.show = swShowNormal
		if p.Maximised {
			to.show = swShowMaximised
		}
	}
	to.normal = windows.Rect{Left: int32(p.X), Top: int32(p.Y), Right: int32(p.X + p.Width), Bottom: int32(p.Y + p.Height)}
	_, _, _ = setPlacement.Call(uintptr(window), uintptr(unsafe.Pointer(&to))) // else it stays where the system put it
}

// setDark has nothing to do: the page asks the system itself.
func setDark(bool) {}
