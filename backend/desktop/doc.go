// Package desktop keeps the window on good terms with the desktop around it: it opens where it was and as large as it
// was, it is as light or dark as the desktop, and on Linux it notices when a graphics driver leaves it blank.
//
// Decisions are functions of values (renderer.go, place.go, scheme.go) and know no toolkit. What touches one is thin: GTK
// in gtk_linux.go, Windows in win32_windows.go, Wails' own runtime elsewhere. Small facts that outlive the program are in
// its folder of the user's state directory, one JSON file each; a file that is missing or makes no sense is as good as
// none.
package desktop
