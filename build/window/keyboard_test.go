//go:build window

package window

import (
	"errors"
	"fmt"
)

// Opcodes and constants of the X11 protocol and its XTEST extension.
const (
	opGetAttributes  = 3
	opSetInputFocus  = 42
	opQueryExtension = 98

	xtestFakeInput  = 2
	keyPress        = 2
	keyRelease      = 3
	revertToPointer = 1
	mapStateAt      = 26 // in the answer to opGetAttributes
	viewable        = 2
)

// keycodes are those of the keyboard that Xvfb starts with.
var keycodes = map[rune]byte{'h': 43, 'i': 31, '\n': 36}

// typeKeys presses keys, as a user at the keyboard does.
func (d *display) typeKeys(text string) error {
	name := "XTEST"
	data := le.AppendUint16(nil, uint16(len(name)))
	head, _, err := d.ask(opQueryExtension, 0, append(append(data, 0, 0), name...))
	if err != nil {
		return err
	}
	if head[8] == 0 {
		return errors.New("the display has no XTEST extension")
	}
	for _, r := range text {
		code, ok := keycodes[r]
		if !ok {
			return fmt.Errorf("no keycode for %q is known", r)
		}
		for _, kind := range []byte{keyPress, keyRelease} {
			input := make([]byte, 32)
			input[0], input[1] = kind, code
			if err := d.send(head[9], xtestFakeInput, input); err != nil {
				return err
			}
		}
	}
	_, err = d.atom(name) // a round trip, so that all of it has arrived
	return err
}

// activate gives the program's window the keyboard, as a window manager does.
func (d *display) activate() error {
	windows, err := d.windows()
	if err != nil {
		return err
	}
	for _, window := range windows {
		head, _, err := d.ask(opGetAttributes, 0, le.AppendUint32(nil, window))
		if err != nil {
			return err
		}
		if head[mapStateAt] != viewable {
			continue
		}
		if err := d.send(opSetInputFocus, revertToPointer, le.AppendUint32(le.AppendUint32(nil, window), 0)); err != nil {
			return err
		}
	}
	_, err = d.atom("WM_PROTOCOLS") // a round trip
	return err
}

// focus puts the cursor into n.
func (s *screenReader) focus(n *node) error {
	var done bool
	err := s.bus.Object(n.ref.Bus, n.ref.Path).Call("org.a11y.atspi.Component.GrabFocus", 0).Store(&done)
	if err != nil {
		return fmt.Errorf("focusing %s %q: %w", n.role, n.name, err)
	}
	if !done {
		return fmt.Errorf("%s %q takes no focus", n.role, n.name)
	}
	return nil
}
