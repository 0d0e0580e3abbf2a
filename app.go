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
	"palimpsest/backend/compaction"
	"palimpsest/backend/desktop"
	"palimpsest/backend/keys"
	"palimpsest/backend/menu"
	"palimpsest/backend/server"
	"palimpsest/backend/session"
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

// Import makes a session of another agent one of ours, or brings the copy up to date that was made before.
func (a *App) Import(id string) (made backend.Import, err error) {
	defer safely(&err)
	return a.backend.Import(a.ctx, id)
}

// Keep copies sessions of other agents, so that they stay when those delete them.
func (a *App) Keep(ids []string) (kept []backend.Kept, err error) {
	defer safely(&err)
	return a.backend.Keep(a.ctx, ids)
}

// DropCopy removes such a copy.
func (a *App) DropCopy(id string) (err error) {
	defer safely(&err)
	return a.backend.DropCopy(id)
}

// CleanUp moves old sessions of ours to the trash, or tells which it would move.
func (a *App) CleanUp(rule backend.Cleanup) (cleaned backend.Cleaned, err error) {
	defer safely(&err)
	return a.backend.CleanUp(a.ctx, rule)
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

// Answer answers what a turn asks before it runs a call.
func (a *App) Answer(id, turnID string, r backend.Response) (s backend.Answered, err error) {
	defer safely(&err)
	return a.backend.Answer(a.ctx, id, turnID, r)
}

// UndoFiles takes back what tools changed in files between two records; a dry run only shows it.
func (a *App) UndoFiles(id string, o backend.UndoOptions) (u backend.FileUndo, err error) {
	defer safely(&err)
	return a.backend.UndoFiles(a.ctx, id, o)
}

// SetPermissions replaces the rules for tools of a session, made from those in base.
func (a *App) SetPermissions(id string, rules, base []session.Permission) (p backend.Permissions, err error) {
	defer safely(&err)
	return a.backend.SetPermissions(a.ctx, id, rules, base)
}

// UseModel writes the address of a server and a model into the settings.
func (a *App) UseModel(baseURL, model string) (err error) {
	defer safely(&err)
	return a.backend.UseModel(baseURL, model)
}

// UseProvider puts a provider of the settings into use, and a model of it if one is named.
func (a *App) UseProvider(name, model string) (err error) {
	defer safely(&err)
	return a.backend.UseProvider(name, model)
}

// SetProvider writes a provider into the settings.
func (a *App) SetProvider(p backend.NewProvider) (err error) {
	defer safely(&err)
	return a.backend.SetProvider(p)
}

// RemoveProvider takes a provider out of the settings, and returns what PutBack takes for it.
func (a *App) RemoveProvider(name string) (undo string, err error) {
	defer safely(&err)
	return a.backend.RemoveProvider(name)
}

// SetKey keeps a key in the system's keychain. It takes care of its own panics, since Wails would write down the
// arguments of a call that has one. It returns what PutBack takes for the key that it replaced.
func (a *App) SetKey(place backend.KeyPlace, key string) (undo string, err error) {
	defer safely(&err)
	return a.backend.SetKey(place, key)
}

// ForgetKey removes a key from the system's keychain, and returns what PutBack takes for it.
func (a *App) ForgetKey(place backend.KeyPlace) (undo string, err error) {
	defer safely(&err)
	return a.backend.ForgetKey(place)
}

// PutBack undoes what was taken out of the settings, and tells whether all is as it was.
func (a *App) PutBack(undo string) (asItWas bool, err error) {
	defer safely(&err)
	return a.backend.PutBack(undo)
}

// StartDraft has the summary of a compaction written in the background.
func (a *App) StartDraft(id string, r backend.DraftRequest) (d backend.DraftState, err error) {
	defer safely(&err)
	return a.backend.StartDraft(a.ctx, id, r)
}

// Leave notes that the window no longer shows a session whose opening it asked for.
func (a *App) Leave(id, viewer string) (err error) {
	defer safely(&err)
	return a.backend.Leave(id, viewer)
}

// CancelDraft stops a draft and forgets it.
func (a *App) CancelDraft(id, draftID string) (err error) {
	defer safely(&err)
	return a.backend.CancelDraft(id, draftID)
}

// Fidelity tells what a summary keeps of what it would replace.
func (a *App) Fidelity(id string, m backend.Measure) (f *compaction.Fidelity, err error) {
	defer safely(&err)
	return a.backend.Measure(a.ctx, id, m)
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

// Export writes a session, without its secrets, into a folder that the user chose.
func (a *App) Export(id, format, folder string) (made backend.Exported, err error) {
	defer safely(&err)
	return a.backend.ExportTo(a.ctx, id, backend.ExportOptions{Format: format}, folder)
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
