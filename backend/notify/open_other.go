//go:build !(darwin || dragonfly || freebsd || netbsd || openbsd)

package notify

// open is nil where a folder that is watched takes no open file.
var open *descriptors
