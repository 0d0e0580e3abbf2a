//go:build !headless

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	goruntime "runtime"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/wailsapp/wails/v2"
	wailsmenu "github.com/wailsapp/wails/v2/pkg/menu"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"palimpsest/backend"
	"palimpsest/backend/desktop"
	"palimpsest/backend/keys"
	"palimpsest/backend/menu"
	"palimpsest/backend/server"
	"palimpsest/backend/sources/all"
)

func init() { openWindow = runWindow }

// App is what the page can ask of the program: commands and their small results. Transcripts go through the asset
// server instead, as pages.
type App struct {
	backend *backend.Backend
	// ctx is ours, since Wails never cancels the one it gives; window is that one, which its runtime needs.
	ctx     context.Context
	cancel  context.CancelFunc
	window  context.Context
	desktop *desktop.Window
	// spots are where the commands stand in the menus.
	spots map[string]menu.Spot
	news  sync.WaitGroup
	ended sync.Once
}

func runWindow(page fs.FS) (err error) {
	defer func() { desktop.Complain(err) }()
	warn := func(err error) { slog.Warn(err.Error()) }
	others, release := all.Open()
	b, err := backend.Open(backend.Options{
		CreatedBy: "window", Resident: true, Keychain: keys.System(), Warn: warn, Sources: others, Release: release,
	})
	if err != nil {
		return fmt.Errorf("opening the sessions: %w", err)
	}
	app := &App{backend: b}
	app.ctx, app.cancel = context.WithCancel(context.Background())
	settings, _ := b.Settings()
	app.desktop, err = desktop.Open(desktop.Options{
		Theme: string(settings.Theme), Version: backend.Version, Warn: warn, Release: app.release,
	})
	if err != nil {
		app.release()
		return err
	}
	if err = wails.Run(windowOptions(app, server.New(b, page, nil), page)); err != nil {
		return fmt.Errorf("running the window: %w", err)
	}
	return nil
}

func windowOptions(app *App, api *server.Server, page fs.FS) *options.App {
	opts := &options.App{
		Title:          "Palimpsest",
		AssetServer:    &assetserver.Options{Assets: page, Middleware: api.Middleware},
		OnStartup:      app.startup,
		OnDomReady:     app.desktop.Loaded,
		OnBeforeClose:  app.desktop.Closing,
		OnShutdown:     app.shutdown,
		Bind:           []any{app},
		ErrorFormatter: formatError,
	}
	app.desktop.Configure(opts)
	opts.Menu = app.menu()
	return opts
}

// menu is that of the window, made from the page's commands; the page does what they say.
func (a *App) menu() *wailsmenu.Menu {
	chosen := func(id string) { runtime.EventsEmit(a.window, menu.Event, id) }
	bar, err := menu.Build(commands, goruntime.GOOS, chosen, func() { runtime.Quit(a.window) })
	if err != nil {
		panic("palimpsest: the list of commands is not what was built in: " + err.Error())
	}
	a.spots = bar.Spots
	return bar.Menu
}

// Offer tells which commands can be done now: the others are greyed out in the menus.
func (a *App) Offer(ids []string) (err error) {
	defer safely(&err)
	items := make([]desktop.Item, 0, len(a.spots))
	for id, spot := range a.spots {
		items = append(items, desktop.Item{Menu: spot.Menu, Item: spot.Item, On: slices.Contains(ids, id)})
	}
	desktop.SetMenu(items)
	return nil
}

// formatError puts an error into the one form that the page reads: Wails hands on nothing but a string.
func formatError(err error) any {
	text, jsonErr := json.Marshal(backend.ProblemOf(err))
	if jsonErr != nil {
		return err.Error()
	}
	return string(text)
}

func (a *App) startup(window context.Context) {
	a.window = window
	a.desktop.Started(window)
	a.news.Go(func() {
		// A subscription that fell behind is closed; the page notices the gap and asks again.
		for a.ctx.Err() == nil {
			a.forward(window)
		}
	})
}

// forward hands news on to the page until the subscription ends.
func (a *App) forward(window context.Context) {
	news, cancel := a.backend.Subscribe()
	defer cancel()
	for {
		select {
		case event, ok := <-news:
			if !ok {
				return
			}
			runtime.EventsEmit(window, "palimpsest", event)
		case <-a.ctx.Done():
			return
		}
	}
}

func (a *App) shutdown(context.Context) {
	a.desktop.Close()
	a.release()
}

// release lets go of the sessions, at the end or before the program starts again.
func (a *App) release() {
	a.ended.Do(func() {
		a.cancel()
		a.backend.Close()
		a.news.Wait()
	})
}

// safely turns a panic into an error: a bound method that panics would leave its promise in the page for ever.
func safely(err *error) {
	if r := recover(); r != nil {
		slog.Error("panic in a command of the window", "panic", r, "stack", string(debug.Stack()))
		*err = fmt.Errorf("a mistake in the program: %v", r)
	}
}

// Notify has the desktop say something about a session; pressed, it opens there.
func (a *App) Notify(title, body, session string) (err error) {
	defer safely(&err)
	return a.desktop.Notify(desktop.Notice{Title: title, Body: body, Session: session})
}

// ChooseFolder has the user choose a folder; empty if none was chosen.
func (a *App) ChooseFolder(from string) (folder string, err error) {
	defer safely(&err)
	if info, statErr := os.Stat(from); statErr != nil || !info.IsDir() {
		from = ""
	}
	folder, err = runtime.OpenDirectoryDialog(a.window, runtime.OpenDialogOptions{DefaultDirectory: from})
	if err != nil {
		return "", fmt.Errorf("choosing a folder: %w", err)
	}
	return folder, nil
}

// OpenLink opens an address in the system's browser. The page has shown where it leads; what is not an address of the
// web or of mail is refused all the same.
func (a *App) OpenLink(address string) (err error) {
	defer safely(&err)
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" && u.Scheme != "mailto" {
		return errors.New("only http, https and mailto addresses are opened")
	}
	runtime.BrowserOpenURL(a.window, u.String())
	return nil
}
