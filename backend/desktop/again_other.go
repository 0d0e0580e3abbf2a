//go:build !linux

package desktop

import "errors"

// startAgain and endWebKit are for WebKitGTK's troubles only.
func startAgain([]setting) error { return errors.ErrUnsupported }
func endWebKit()                 {}
