package desktop

import (
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	registerClass = user32.NewProc("RegisterClassExW")
	createWindow  = user32.NewProc("CreateWindowExW")
	showWindow    = user32.NewProc("ShowWindow")
	defWindowProc = user32.NewProc("DefWindowProcW")
	destroyWindow = user32.NewProc("DestroyWindow")
)

// class is WNDCLASSEXW.
type class struct {
	size, style                        uint32
	proc                               uintptr
	classExtra, windowExtra            int32
	instance, icon, cursor, background uintptr
	menu, name                         *uint16
	smallIcon                          uintptr
}

// TestPlacement moves a window of our own as the program's is moved.
func TestPlacement(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	name, err := windows.UTF16PtrFromString(windowClass)
	if err != nil {
		t.Fatal(err)
	}
	c := class{proc: defWindowProc.Addr(), name: name}
	c.size = uint32(unsafe.Sizeof(c))
	if ok, _, err := registerClass.Call(uintptr(unsafe.Pointer(&c))); ok == 0 {
		t.Fatal(err)
	}
	const overlapped, ten = 0x00cf0000, 10
	window, _, err := createWindow.Call(0, uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(name)), overlapped,
		ten, ten, 800, 600, 0, 0, 0, 0)
	if window == 0 {
		t.Fatal(err)
	}
	defer func() { _, _, _ = destroyWindow.Call(window) }()
	if found := theWindow(); found != windows.HWND(window) {
		t.Fatalf("found window %x, not %x", found, window)
	}

	want := place{Width: 720, Height: 500, X: 40, Y: 30, Placed: true}
	putWindow(theWindow(), want)
	if windows.IsWindowVisible(theWindow()) {
		t.Error("a window without a page is shown")
	}
	_, _, _ = showWindow.Call(window, swShowNormal)
	if seen, ok := placed(theWindow()); !ok || seen.place != want || seen.away {
		t.Errorf("put at %+v, seen at %+v (%v)", want, seen, ok)
	}
	want.Maximised = true
	putWindow(theWindow(), want)
	if seen, ok := placed(theWindow()); !ok || seen.place != want {
		t.Errorf("put at %+v, seen at %+v (%v)", want, seen, ok)
	}
	_, _, _ = showWindow.Call(window, swShowMinimised)
	if seen, ok := placed(theWindow()); !ok || !seen.away {
		t.Errorf("a minimised window is seen at %+v (%v)", seen, ok)
	}
}
