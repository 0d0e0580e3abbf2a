//go:build window

package window

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

const (
	opConfigureWindow = 12
	opGetGeometry     = 14
)

// box is where a window is and how large.
type box struct {
	X      int `json:"x"`
	Y      int `json:"y"`
	Width  int `json:"width"`
	Height int `json:"height"`
}

// TestPlaceIsKept moves the window and closes it at once; the next one opens there.
func TestPlaceIsKept(t *testing.T) {
	d := startDesktop(t)
	p := d.start(t)
	p.await(t, "", sessionName)
	want := box{120, 60, 900, 640}
	d.move(t, want)
	if err := d.display.closeWindow(); err != nil {
		t.Fatal(err)
	}
	p.ended(t)
	if got := d.kept(); got != want {
		t.Errorf("kept %+v, want %+v", got, want)
	}

	again := d.start(t)
	again.await(t, "", sessionName)
	until(t, "the window is where it was", func() bool { return d.where(t) == want })
}

// TestPlaceOutlivesACrash moves the window and kills the program.
func TestPlaceOutlivesACrash(t *testing.T) {
	d := startDesktop(t)
	p := d.start(t)
	p.await(t, "", sessionName)
	want := box{200, 90, 820, 600}
	d.move(t, want)
	until(t, "the place is written down", func() bool { return d.kept() == want })
	if err := p.cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := <-p.done; err == nil {
		t.Error("a program that was killed says that all was well")
	}
}

// TestPlaceOffTheDesktop has a window on a display that is gone: it comes back to this one.
func TestPlaceOffTheDesktop(t *testing.T) {
	d := startDesktop(t)
	write(t, d.placeFile(), `{"width":900,"height":640,"x":4000,"y":60,"placed":true}`)
	p := d.start(t)
	p.await(t, "", sessionName)
	until(t, "the window is on the display", func() bool {
		at := d.where(t)
		return at.Width == 900 && at.Height == 640 && at.X >= 0 && at.X+at.Width <= int(d.display.width)
	})
}

func (d *desktop) placeFile() string {
	return filepath.Join(d.dir, ".local", "state", "palimpsest", "window.json")
}

// kept is what the program has written down.
func (d *desktop) kept() (b box) {
	data, err := os.ReadFile(d.placeFile())
	if err != nil || json.Unmarshal(data, &b) != nil {
		return box{}
	}
	return b
}

// move puts the window somewhere, as a window manager does.
func (d *desktop) move(t *testing.T, to box) {
	t.Helper()
	const everything = 1 | 2 | 4 | 8 // x, y, width and height
	data := le.AppendUint32(nil, d.window(t))
	data = le.AppendUint16(data, everything)
	data = append(data, 0, 0)
	for _, v := range []int{to.X, to.Y, to.Width, to.Height} {
		data = le.AppendUint32(data, uint32(v))
	}
	if err := d.display.send(opConfigureWindow, 0, data); err != nil {
		t.Fatal(err)
	}
	until(t, "the window has moved", func() bool { return d.where(t) == to })
}

// where is the window's place on the display.
func (d *desktop) where(t *testing.T) box {
	t.Helper()
	head, _, err := d.display.ask(opGetGeometry, 0, le.AppendUint32(nil, d.window(t)))
	if err != nil {
		t.Fatal(err)
	}
	return box{
		X: int(int16(le.Uint16(head[12:]))), Y: int(int16(le.Uint16(head[14:]))),
		Width: int(le.Uint16(head[16:])), Height: int(le.Uint16(head[18:])),
	}
}

// window is the program's one window.
func (d *desktop) window(t *testing.T) uint32 {
	t.Helper()
	shown := d.shown(t)
	if len(shown) != 1 {
		t.Fatalf("%d windows are shown", len(shown))
	}
	return shown[0]
}

// shown are the windows that can be seen.
func (d *desktop) shown(t *testing.T) []uint32 {
	t.Helper()
	windows, err := d.display.windows()
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(windows, func(window uint32) bool {
		head, _, err := d.display.ask(opGetAttributes, 0, le.AppendUint32(nil, window))
		if err != nil {
			t.Fatal(err)
		}
		return head[mapStateAt] != viewable
	})
}
