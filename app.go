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
	"sync"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/menu"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"palimpsest/backend"
	"palimpsest/backend/server"
)

func init() { openWindow = runWindow }

// App is what the page can ask of the program: commands and their small results. Transcripts go through the asset
// server instead, as pages.
type App struct {
	backend *backend.Backend
	// ctx is ours, since Wails never cancels the one it gives; window is that one, which its runtime needs.
	ctx    context.Context
	cancel context.CancelFunc
	window context.Context
	news   sync.WaitGroup
}

func runWindow(page fs.FS) error {
	if goruntime.GOOS == "linux" {
		if err := prepareLinux(); err != nil {
			return err
		}
	}
	b, err := backend.Open(backend.Options{CreatedBy: "window", Resident: true, Warn: func(err error) { slog.Warn(err.Error()) }})
	if err != nil {
		return fmt.Errorf("opening the sessions: %w", err)
	}
	app := &App{backend: b}
	app.ctx, app.cancel = context.WithCancel(context.Background())
	if err := wails.Run(windowOptions(app, server.New(b, page, nil), page)); err != nil {
		return fmt.Errorf("running the window: %w", err)
	}
	return nil
}

// prepareLinux says why there can be no window, instead of leaving that to GTK, and turns off the renderer that leaves
// windows blank on NVIDIA and some Wayland desktops, unless the user has chosen one.
func prepareLinux() error {
	if os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return errors.New("there is no display to open a window on")
	}
	const renderer = "WEBKIT_DISABLE_DMABUF_RENDERER"
	if _, chosen := os.LookupEnv(renderer); chosen {
		return nil
	}
	if err := os.Setenv(renderer, "1"); err != nil {
		return fmt.Errorf("choosing a renderer: %w", err)
	}
	return nil
}

func windowOptions(app *App, api *server.Server, page fs.FS) *options.App {
	opts := &options.App{
		Title: "Palimpsest", Width: 1440, Height: 900, MinWidth: 700, MinHeight: 480,
		BackgroundColour: options.NewRGB(0xfa, 0xf8, 0xf3),
		AssetServer:      &assetserver.Options{Assets: page, Middleware: api.Middleware},
		OnStartup:        app.startup,
		OnShutdown:       app.shutdown,
		Bind:             []any{app},
		ErrorFormatter:   formatError,
		// A policy other than never is not safe to assume: it leaves windows blank on some drivers.
		Linux: &linux.Options{ProgramName: "palimpsest", WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
	}
	if goruntime.GOOS == "darwin" {
		// Without the Edit menu macOS has no copy and paste in text fields.
		opts.Menu = menu.NewMenuFromItems(menu.AppMenu(), menu.EditMenu(), menu.WindowMenu())
	}
	return opts
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
	a.cancel()
	a.backend.Close()
	a.news.Wait()
}

// safely turns a panic into an error: a bound method that panics would leave its promise in the page for ever.
func safely(err *error) {
	if r := recover(); r != nil {
		slog.Error("panic in a command of the window", "panic", r, "stack", string(debug.Stack()))
		*err = fmt.Errorf("a mistake in the program: %v", r)
	}
}

// Rename gives a session a name; an empty one clears it.
func (a *App) Rename(id, name string) (s backend.Session, err error) {
	defer safely(&err)
	return a.backend.Rename(a.ctx, id, name)
}

// Archive takes a session out of the list.
func (a *App) Archive(id string) (s backend.Session, err error) {
	defer safely(&err)
	return a.backend.Archive(a.ctx, id, true)
}

// Unarchive puts a session back into the list.
func (a *App) Unarchive(id string) (s backend.Session, err error) {
	defer safely(&err)
	return a.backend.Archive(a.ctx, id, false)
}

// Trashed names a session that was moved.
type Trashed struct {
	ID string `json:"id"`
}

// Trash moves a session to the trash.
func (a *App) Trash(id string) (t Trashed, err error) {
	defer safely(&err)
	return Trashed{id}, a.backend.Trash(a.ctx, id)
}

// Restore brings a session back from the trash.
func (a *App) Restore(id string) (s backend.Session, err error) {
	defer safely(&err)
	return a.backend.Restore(id)
}

// Fork makes a new session from this one, whole (atSeq 0) or up to a record.
func (a *App) Fork(id string, atSeq int64) (s backend.Session, err error) {
	defer safely(&err)
	return a.backend.Fork(id, atSeq)
}

// Committed names the record that a command appended.
type Committed struct {
	CommittedSeq int64 `json:"committedSeq"`
}

// Revert takes back a compaction or a prune, or a revert.
func (a *App) Revert(id string, seq int64) (c Committed, err error) {
	defer safely(&err)
	at, err := a.backend.Revert(a.ctx, id, seq)
	return Committed{at}, err
}

// Create makes a session, for the first message of a new conversation.
func (a *App) Create(n backend.NewSession) (s backend.Session, err error) {
	defer safely(&err)
	return a.backend.New(n)
}

// Send takes a message for a session, or tries again. It returns when the message is on disk or in the queue.
func (a *App) Send(id string, m backend.Outgoing) (s backend.Sent, err error) {
	defer safely(&err)
	return a.backend.Send(a.ctx, id, m, nil)
}

// EndTurn stops the running turn or withdraws a message that waits.
func (a *App) EndTurn(id, turnID string) (e backend.Ended, err error) {
	defer safely(&err)
	return a.backend.EndTurn(id, turnID)
}

// UseModel writes the address of a server and a model into the settings.
func (a *App) UseModel(baseURL, model string) (err error) {
	defer safely(&err)
	return a.backend.UseModel(baseURL, model)
}

// StartDraft has the summary of a compaction written in the background.
func (a *App) StartDraft(id string, r backend.DraftRequest) (d backend.DraftState, err error) {
	defer safely(&err)
	return a.backend.StartDraft(a.ctx, id, r)
}

// CancelDraft stops a draft and forgets it.
func (a *App) CancelDraft(id, draftID string) (err error) {
	defer safely(&err)
	return a.backend.CancelDraft(id, draftID)
}

// Compact commits a compaction.
func (a *App) Compact(id string, r backend.Compact) (c backend.Compacted, err error) {
	defer safely(&err)
	return a.backend.Compact(a.ctx, id, r)
}

// AddSample creates the sample conversation.
func (a *App) AddSample() (s backend.Session, err error) {
	defer safely(&err)
	return a.backend.AddSample()
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
