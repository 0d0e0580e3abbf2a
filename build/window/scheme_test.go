//go:build window

package window

import (
	"image/color"
	"slices"
	"testing"

	"github.com/godbus/dbus/v5"
)

// The page's ground, in the two schemes, and the portal's numbers for them.
var (
	lightPaper = color.NRGBA{R: 0xfa, G: 0xf8, B: 0xf3, A: 0xff}
	darkPaper  = color.NRGBA{R: 0x16, G: 0x15, B: 0x13, A: 0xff}
)

const (
	preferDark  = 1
	preferLight = 2
)

const settingsPortal = "org.freedesktop.portal.Settings"

// TestScheme opens the window on a dark desktop, and makes the desktop light.
func TestScheme(t *testing.T) {
	d := startDesktop(t)
	portal := d.portal(t, preferDark)
	p := d.start(t)
	p.await(t, "", sessionName)
	d.shows(t, darkPaper)
	portal.change(t, preferLight)
	d.shows(t, lightPaper)
	portal.change(t, preferDark)
	d.shows(t, darkPaper)
}

// TestSchemeChosen leaves the theme alone that the user has chosen for GTK's programs.
func TestSchemeChosen(t *testing.T) {
	d := startDesktop(t)
	d.portal(t, preferDark)
	d.env = append(d.env, "GTK_THEME=Adwaita")
	p := d.start(t)
	p.await(t, "", sessionName)
	d.shows(t, lightPaper)
}

// portal stands in for the desktop's own.
type portal struct {
	bus    *dbus.Conn
	scheme uint32
}

func (d *desktop) portal(t *testing.T, scheme uint32) *portal {
	t.Helper()
	bus, err := dbus.Connect(d.bus)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = bus.Close() })
	p := &portal{bus: bus, scheme: scheme}
	if err := bus.Export(p, "/org/freedesktop/portal/desktop", settingsPortal); err != nil {
		t.Fatal(err)
	}
	if _, err := bus.RequestName("org.freedesktop.portal.Desktop", dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	return p
}

// Read answers programs, wrapped twice, as real portals do.
func (p *portal) Read(namespace, key string) (dbus.Variant, *dbus.Error) {
	if namespace != "org.freedesktop.appearance" || key != "color-scheme" {
		return dbus.Variant{}, dbus.NewError("org.freedesktop.portal.Error.NotFound", nil)
	}
	return dbus.MakeVariant(dbus.MakeVariant(p.scheme)), nil
}

func (p *portal) change(t *testing.T, scheme uint32) {
	t.Helper()
	err := p.bus.Emit("/org/freedesktop/portal/desktop", settingsPortal+".SettingChanged",
		"org.freedesktop.appearance", "color-scheme", dbus.MakeVariant(scheme))
	if err != nil {
		t.Fatal(err)
	}
}

// shows waits until a tenth of the screen has this colour.
func (d *desktop) shows(t *testing.T, want color.NRGBA) {
	t.Helper()
	until(t, "the window has the right ground", func() bool {
		img, err := d.display.screenshot()
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for pixel := range slices.Chunk(img.Pix, 4) {
			if [4]byte(pixel) == [4]byte{want.R, want.G, want.B, want.A} {
				n++
			}
		}
		return 10*n > len(img.Pix)/4
	})
}
