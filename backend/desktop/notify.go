package desktop

import (
	"context"
	"errors"
	goruntime "runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/godbus/dbus/v5"
	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// Notice is what the desktop shows of a session while its window is not in front.
type Notice struct {
	Title, Body string
	// Session is what a press on it opens.
	Session string
}

// How much of a notice is shown, in characters: what it is about comes from outside.
const (
	titleMost = 100
	bodyMost  = 300
)

// center is what shows notices: the toolkit's, or a test's.
type center interface {
	// begin is called once, before the first of them; pressed is told their ids.
	begin(pressed func(id string)) error
	// markup tells whether a text is read as if it were HTML.
	markup() bool
	show(id, title, body string) error
	end()
}

// notices hands notices on to the desktop.
type notices struct {
	center center
	// open brings the window to the front, with a session in it.
	open func(session string)

	mu    sync.Mutex
	begun bool
	ended bool
	count int
}

// unmarked escapes what would be markup, and no more: not every server that reads it knows the rest of HTML's names.
var unmarked = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

var errNoNotices = errors.New("the desktop shows no notifications")

func (n *notices) show(notice Notice) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ended {
		return errNoNotices
	}
	if !n.begun {
		if err := n.center.begin(n.pressed); err != nil {
			return err
		}
		n.begun = true
	}
	n.count++
	body := shorten(notice.Body, bodyMost)
	if n.center.markup() {
		body = unmarked.Replace(body)
	}
	return n.center.show(notice.Session+"."+strconv.Itoa(n.count), shorten(notice.Title, titleMost), body)
}

func (n *notices) pressed(id string) {
	if session, _, ok := strings.Cut(id, "."); ok {
		n.open(session)
	}
}

func (n *notices) end() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.begun && !n.ended {
		n.center.end()
	}
	n.ended = true
}

func shorten(text string, most int) string {
	if points := []rune(text); len(points) > most {
		return string(points[:most]) + "…"
	}
	return text
}

// wailsCenter is the toolkit's.
type wailsCenter struct{ window context.Context }

func (c wailsCenter) begin(pressed func(id string)) error {
	// Without this the library would start a bus where there is none.
	if goruntime.GOOS == "linux" && sessionBus() == "" {
		return errNoNotices
	}
	if err := runtime.InitializeNotifications(c.window); err != nil {
		return err //nolint:wrapcheck // it says what it was about
	}
	runtime.OnNotificationResponse(c.window, func(r runtime.NotificationResult) {
		if r.Error == nil {
			pressed(r.Response.ID)
		}
	})
	if allowed, err := runtime.RequestNotificationAuthorization(c.window); err != nil || !allowed {
		return errors.Join(errNoNotices, err)
	}
	return nil
}

func (wailsCenter) markup() bool {
	return goruntime.GOOS == "linux" && slices.Contains(capabilities(sessionBus()), "body-markup")
}

func (c wailsCenter) show(id, title, body string) error {
	//nolint:wrapcheck // it says what it was about
	return runtime.SendNotification(c.window, runtime.NotificationOptions{ID: id, Title: title, Body: body})
}

func (c wailsCenter) end() { runtime.CleanupNotifications(c.window) }

// capabilities are what the server of notifications on a bus can do.
func capabilities(bus string) []string {
	ctx, cancel := context.WithTimeout(context.Background(), portalPatience)
	defer cancel()
	conn, err := dbus.Connect(bus, dbus.WithContext(ctx))
	if err != nil {
		return nil
	}
	defer func() { _ = conn.Close() }() // it was for one question
	const name = "org.freedesktop.Notifications"
	var can []string
	if conn.Object(name, "/org/freedesktop/Notifications").CallWithContext(ctx, name+".GetCapabilities", 0).Store(&can) != nil {
		return nil
	}
	return can
}

// openEvent tells the page which session a pressed notice is about.
const openEvent = "palimpsest:open"

// Notify shows a notice. It fails where the desktop shows none.
func (w *Window) Notify(n Notice) error {
	if w.notices == nil {
		return errNoNotices
	}
	return w.notices.show(n)
}

// bringUp shows the window with a session in it.
func bringUp(window context.Context, session string) {
	runtime.WindowUnminimise(window)
	runtime.WindowShow(window)
	runtime.EventsEmit(window, openEvent, session)
}
