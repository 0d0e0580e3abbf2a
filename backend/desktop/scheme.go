package desktop

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/wailsapp/wails/v2/pkg/options"
)

// scheme is what the desktop says of light and dark, in the portal's numbers.
type scheme uint32

const (
	noPreference scheme = 0
	preferDark   scheme = 1
)

// Where a desktop tells sandboxed and other programs of its settings.
const (
	portalName     = "org.freedesktop.portal.Desktop"
	portalPath     = "/org/freedesktop/portal/desktop"
	portalSettings = "org.freedesktop.portal.Settings"
	appearance     = "org.freedesktop.appearance"
	colorScheme    = "color-scheme"
)

// portalPatience is how long a portal may take to answer; at login it may only be starting.
const portalPatience = 10 * time.Second

// paper is the ground that the page will paint, for the window to have before: --paper in tokens.css.
func paper(dark bool) *options.RGBA {
	if dark {
		return options.NewRGB(0x16, 0x15, 0x13)
	}
	return options.NewRGB(0xfa, 0xf8, 0xf3)
}

// isDark is how the page will look: as the settings say (light or dark), else as the desktop does.
func isDark(theme string, desktop scheme) bool {
	return theme == "dark" || theme != "light" && desktop == preferDark
}

// schemeOf reads the portal's answer, a number that it wraps once or twice.
func schemeOf(v dbus.Variant) scheme {
	value := v.Value()
	if inner, ok := value.(dbus.Variant); ok {
		value = inner.Value()
	}
	number, _ := value.(uint32)
	return scheme(number)
}

// changeOf reads the portal's news; ok is whether they are of the scheme.
func changeOf(s *dbus.Signal) (now scheme, ok bool) {
	var namespace, key string
	var value dbus.Variant
	if dbus.Store(s.Body, &namespace, &key, &value) != nil || namespace != appearance || key != colorScheme {
		return noPreference, false
	}
	return schemeOf(value), true
}

// sessionBus is the address of the user's bus, or "". Asking the library for it would start a bus where there is none.
func sessionBus() string {
	if address := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); address != "" {
		return address
	}
	socket := filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "bus")
	if _, err := os.Stat(socket); !filepath.IsAbs(socket) || err != nil {
		return ""
	}
	return "unix:path=" + socket
}

// follow tells what the desktop's scheme is, and again whenever it changes, until the context ends. The first thing it
// tells is the answer to a question, noPreference if there is none.
func follow(ctx context.Context, bus string, tell func(scheme)) error {
	conn, err := dbus.Connect(bus, dbus.WithContext(ctx))
	if err != nil {
		tell(noPreference)
		return fmt.Errorf("asking the desktop for its colours: %w", err)
	}
	defer conn.Close()
	news := make(chan *dbus.Signal, 8)
	conn.Signal(news)
	err = conn.AddMatchSignalContext(ctx, dbus.WithMatchInterface(portalSettings), dbus.WithMatchMember("SettingChanged"))
	now, askErr := ask(ctx, conn)
	tell(now)
	if err != nil || askErr != nil {
		// A desktop without a portal has no news either.
		return nil
	}
	for {
		select {
		case signal, open := <-news:
			if !open {
				return nil
			}
			if now, ok := changeOf(signal); ok {
				tell(now)
			}
		case <-ctx.Done():
			return nil
		}
	}
}

func ask(ctx context.Context, conn *dbus.Conn) (scheme, error) {
	ctx, cancel := context.WithTimeout(ctx, portalPatience)
	defer cancel()
	var answer dbus.Variant
	// Read is the older of two methods, and the one that every portal has.
	call := conn.Object(portalName, portalPath).CallWithContext(ctx, portalSettings+".Read", 0, appearance, colorScheme)
	if err := call.Store(&answer); err != nil {
		return noPreference, fmt.Errorf("asking the desktop for its colours: %w", err)
	}
	return schemeOf(answer), nil
}
