package desktop

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// patience is how long the page may take to be painted. WebKit needs one to three seconds, several times that on a cold
// or busy disk; longer than this nobody looks at an empty window. A false alarm costs little: a start without the GPU.
const patience = 15 * time.Second

// paintedEvent comes from the page once it was painted.
const paintedEvent = "palimpsest:painted"

// askPainted asks the page for it. A frame is asked for when the one before is on its way to the screen, hence two. A
// page that nobody can see is not painted, which says nothing about the renderer: it counts as painted.
const askPainted = `(() => {
	const say = () => window.runtime.EventsEmit('` + paintedEvent + `');
	if (document.hidden) { say(); return; }
	document.addEventListener('visibilitychange', say, { once: true });
	requestAnimationFrame(() => requestAnimationFrame(say));
})();`

// watch sees to it that a window that stays blank is noticed, tried once more and explained.
type watch struct {
	attempt attempt
	version string
	path    string // of what is remembered
	lookup  func(string) (string, bool)
	say     io.Writer
	warn    func(error)
	// restart ends this program for one with these settings; it returns only if it can't.
	restart func([]setting) error
	stuck   bool // nothing was painted in time
}

// newWatch chooses the renderer.
func newWatch(o Options) *watch {
	w := &watch{
		version: o.Version, path: filepath.Join(stateDir(), "renderer.json"),
		lookup: os.LookupEnv, say: os.Stderr, warn: o.Warn,
		restart: func(more []setting) error {
			o.Release()
			return startAgain(more)
		},
	}
	said := renderer(os.Getenv(rendererVariable))
	w.attempt = begin(said, load[worked](w.path), o.Version, time.Now())
	if said == retried {
		_ = os.Unsetenv(rendererVariable) // it is not for the programs that this one starts
	}
	return w
}

// prepare sets what the renderer wants; WebKit reads it when it starts.
func (w *watch) prepare() error {
	if w.attempt.renderer == retried {
		endWebKit()
	}
	for _, s := range w.attempt.renderer.open(w.lookup) {
		if err := os.Setenv(s.name, s.value); err != nil {
			return fmt.Errorf("choosing a renderer: %w", err)
		}
	}
	return nil
}

// run waits until the page was painted or the program ends, and does something about it once time is over. What is painted
// later, as on a machine that is very busy, counts as well: else the next start would try again what failed before.
func (w *watch) run(ctx context.Context, painted <-chan struct{}, late <-chan time.Time) {
	for {
		select {
		case <-painted:
			w.stuck = false
			w.remember()
			return
		case <-ctx.Done():
			return
		case <-late:
			w.stuck = true
			w.blank()
		}
	}
}

// end is for when the window is gone and run has returned. A process that could not paint may not notice.
func (w *watch) end() {
	if w.stuck {
		endWebKit()
	}
}

// blank starts the program again where that can help, and else says what can.
func (w *watch) blank() {
	more := retried.open(w.lookup)
	if w.attempt.again && len(more) > 0 {
		fmt.Fprintf(w.say, "palimpsest: the window stayed blank for %v; starting again without the GPU\n", patience)
		err := w.restart(append(more, setting{rendererVariable, string(retried)}))
		w.warn(fmt.Errorf("starting again: %w", err))
	}
	fmt.Fprint(w.say, "palimpsest: the window stays blank: WebKitGTK can't paint here\n"+
		"hint: palimpsest serve offers the same page to a browser; an update of the graphics driver or of WebKitGTK may help\n")
}

// remember keeps a renderer that worked where plain did not, and forgets one that is no longer needed.
func (w *watch) remember() {
	var err error
	switch {
	case w.attempt.renderer == retried:
		err = store(w.path, worked{Renderer: safe, Version: w.version, Since: time.Now()})
	case w.attempt.again:
		if err = os.Remove(w.path); os.IsNotExist(err) {
			err = nil
		}
	}
	if err != nil {
		w.warn(fmt.Errorf("remembering the renderer: %w", err))
	}
}
