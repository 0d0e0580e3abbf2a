//go:build window

package window

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"net"
)

// display is a connection to an X server: just enough of the protocol to take a
// picture of the screen and to ask a window to close, as a window manager does.
type display struct {
	conn          net.Conn
	root          uint32
	width, height uint16
}

// Opcodes and constants of the X11 core protocol.
const (
	opQueryTree   = 15
	opInternAtom  = 16
	opGetProperty = 20
	opSendEvent   = 25
	opGetImage    = 73

	atomAtom           = 4
	eventClientMessage = 33
	formatZPixmap      = 2
	formatBits32       = 32
)

var le = binary.LittleEndian

// openDisplay connects to the display with the given number, without authentication.
func openDisplay(number string) (*display, error) {
	conn, err := net.Dial("unix", "/tmp/.X11-unix/X"+number)
	if err != nil {
		return nil, fmt.Errorf("connecting to display :%s: %w", number, err)
	}
	d := &display{conn: conn}
	if err := d.setup(); err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("connecting to display :%s: %w", number, err)
	}
	return d, nil
}

func (d *display) setup() error {
	hello := []byte{'l', 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	if _, err := d.conn.Write(hello); err != nil {
		return fmt.Errorf("greeting: %w", err)
	}
	head := make([]byte, 8)
	if _, err := io.ReadFull(d.conn, head); err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	body := make([]byte, 4*int(le.Uint16(head[6:])))
	if _, err := io.ReadFull(d.conn, body); err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	if head[0] != 1 {
		return errors.New("the server refused")
	}
	vendor := int(le.Uint16(body[16:]))
	formats := int(body[21])
	screen := body[32+(vendor+3)/4*4+8*formats:]
	d.root = le.Uint32(screen)
	d.width, d.height = le.Uint16(screen[20:]), le.Uint16(screen[22:])
	return nil
}

// send writes one request; data is what follows its length.
func (d *display) send(opcode, detail byte, data []byte) error {
	for len(data)%4 != 0 {
		data = append(data, 0)
	}
	req := []byte{opcode, detail}
	req = le.AppendUint16(req, uint16(1+len(data)/4))
	if _, err := d.conn.Write(append(req, data...)); err != nil {
		return fmt.Errorf("X request %d: %w", opcode, err)
	}
	return nil
}

// ask sends a request and returns its reply: a head of 32 bytes, and the rest.
// Events on the way are dropped.
func (d *display) ask(opcode, detail byte, data []byte) (head, rest []byte, err error) {
	if err := d.send(opcode, detail, data); err != nil {
		return nil, nil, err
	}
	for {
		head = make([]byte, 32)
		if _, err := io.ReadFull(d.conn, head); err != nil {
			return nil, nil, fmt.Errorf("X request %d: %w", opcode, err)
		}
		switch head[0] {
		case 0:
			return nil, nil, fmt.Errorf("X request %d: error %d", opcode, head[1])
		case 1:
			rest = make([]byte, 4*int(le.Uint32(head[4:])))
			if _, err := io.ReadFull(d.conn, rest); err != nil {
				return nil, nil, fmt.Errorf("X request %d: %w", opcode, err)
			}
			return head, rest, nil
		}
	}
}

func (d *display) atom(name string) (uint32, error) {
	data := le.AppendUint16(nil, uint16(len(name)))
	data = append(data, 0, 0)
	head, _, err := d.ask(opInternAtom, 0, append(data, name...))
	if err != nil {
		return 0, err
	}
	return le.Uint32(head[8:]), nil
}

// windows are the program's: the top-level windows that can be asked to close.
func (d *display) windows() ([]uint32, error) {
	protocols, err := d.atom("WM_PROTOCOLS")
	if err != nil {
		return nil, err
	}
	deleteWindow, err := d.atom("WM_DELETE_WINDOW")
	if err != nil {
		return nil, err
	}
	head, tree, err := d.ask(opQueryTree, 0, le.AppendUint32(nil, d.root))
	if err != nil {
		return nil, err
	}
	var windows []uint32
	for i := range int(le.Uint16(head[16:])) {
		window := le.Uint32(tree[4*i:])
		understands, err := d.supports(window, protocols, deleteWindow)
		if err != nil {
			return nil, err
		}
		if understands {
			windows = append(windows, window)
		}
	}
	if len(windows) == 0 {
		return nil, errors.New("no window on the display can be asked to close")
	}
	return windows, nil
}

// closeWindow asks the program's window to close, as its close button would: it
// sends WM_DELETE_WINDOW to each top-level window that understands it.
func (d *display) closeWindow() error {
	protocols, err := d.atom("WM_PROTOCOLS")
	if err != nil {
		return err
	}
	deleteWindow, err := d.atom("WM_DELETE_WINDOW")
	if err != nil {
		return err
	}
	windows, err := d.windows()
	if err != nil {
		return err
	}
	for _, window := range windows {
		event := []byte{eventClientMessage, formatBits32, 0, 0}
		for _, v := range []uint32{window, protocols, deleteWindow, 0, 0, 0, 0} {
			event = le.AppendUint32(event, v)
		}
		data := le.AppendUint32(le.AppendUint32(nil, window), 0)
		if err := d.send(opSendEvent, 0, append(data, event...)); err != nil {
			return err
		}
	}
	// A round trip, so that the requests are done before the caller goes on.
	_, err = d.atom("WM_PROTOCOLS")
	return err
}

// supports says whether window lists protocol among its WM_PROTOCOLS.
func (d *display) supports(window, protocols, protocol uint32) (bool, error) {
	var data []byte
	for _, v := range []uint32{window, protocols, atomAtom, 0, 64} {
		data = le.AppendUint32(data, v)
	}
	_, values, err := d.ask(opGetProperty, 0, data)
	if err != nil {
		return false, err
	}
	for ; len(values) >= 4; values = values[4:] {
		if le.Uint32(values) == protocol {
			return true, nil
		}
	}
	return false, nil
}

// screenshot takes a picture of the whole screen, which must be 24 bits deep.
func (d *display) screenshot() (*image.NRGBA, error) {
	data := le.AppendUint32(nil, d.root)
	for _, v := range []uint16{0, 0, d.width, d.height} {
		data = le.AppendUint16(data, v)
	}
	_, pixels, err := d.ask(opGetImage, formatZPixmap, le.AppendUint32(data, 0xffffffff))
	if err != nil {
		return nil, err
	}
	width, height := int(d.width), int(d.height)
	if len(pixels) < 4*width*height {
		return nil, fmt.Errorf("a screenshot of %d bytes is too short", len(pixels))
	}
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range width * height {
		p := pixels[4*i:]
		img.SetNRGBA(i%width, i/width, color.NRGBA{R: p[2], G: p[1], B: p[0], A: 0xff})
	}
	return img, nil
}
