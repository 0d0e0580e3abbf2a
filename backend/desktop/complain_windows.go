package desktop

import "golang.org/x/sys/windows"

// Complain shows why there is no window, if err says so: a program for the desktop has no terminal to say it on.
func Complain(err error) {
	if err == nil {
		return
	}
	text, textErr := windows.UTF16PtrFromString(err.Error())
	title, titleErr := windows.UTF16PtrFromString("Palimpsest")
	if textErr == nil && titleErr == nil {
		_, _ = windows.MessageBox(0, text, title, windows.MB_OK|windows.MB_ICONERROR) // there is nobody else to tell
	}
}
