package desktop

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	goruntime "runtime"
	"sync"
	"time"

	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// Times that nobody waits for longer.
const (
	lookEvery   = 2 * time.Second        // a window that is moved and then crashes is a little off at most
	lookAgain   = 100 * time.Millisecond // until there is a window to look at
	firstColour = 300 * time.Millisecond // before the window opens; a desktop that is slower is followed later
)

// Options are what the window's surroundings need to know of the program.
type Options struct {
	Theme   string // system, light or dark
	Version string
	Warn    func(error)
	// Release lets go of everything that the program holds, before it starts again.
	Release func()
}

// Window is the program's one window as the desktop sees it. Its methods are called in the order in which they stand
// here; all but Open are Wails' callbacks.
type Window struct {
	options Options
	watch   *watch // nil where windows don't stay blank
	keeper  *keeper
	schemes chan scheme // nil where the page asks the desktop itself
	scheme  scheme      // what the desktop said first
	notices *notices    // nil before the window has started

	ctx    context.Context
	cancel context.CancelFunc
	tasks  sync.WaitGroup
}

// Open gets ready, before the toolkit starts: it is then that the toolkit reads most of its settings.
func Open(o Options) (*Window, error) {
	w := &Window{options: o}
	w.keeper = &keeper{path: filepath.Join(stateDir(), "window.json"), look: look, warn: o.Warn}
	w.keeper.last = begun(load[place](w.keeper.path))
	w.ctx, w.cancel = context.WithCancel(context.Background())
	if goruntime.GOOS != "linux" {
		return w, nil
	}
	if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return nil, errors.New("there is no display to open a window on")
	}
	w.watch = newWatch(o)
	if err := w.watch.prepare(); err != nil {
		return nil, err
	}
	w.followDesktop()
	return w, nil
}

// followDesktop asks the desktop for its colours, and waits for the answer for a moment.
func (w *Window) followDesktop() {
	bus := sessionBus()
	if bus == "" {
		return
	}
	w.schemes = make(chan scheme)
	w.tasks.Go(func() {
		err := follow(w.ctx, bus, func(s scheme) {
			select {
			case w.schemes <- s:
			case <-w.ctx.Done():
			}
		})
		if err != nil {
			w.options.Warn(err)
		}
	})
	select {
	case w.scheme = <-w.schemes:
	case <-time.After(firstColour):
	}
}

// Configure says to Wails what it wants to know before the window opens.
func (w *Window) Configure(o *options.App) {
	o.Width, o.Height = w.keeper.last.Width, w.keeper.last.Height
	o.MinWidth, o.MinHeight = minWidth, minHeight
	configure(o, w.keeper.last)
	o.BackgroundColour = paper(isDark(w.options.Theme, w.scheme))
	// A policy other than never is not safe to assume: it leaves windows blank on some drivers.
	o.Linux = &linux.Options{ProgramName: "palimpsest", WebviewGpuPolicy: linux.WebviewGpuPolicyNever}
}

// Started is for OnStartup, with Wails' own context, which never ends.
func (w *Window) Started(ctx context.Context) {
	ctx, stop := context.WithCancel(ctx)
	context.AfterFunc(w.ctx, stop) //nolint:contextcheck // Wails' context has its runtime, ours the end
	w.notices = &notices{center: wailsCenter{ctx}, open: func(session string) { bringUp(ctx, session) }}
	w.tasks.Go(func() { w.restore(ctx) })
	if w.schemes != nil {
		setDark(w.scheme == preferDark)
		w.tasks.Go(func() { w.recolour(ctx) })
	}
	if w.watch != nil {
		painted := make(chan struct{})
		runtime.EventsOnce(ctx, paintedEvent, func(...any) { close(painted) })
		w.tasks.Go(func() { w.watch.run(ctx, painted, time.After(patience)) })
	}
}

// restore brings the window where it was, and from then on writes down where it is.
func (w *Window) restore(ctx context.Context) {
	if seen, ok := firstLook(ctx); ok {
		put(ctx, w.keeper.last.fit(seen.displays))
	}
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	w.keeper.run(ctx, ticker.C)
}

// firstLook waits for the toolkit, which on a busy machine takes its time to begin.
func firstLook(ctx context.Context) (view, bool) {
	again := time.NewTicker(lookAgain)
	defer again.Stop()
	for {
		if seen, ok := look(ctx); ok {
			return seen, true
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return view{}, false
		}
	}
}

// recolour makes the window as light or dark as the desktop is from now on.
func (w *Window) recolour(ctx context.Context) {
	for {
		select {
		case now := <-w.schemes:
			setDark(now == preferDark)
			ground := paper(isDark(w.options.Theme, now))
			runtime.WindowSetBackgroundColour(ctx, ground.R, ground.G, ground.B, ground.A)
		case <-ctx.Done():
			return
		}
	}
}

// Loaded is for OnDomReady.
func (w *Window) Loaded(ctx context.Context) {
	if w.watch != nil {
		runtime.WindowExecJS(ctx, askPainted)
	}
}

// Closing is for OnBeforeClose: the last moment at which there is a window to look at. It never stands in the way.
func (w *Window) Closing(ctx context.Context) bool {
	w.keeper.keep(ctx)
	return false
}

// Close ends what Open and Started began.
func (w *Window) Close() {
	if w.notices != nil {
		w.notices.end()
	}
	w.cancel()
	w.tasks.Wait()
	if w.watch != nil {
		w.watch.end()
	}
}
